import type { CatalogEntry, CatalogFormat } from '../record.ts';
import { type GundamProducts, gundamProducts, gundamRecord, needed, toldText } from './gundam.ts';
import { broken, imageAddress, readCompanion, readRecordFiles } from './record-files.ts';
import { cleanText, cleanTexts, type Json } from './text.ts';

/** gcg-api: one record is one printing, with a product_id of its own. */
export const gcgApi: CatalogFormat = {
  name: 'gcg-api',
  game: 'gundam',
  about:
    'gcg-api card files (Gundam; dates from products.json). Data under ODbL 1.0: credit gcg-api and share databases made from it alike',
  async *read(paths) {
    const problems: CatalogEntry[] = [];
    const products = gundamProducts(
      await readCompanion(paths, 'products.json', problems),
      await readCompanion(paths, 'sets/en/index.json', problems),
    );
    yield* problems;
    const told = new Set<string>();
    yield* readRecordFiles(paths, {
      isRecord: (value) => typeof value.product_id === 'string' && typeof value.card_number === 'string',
      entriesOf: (card, where) => cardEntry(card, where, products, told),
    });
  },
};

function* cardEntry(card: Json, where: string, products: GundamProducts, told: Set<string>): Generator<CatalogEntry> {
  const read = needed(card, ['product_id', 'card_number', 'name', 'set_code', 'set_name']);
  if (!read.ok) {
    yield broken(`a card without ${read.missing}`, where);
    return;
  }
  const { product_id: productId, card_number: number, name, set_code: setCode, set_name: listName } = read.fields;
  if (told.has(productId)) {
    yield { kind: 'dropped', reason: 'repeat', where };
    return;
  }
  told.add(productId);
  yield gundamRecord(
    {
      source: 'gcg-api',
      productId,
      number,
      name,
      setCode,
      listName,
      whereToGet: cleanText(card.where_to_get) ?? '-',
      rarity: toldText(card.rarity),
      kind: toldText(card.card_type),
      color: toldText(card.color),
      traits: cleanTexts(card.traits),
      image: imageAddress(card.image_url),
    },
    products,
  );
}
