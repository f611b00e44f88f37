import type { CatalogEntry, CatalogFormat } from '../record.ts';
import { type GundamProducts, gundamProducts, gundamRecord, statedText } from './gundam.ts';
import { broken, objectsIn, readRecords } from './source-files.ts';
import { cleanText, imageAddress, isObject, type Json, neededTexts, objects } from './text.ts';

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
  const texts = neededTexts(card, ['id', 'code', 'name']);
  const list = neededTexts(card.set, ['id', 'name']);
  if (typeof texts === 'string') return broken(`a card ${texts}`, where);
  if (typeof list === 'string') return broken(`a card of a set ${list}`, where);
  return gundamRecord(
    {
      source: 'tcg-engines-gundam',
      productId: texts.id,
      number: texts.code,
      name: texts.name,
      setCode: list.id.toUpperCase(),
      listName: list.name.replace(/\s*\[[^\]]*\]$/, ''),
      whereToGet: cleanText(card.getIt) ?? '-',
      rarity: statedText(card.rarity),
      kind: statedText(card.cardType),
      color: statedText(card.color),
      traits: [...(cleanText(card.trait) ?? '').matchAll(/\(([^)]+)\)/g)].map((match) => match[1]!),
      image: isObject(card.images) ? imageAddress(card.images.large) : null,
    },
    products,
  );
}
