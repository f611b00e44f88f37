import type { CatalogEntry, CatalogFormat, SourceSet } from '../record.ts';
import { listFiles, readJson, UnreadableFile } from './files.ts';
import { mtgRarity, required, sharedKey } from './mtg.ts';
import { isObject, type Json, yearOf } from './text.ts';

/** Set types of the game engine that were never printed. */
const NOT_PRINTED: Record<string, string> = { MAGIC_ONLINE: 'digital', MAGIC_ARENA: 'digital', CUSTOM_SET: 'custom' };

/** XMage's sets: every number of a set, in English, without finishes: each is the plain printing of its number. */
export const xmage: CatalogFormat = {
  name: 'xmage',
  game: 'mtg',
  about: 'XMage sets as JSON, one file a set: {name, code, releaseDate, setType, cards[{name, number, rarity}]}',
  async *read(paths) {
    let sets = 0;
    for (const file of await listFiles(paths, ['.json'])) {
      try {
        const source = await readJson(file);
        const head = isObject(source) ? required(source, ['code', 'name']) : 'not an object';
        if (!isObject(source) || typeof head === 'string' || !Array.isArray(source.cards))
          throw new UnreadableFile(`not an XMage set (${typeof head === 'string' ? head : 'no cards'})`);
        sets++;
        const set = { key: head.code, name: head.name, code: head.code, year: yearOf(source.releaseDate) };
        yield* readSet(set, source, file);
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        yield { kind: 'broken', message: error.message, where: file };
      }
    }
    if (sets === 0) throw new UnreadableFile(`${paths.join(', ')}: no XMage set in it`);
  },
};

function* readSet(set: SourceSet, source: Json, file: string): Generator<CatalogEntry> {
  const notPrinted = NOT_PRINTED[String(source.setType)];
  const seen = new Set<string>();
  for (const [index, card] of (source.cards as unknown[]).entries()) {
    const where = `${file}: card ${index + 1}`;
    const texts = isObject(card) ? required(card, ['name', 'number']) : 'not an object';
    if (!isObject(card) || typeof texts === 'string') {
      yield { kind: 'broken', message: `a card: ${String(texts)}`, where };
      continue;
    }
    const { name, number } = texts;
    const id = `${set.key}/${number}/${name}`;
    if (notPrinted || seen.has(id)) {
      yield { kind: 'dropped', reason: notPrinted ?? 'same_printing', where };
      continue;
    }
    seen.add(id);
    yield {
      kind: 'record',
      record: {
        game: 'mtg',
        ids: [['xmage', id], sharedKey(set.key, number, name, 'English', null)],
        set,
        number,
        name,
        printedName: null,
        language: 'English',
        variation: null,
        rarity: mtgRarity(card.rarity),
        year: set.year,
        imageUrl: null,
        imageUrlThumb: null,
        facts: {},
      },
    };
  }
}
