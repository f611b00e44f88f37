import type { CatalogEntry, CatalogFormat, SourceSet } from '../record.ts';
import { mtgRarity, plainPrinting } from './mtg.ts';
import { broken, dropped, readSource, type SourceFile } from './source-files.ts';
import { isObject, neededTexts, yearOf } from './text.ts';

/** Set types of the game engine that were never printed. */
const NOT_PRINTED: Record<string, string> = { MAGIC_ONLINE: 'digital', MAGIC_ARENA: 'digital', CUSTOM_SET: 'custom' };

/** XMage's sets: every number of a set, in English, without finishes: each is the plain printing of its number. */
export const xmage: CatalogFormat = {
  name: 'xmage',
  game: 'mtg',
  about: 'XMage sets as JSON, one file a set: {name, code, releaseDate, setType, cards[{name, number, rarity}]}',
  read: (paths) => readSource(paths, { open: () => readFile }),
};

function readFile({ path, value }: SourceFile): Iterable<CatalogEntry> | null {
  const head = neededTexts(value, ['code', 'name']);
  if (!isObject(value) || typeof head === 'string' || !Array.isArray(value.cards)) return null;
  const set = { key: head.code, name: head.name, code: head.code, year: yearOf(value.releaseDate) };
  return readSet(set, value.cards, NOT_PRINTED[String(value.setType)], path);
}

function* readSet(
  set: SourceSet,
  cards: unknown[],
  notPrinted: string | undefined,
  path: string,
): Generator<CatalogEntry> {
  const seen = new Set<string>();
  for (const [index, card] of cards.entries()) {
    const where = `${path} cards[${index}]`;
    const texts = neededTexts(card, ['name', 'number']);
    if (!isObject(card) || typeof texts === 'string') {
      yield broken(`a card ${String(texts)}`, where);
      continue;
    }
    const { name, number } = texts;
    const id = `${set.key}/${number}/${name}`;
    if (notPrinted || seen.has(id)) yield dropped(notPrinted ?? 'same_printing', where);
    else yield plainPrinting([['xmage', id]], { set, number, name }, { rarity: mtgRarity(card.rarity) });
    seen.add(id);
  }
}
