import type { CatalogEntry, CatalogFormat, SourceSet } from '../record.ts';
import { speciesInName, speciesOfNumbers } from './pokemon-species.ts';
import { broken, type FoundFacts, readSource, recordEntry, type SourceFile, someOf } from './source-files.ts';
import { cleanText, cleanTexts, imageAddress, isObject, type Json, objects, yearOf } from './text.ts';

/** pokemon-tcg-data: English cards, a file a set, with the list of sets in the same folder or in `sets/en.json`. */
export const pokemontcg: CatalogFormat = {
  name: 'pokemontcg',
  game: 'pokemon',
  about: 'pokemon-tcg-data: cards-en-*.json (or cards/en/*.json) with sets-en.json (or sets/en.json)',
  read: (paths) =>
    readSource(paths, {
      companions: ['sets-en.json', 'sets/en.json'],
      open: (lists, problems) => {
        const sets = readSets(lists.flat(), problems);
        return (file) =>
          objects(file.value).some((card) => 'id' in card && 'number' in card) ? readFile(file, sets) : null;
      },
    }),
};

/** The sets that the lists name, by id. One that cannot be used is reported: its cards keep the set's id for a name. */
function readSets(lists: readonly SourceFile[], problems: CatalogEntry[]): Map<string, SourceSet> {
  const sets = new Map<string, SourceSet>();
  for (const { path, value } of lists) {
    for (const [at, set] of (Array.isArray(value) ? value : []).entries()) {
      const [id, name] = isObject(set) ? [cleanText(set.id), cleanText(set.name)] : [null, null];
      if (!isObject(set) || id === null || name === null)
        problems.push(broken('a set without id or name', `${path}[${at}]`));
      else sets.set(id, { key: id, name, code: id, year: yearOf(set.releaseDate) });
    }
  }
  return sets;
}

function* readFile({ path, value }: SourceFile, sets: Map<string, SourceSet>): Generator<CatalogEntry> {
  const ids = new Set<string>();
  const variations = new Map<string, number>();
  for (const [at, card] of (value as unknown[]).entries()) {
    const where = `${path}[${at}]`;
    const id = isObject(card) ? cleanText(card.id) : null;
    const name = isObject(card) ? cleanText(card.name) : null;
    const number = isObject(card) ? cleanText(card.number) : null;
    if (!isObject(card) || id === null || name === null || number === null) {
      yield broken('a card without id, name or number', where);
      continue;
    }
    if (ids.has(id)) {
      yield broken(`${id} is there twice`, where);
      continue;
    }
    ids.add(id);
    // The source names no finishes; two cards that agree in number and name are distinguished by their order.
    const times = (variations.get(`${number} ${name}`) ?? 0) + 1;
    variations.set(`${number} ${name}`, times);
    const set = setOf(id, sets);
    const images = isObject(card.images) ? card.images : {};
    yield recordEntry({
      game: 'pokemon',
      ids: [['pokemontcg', id]],
      set,
      number,
      name,
      variation: times === 1 ? null : `Version ${times}`,
      rarity: rarityOf(card.rarity),
      year: set.year ?? yearOf(card['Release Date']),
      imageUrl: imageAddress(images.large) ?? imageAddress(images.small),
      imageUrlThumb: imageAddress(images.small),
      facts: factsOf(card, name),
    });
  }
}

/**
 * The 28 Unown of Unseen Forces, numbered by letter, were a collection of their own, as other sources have it: `exu`. A
 * set that no list names keeps its id for a name.
 */
function setOf(cardId: string, sets: Map<string, SourceSet>): SourceSet {
  const id = setIdOf(cardId, sets);
  const set = sets.get(id) ?? { key: id, name: id, code: id, year: null };
  return /^ex10-\D/.test(cardId) ? { ...set, key: 'exu', name: 'Unseen Forces Unown Collection', code: 'exu' } : set;
}

function setIdOf(cardId: string, sets: Map<string, SourceSet>): string {
  for (let end = cardId.indexOf('-'); end !== -1; end = cardId.indexOf('-', end + 1))
    if (sets.has(cardId.slice(0, end))) return cardId.slice(0, end);
  return cardId.split('-')[0]!;
}

/** The set me2pt5 was typed in by hand with its rarities in one word (`DoubleRare`). */
function rarityOf(value: unknown): string | null {
  return cleanText(value)?.replace(/(?<=[a-z])(?=[A-Z][a-z])/g, ' ') ?? null;
}

const TRAINER_SUBTYPES = ['Supporter', 'Item', 'Stadium', 'Tool', 'Pokémon Tool', 'Technical Machine'];

function factsOf(card: Json, name: string): FoundFacts {
  const types = cleanTexts(card.types);
  // Typed-in sets call every card a Pokémon, but only their Pokémon have types.
  const trainer = types.length === 0 && cleanTexts(card.subtypes).some((word) => TRAINER_SUBTYPES.includes(word));
  const kind = trainer ? 'Trainer' : cleanText(card.supertype);
  const byNumber = speciesOfNumbers(card.nationalPokedexNumbers);
  const characters = byNumber.length > 0 || kind !== 'Pokémon' ? byNumber : speciesInName(name);
  return { artist: cleanText(card.artist), characters: someOf(characters), types: someOf(types), cardKind: kind };
}
