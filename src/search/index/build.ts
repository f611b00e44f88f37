import type { Game } from '../../catalog/games.ts';
import type { Language } from '../../catalog/languages.ts';
import { foldWords } from '../../catalog/words/fold.ts';
import { UUID_BYTES, uuidAt } from '../../lib/uuid.ts';
import { newSynonymTable } from '../query/synonym-table.ts';
import type { SynonymRule } from '../query/synonyms.ts';
import { reachOfTags } from '../tag-choices.ts';
import { newColumn } from './column.ts';
import { codeWords, numberKeys, scriptRuns } from './index-words.ts';
import { listsOf } from './lists.ts';
import type { Numbers, SearchIndex, TagIndex } from './search-index.ts';
import { gameBit, vocabularyOf, type WordUse } from './vocabulary.ts';

/** What search has to know of an item. */
export type SearchItem = {
  id: string;
  set: SearchSet;
  number: string | null;
  name: string;
  printedName: string | null;
  /** English names of who is on it: the only ones that say so where the name is in another script. */
  characters: readonly string[];
  language: Language;
  variation: string | null;
  rarity: string | null;
  year: number | null;
  /** Artist, team. */
  extras: readonly string[];
  isImaged: boolean;
  tagIds: readonly number[];
};

export type SearchSet = { id: number; game: Game; name: string; code: string | null; year: number | null };
export type SearchTag = {
  id: number;
  kind: string;
  slug: string;
  name: string;
  game: Game | null;
  aliases: readonly string[];
};

type IndexBuilder = {
  add(item: SearchItem): void;
  finish(): SearchIndex;
};

/** Builds an index from items passed one by one, the most wanted first. */
export function newIndexBuilder(tags: readonly SearchTag[], rules: readonly SynonymRule[]): IndexBuilder {
  const names = newColumn();
  const printed = newColumn();
  const sets = newColumn();
  const variations = newColumn();
  const rarities = newColumn();
  const extras = newColumn();
  const columns = [names, printed, sets, variations, rarities, extras];
  const numbers = new Map([['', 0]]);
  const numberOf: number[] = [];
  const languages = new Map<Language, number>();
  const languageOf: number[] = [];
  const yearOf: number[] = [];
  const gameOfSet: Game[] = ['pokemon'];
  const cards = new Map<string, number>();
  const cardOf: number[] = [];
  const isImaged: number[] = [];
  const ids: string[] = [];
  const tagPlace = new Map(tags.map((tag, place) => [tag.id, place]));
  const links = { tags: [] as number[], items: [] as number[] };

  function add(item: SearchItem): void {
    const place = cardOf.length;
    const { set } = item;
    const game = gameBit(set.game);
    const called = [item.name, ...item.characters];
    const name = names.push(game, called.join('\0'), called);
    printed.push(game, item.printedName ?? '', [item.printedName ?? '']);
    const inSet = sets.push(game, String(set.id), [set.name], set.code === null ? [] : codeWords(set.code));
    gameOfSet[inSet] = set.game;
    variations.push(game, item.variation ?? '', [item.variation ?? '']);
    rarities.push(game, item.rarity ?? '', [item.rarity ?? '']);
    extras.push(game, item.extras.join('\0'), item.extras);
    const number = numbered(numbers, item.number ?? '');
    numberOf.push(number);
    languageOf.push(numbered(languages, item.language));
    yearOf.push(item.year ?? set.year ?? 0);
    const card = `${inSet} ${number} ${name}`;
    if (!cards.has(card)) cards.set(card, place);
    cardOf.push(cards.get(card)!);
    isImaged.push(item.isImaged ? 1 : 0);
    ids.push(item.id);
    for (const id of item.tagIds) {
      const tag = tagPlace.get(id);
      // A tag of one game says nothing about another's items.
      if (tag === undefined || (tags[tag]!.game ?? set.game) !== set.game) continue;
      links.tags.push(tag);
      links.items.push(place);
    }
  }

  function finish(): SearchIndex {
    const uses = new Map<string, WordUse>();
    for (const column of columns) column.countWords(uses);
    const vocabulary = vocabularyOf(uses);
    const shown = {
      sets: sets.finish(vocabulary),
      gameOfSet,
      isImaged: new Uint8Array(isImaged),
      tags: { items: listsOf(tags.length, links.tags, links.items) },
    };
    return {
      ...shown,
      size: cardOf.length,
      vocabulary,
      names: names.finish(vocabulary),
      printed: printed.finish(vocabulary),
      variations: variations.finish(vocabulary),
      rarities: rarities.finish(vocabulary),
      extras: extras.finish(vocabulary),
      numbers: {
        of: new Int32Array(numberOf),
        items: listsOf(numbers.size, numberOf),
        byKey: numbersByKey(numbers),
      },
      languages: [...languages.keys()],
      languageOf: new Uint8Array(languageOf),
      yearOf: new Uint16Array(yearOf),
      cardOf: new Int32Array(cardOf),
      tags: {
        ...shown.tags,
        ...tagPlaces(tags),
        all: tags,
        byKind: reachOfTags(tags, shown),
      },
      synonyms: newSynonymTable(rules, tags),
      idOf: uuidsOf(Buffer.from(ids.join('').replaceAll('-', ''), 'hex')),
    };
  }

  return { add, finish };
}

function numbered<Key>(places: Map<Key, number>, key: Key): number {
  const known = places.get(key);
  if (known !== undefined) return known;
  places.set(key, places.size);
  return places.size - 1;
}

function numbersByKey(numbers: ReadonlyMap<string, number>): Numbers['byKey'] {
  const byKey = new Map<string, { number: number; confidence: number }[]>();
  for (const [printed, number] of numbers) {
    for (const [key, confidence] of numberKeys(printed)) {
      const list = byKey.get(key);
      if (list === undefined) byKey.set(key, [{ number, confidence }]);
      else list.push({ number, confidence });
    }
  }
  return byKey;
}

/** Equal kind and slug in several games are one tag to the caller, and so are all names of a character. */
function tagPlaces(tags: readonly SearchTag[]): Pick<TagIndex, 'places' | 'roster'> {
  const places = new Map<string, number[]>();
  const roster = new Map<string, number[]>();
  const note = (map: Map<string, number[]>, key: string, place: number): void => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [place]);
    else if (!list.includes(place)) list.push(place);
  };
  for (const [place, tag] of tags.entries()) {
    note(places, `${tag.kind}:${tag.slug}`, place);
    if (tag.kind !== 'character') continue;
    for (const name of [tag.slug, tag.name, ...tag.aliases]) note(roster, rosterKey(name), place);
  }
  roster.delete('');
  return { places, roster };
}

/** The form in which names of characters are looked up: folded; of another script, NFKC in lower case. */
export function rosterKey(name: string): string {
  return scriptRuns(name).length > 0 ? name.normalize('NFKC').trim().toLowerCase() : foldWords(name).join('-');
}

/** Reads uuids by their place. Made here: a function that is made where the index is built keeps all that it was built from. */
function uuidsOf(bytes: Buffer): (place: number) => string {
  return (place) => uuidAt(bytes, UUID_BYTES * place);
}
