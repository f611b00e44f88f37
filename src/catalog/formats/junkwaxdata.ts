import type { CatalogEntry, CatalogFormat, SourceSet } from '../record.ts';
import { broken, dropped, type FoundFacts, readSource, recordEntry, type SourceFile, someOf } from './source-files.ts';
import { baseSections, plainCards, playersIn, printRun, teamIn, variationOf } from './sports.ts';
import { cleanText, cleanTexts, isObject, type Json, objects, yearOf } from './text.ts';

const SPACE = 'junkwaxdata';
const KINDS: Record<string, string> = { RC: 'RC', AU: 'Autograph', RELIC: 'Relic' };

/** JunkWaxData releases, one JSON file each; the category indexes and the schema in the same folder are skipped. */
export const junkwaxdata: CatalogFormat = {
  name: 'junkwaxdata',
  game: 'sports',
  about: 'JunkWaxData releases (sports): one JSON file for a release, or a folder of them',
  read: (paths) => readSource(paths, { open: () => readFile }),
};

function readFile({ path, value }: SourceFile): Iterable<CatalogEntry> | null {
  if (!isObject(value)) return null;
  const name = cleanText(value.name);
  if (Array.isArray(value.sets) && name !== null) return releaseEntries(value.sets, name, path);
  return isObject(value.category) || isObject(value.definitions) ? [] : null;
}

function* releaseEntries(sections: unknown[], name: string, path: string): Generator<CatalogEntry> {
  const year = yearOf(name) ?? yearOf(path.replace(/^.*[\\/]/, ''));
  const set: SourceSet = { key: name, name, code: null, year };
  const titles = sections.map((section) => (isObject(section) ? (cleanText(section.name) ?? '') : ''));
  const base = baseSections(titles);
  const isPlain = plainCards();
  for (const [s, section] of sections.entries()) {
    if (!isObject(section) || titles[s] === '' || !Array.isArray(section.cards)) {
      yield broken('a set without name or cards', `${path} sets[${s}]`);
      continue;
    }
    for (const [c, card] of section.cards.entries()) {
      const where = `${path} sets[${s}].cards[${c}]`;
      const cardName = isObject(card) ? cleanText(card.name) : null;
      const id = isObject(card) ? cleanText(card.uniqueId) : null;
      if (!isObject(card) || cardName === null || id === null) {
        yield broken('a card without name or uniqueId', where);
        continue;
      }
      const number = cleanText(card.number);
      const title = base.has(s) && isPlain(s, number, cardName) ? null : titles[s]!;
      yield* printings({ set, section, title, card, id, number, name: cardName, where });
    }
  }
}

type JunkWaxCard = {
  set: SourceSet;
  section: Json;
  title: string | null;
  card: Json;
  id: string;
  number: string | null;
  name: string;
  where: string;
};

/** Every printing of one card: plain, its set's and its own parallels, its variations and theirs. */
function* printings({ set, section, title, card, id, number, name, where }: JunkWaxCard): Generator<CatalogEntry> {
  const seen = new Set<string | null>();
  const attributes = [...cleanTexts(section.attributes), ...cleanTexts(card.attributes)];
  const note = cleanText(card.note);
  const entry = (variation: string | null, extra: string[] = []): CatalogEntry => {
    if (seen.has(variation)) return dropped('repeat', `${where} ${variation ?? ''}`.trim());
    seen.add(variation);
    const all = [...attributes, ...extra];
    return recordEntry({
      game: 'sports',
      ids: [[SPACE, variation === null ? id : `${id} ${variation}`]],
      set,
      number,
      name,
      variation,
      rarity: all.find((attribute) => /^SS?P$/.test(attribute)) ?? null,
      facts: factsOf(name, note, all),
    });
  };

  if (note === 'No Base Set Version') yield dropped('no_plain_version', where);
  else yield entry(variationOf([title], printRun(card.numberedTo) ?? printRun(section.numberedTo)));

  for (const parallel of [...objects(section.parallels), ...objects(card.parallels)]) {
    const names = parallelNames(parallel);
    if (names.length === 0) yield broken('a parallel without name', where);
    for (const one of names) yield entry(variationOf([title, one], printRun(parallel.numberedTo)));
  }
  for (const variation of objects(card.variations)) {
    const word = cleanText(variation.variation);
    if (word === null) {
      yield broken('a variation without its word', where);
      continue;
    }
    const extra = cleanTexts(variation.attributes);
    const parts = [title, word, cleanText(variation.note)];
    yield entry(variationOf(parts, printRun(variation.numberedTo)), extra);
    for (const parallel of objects(variation.parallels))
      for (const one of parallelNames(parallel))
        yield entry(variationOf([...parts, one], printRun(parallel.numberedTo)), extra);
  }
}

/** A parallel's name; the four colors of a printing plate, which a note spells out, are four printings. */
function parallelNames(parallel: Json): string[] {
  const name = cleanText(parallel.name);
  if (name === null) return [];
  for (const note of cleanTexts(parallel.notes)) {
    const colors = /^Each has ((?:\w+, )+\w+ and \w+) versions$/.exec(note)?.[1];
    if (colors !== undefined)
      return colors.split(/, | and /).map((color) => `${color} ${name.replace(/Plates$/, 'Plate')}`);
  }
  return [name];
}

function factsOf(name: string, note: string | null, attributes: string[]): FoundFacts {
  // A team checklist is named after the team.
  const players = attributes.includes('TC') ? [] : playersIn(name);
  const kind = Object.keys(KINDS).find((attribute) => attributes.includes(attribute));
  return { characters: someOf(players), team: teamIn(note), cardKind: kind && KINDS[kind] };
}
