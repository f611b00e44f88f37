import type { CatalogEntry, CatalogFormat } from '../record.ts';
import { type GundamProducts, gundamProducts, gundamRecord, needed, toldText } from './gundam.ts';
import { broken, imageAddress, readCompanion, readRecordFiles } from './record-files.ts';
import { cleanText, isObject, type Json, objects } from './text.ts';

/** tcg-engines' copy of the publisher's Gundam list: one record is one printing. */
export const tcgEnginesGundam: CatalogFormat = {
  name: 'tcg-engines-gundam',
  game: 'gundam',
  about: 'tcg-engines Gundam lists (promotion, other-product, beta and basic cards)',
  async *read(paths) {
    const problems: CatalogEntry[] = [];
    const manifest = await readCompanion(paths, 'manifest.json', problems);
    const setNames = objects(isObject(manifest) ? manifest.sets : null).map(({ id, name }) => ({
      set_code: cleanText(id)?.toUpperCase(),
      set_name: cleanText(name)?.replace(/\s*\[[^\]]*\]$/, ''),
    }));
    const products = gundamProducts(await readCompanion(paths, 'products.json', problems), setNames);
    yield* problems;
    const told = new Set<string>();
    yield* readRecordFiles(paths, {
      isRecord: (value) => typeof value.getIt === 'string' && isObject(value.set),
      entriesOf: (card, where) => cardEntry(card, where, products, told),
    });
  },
};

function* cardEntry(card: Json, where: string, products: GundamProducts, told: Set<string>): Generator<CatalogEntry> {
  const read = needed(card, ['id', 'code', 'name']);
  const list = needed(card.set, ['id', 'name']);
  if (!read.ok || !list.ok) {
    yield broken('a card without id, code, name or set', where);
    return;
  }
  if (told.has(read.fields.id)) {
    yield { kind: 'dropped', reason: 'repeat', where };
    return;
  }
  told.add(read.fields.id);
  yield gundamRecord(
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
