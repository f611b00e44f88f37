import { Type } from 'typebox';
import { gradeByKey } from '../catalog/grades.ts';
import type { Sql } from '../db/client.ts';
import type { ItemPrices } from '../pricing/read/item-prices.ts';
import { type PricedDb, type SeriesPrice, seriesPricesOn } from '../pricing/read/quotes.ts';
import { ITEM_COLUMNS, type ItemRow, itemHref } from './item-row.ts';
import { imageAddress, nullable, usdCents } from './shapes.ts';
import { representative } from './summary.ts';

const MAX_SIBLINGS = 60;

/** Other printings with the number of this one in its set: other variations, and other languages. */
export async function siblingsOf(db: Sql, item: ItemRow): Promise<ItemRow[]> {
  // Cards without a number (T206) are distinguished by name alone.
  return db.prepared<ItemRow>(
    'item_siblings',
    // By the index of numbers in their order, whose keys may be those of several numbers.
    `select ${ITEM_COLUMNS} from items own join items i on i.set_id = own.set_id and i.number_key = own.number_key
       join sets s on s.id = i.set_id
     where own.id = $1 and i.id <> own.id and i.number is not distinct from own.number
       and (own.number is not null or i.stem = own.stem) and i.removed_at is null
     order by i.language, i.variation nulls first, i.id limit ${MAX_SIBLINGS}`,
    [item.id],
  );
}

/** Another printing, as a detail lists it. */
export const otherPrinting = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  language: Type.String(),
  variation: nullable(Type.String()),
  rarity: nullable(Type.String()),
  imageUrl: nullable(imageAddress),
  gradeLabel: nullable(Type.String()),
  priceUsdCents: nullable(usdCents),
  href: Type.String(),
});

/** The other printings of a card with their prices of the same day. */
export async function readPrintings(db: PricedDb, item: ItemRow, reading: ItemPrices | Promise<ItemPrices>) {
  const [siblings, { asOf }] = await Promise.all([siblingsOf(db, item), reading]);
  const ids = siblings.map(({ id }) => id);
  return { siblings, siblingPrices: await seriesPricesOn(db, ids, asOf) };
}

/** Another printing at the same grade; at its representative one when that grade has no price there. */
export function otherPrintingOf(item: ItemRow, gradeKey: string | null, prices: readonly SeriesPrice[]) {
  const same = prices.find((one) => one.gradeKey === gradeKey && one.priceUsdCents !== null);
  const shown = same ?? representative(prices);
  const { name, language, variation, rarity, image_url: imageUrl } = item;
  return {
    id: item.id,
    name,
    language,
    variation,
    rarity,
    imageUrl,
    gradeLabel: shown ? gradeByKey(shown.gradeKey)!.label : null,
    priceUsdCents: shown?.priceUsdCents ?? null,
    href: itemHref(item, shown?.gradeKey ?? null),
  };
}
