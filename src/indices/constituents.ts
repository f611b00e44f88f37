import { gradeByKey } from '../catalog/grades.ts';
import { type ItemRow, itemHref, itemMap, numbersOf } from '../items/item-row.ts';
import { countRecent } from '../pricing/model/recent.ts';
import { seriesOfItems } from '../pricing/read/price-series.ts';
import { type PricedDb, seriesAsOf } from '../pricing/read/quotes.ts';
import { quoteOf, type SeriesQuote } from '../pricing/read/series-quote.ts';
import { seriesKey } from './method/basket.ts';

const WEEK_DAYS = 7;

/** A series of a basket with its card and what it is worth now. */
export type Constituent<Member> = {
  member: Member;
  item: ItemRow;
  quote: SeriesQuote | undefined;
  /** It sold in the seven days up to the close. */
  soldThisWeek: boolean;
};

/**
 * The constituents of members, in their order, with what the close of `asOf` published; null: the last one. Two round trips at
 * once, however many indices they are of.
 */
export async function constituentsOf<Member extends { itemId: string; gradeKey: string }>(
  db: PricedDb,
  members: readonly Member[],
  asOf: number | null,
): Promise<Constituent<Member>[]> {
  const itemIds = [...new Set(members.map(({ itemId }) => itemId))];
  if (itemIds.length === 0) return [];
  const [itemById, series] = await Promise.all([
    itemMap(db, itemIds),
    asOf === null ? seriesOfItems(db, itemIds) : seriesAsOf(db, itemIds, asOf),
  ]);
  const seriesByKey = new Map(series.map((one) => [seriesKey(one.item.itemId, one.gradeKey), one]));
  return members.map((member) => {
    const own = seriesByKey.get(seriesKey(member.itemId, member.gradeKey));
    const item = itemById.get(member.itemId)!;
    const soldThisWeek = countRecent(own?.own?.recent ?? [], own?.day ?? 0, WEEK_DAYS).sales > 0;
    return { member, item, quote: own && quoteOf(own), soldThisWeek };
  });
}

/** How a constituent or mover is named on the wire. */
export function cardNameOf(item: ItemRow, gradeKey: string) {
  return {
    name: item.name,
    setName: item.set_name,
    setCode: item.set_code,
    ...numbersOf(item),
    variation: item.variation,
    language: item.language,
    grade: gradeByKey(gradeKey)!.label,
    href: itemHref(item, gradeKey),
  };
}

/** The same with its id and images. */
export function indexCardOf(item: ItemRow, gradeKey: string) {
  const { id, image_url: imageUrl, image_url_thumb: imageUrlThumb } = item;
  return { id, ...cardNameOf(item, gradeKey), imageUrl, imageUrlThumb };
}
