import type { CatalogEntry, CatalogFormat } from '../record.ts';
import { type GundamProducts, gundamProducts, gundamRecord, statedText } from './gundam.ts';
import { broken, objectsIn, readRecords } from './source-files.ts';
import { cleanText, cleanTexts, imageAddress, type Json, neededTexts } from './text.ts';

/** gcg-api: one record is one printing, with a product_id of its own. */
export const gcgApi: CatalogFormat = {
  name: 'gcg-api',
  game: 'gundam',
  about:
    'gcg-api card files (Gundam; dates from products.json). Data under ODbL 1.0: credit gcg-api and share databases made from it alike',
  read: (paths) =>
    readRecords(paths, {
      companions: ['products.json', 'sets/en/index.json'],
      aside: ['manifest.json'],
      know: ([products, setIndex]) => gundamProducts(objectsIn(products!), objectsIn(setIndex!)),
      isRecord: (value) => typeof value.product_id === 'string' && typeof value.card_number === 'string',
      entriesOf: cardEntry,
    }),
};

function cardEntry(card: Json, where: string, products: GundamProducts): CatalogEntry {
  const texts = neededTexts(card, ['product_id', 'card_number', 'name', 'set_code', 'set_name']);
  if (typeof texts === 'string') return broken(`a card ${texts}`, where);
  const { product_id: productId, card_number: number, name, set_code: setCode, set_name: listName } = texts;
  return gundamRecord(
    {
      source: 'gcg-api',
      productId,
      number,
      name,
      setCode,
      listName,
      whereToGet: cleanText(card.where_to_get) ?? '-',
      rarity: statedText(card.rarity),
      kind: statedText(card.card_type),
      color: statedText(card.color),
      traits: cleanTexts(card.traits),
      image: imageAddress(card.image_url),
    },
    products,
  );
}
