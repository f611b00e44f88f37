import type { CatalogEntry, CatalogFormat } from '../record.ts';
import { type GundamProducts, gundamProducts, gundamRecord, needed, toldText } from './gundam.ts';
import { broken, objectsIn, readRecords } from './source-files.ts';
import { cleanText, imageAddress, isObject, type Json, objects } from './text.ts';

/** tcg-engines' copy of the publisher's Gundam list: one record is one printing. */
export const tcgEnginesGundam: CatalogFormat = {
  name: 'tcg-engines-gundam',
  game: 'gundam',
  about: 'tcg-engines Gundam lists (promotion, other-product, beta and basic cards)',
  read: (paths) =>
    readRecords(paths, {
      companions: ['products.json', 'manifest.json'],
      know: ([products, manifests]) => {
        const sets = manifests!.flatMap(({ value }) => objects(isObject(value) ? value.sets : null));
        const setNames = sets.map(({ id, name }) => ({
          set_code: cleanText(id)?.toUpperCase(),
          set_name: cleanText(name)?.replace(/\s*\[[^\]]*\]$/, ''),
        }));
        return gundamProducts(objectsIn(products!), setNames);
      },
      isRecord: (value) => typeof value.getIt === 'string' && isObject(value.set),
      entriesOf: cardEntry,
    }),
};

function cardEntry(card: Json, where: string, products: GundamProducts): CatalogEntry {
  const read = needed(card, ['id', 'code', 'name']);
  const list = needed(card.set, ['id', 'name']);
  if (!read.ok || !list.ok) return broken('a card without id, code, name or set', where);
  return gundamRecord(
    {
      source: 'tcg-engines-gundam',
      productId: read.fields.id,
      number: read.fields.code,
      name: read.fields.name,
      setCode: list.fields.id.toUpperCase(),
      listName: list.fields.name.replace(/\s*\[[^\]]*\]$/, ''),
      whereToGet: cleanText(card.getIt) ?? '-',
      rarity: toldText(card.rarity),
      kind: toldText(card.cardType),
      color: toldText(card.color),
      traits: [...(cleanText(card.trait) ?? '').matchAll(/\(([^)]+)\)/g)].map((match) => match[1]!),
      image: isObject(card.images) ? imageAddress(card.images.large) : null,
    },
    products,
  );
}
