import { statedIds } from '../external-ids.ts';
import type { Language } from '../languages.ts';
import type { CatalogEntry, CatalogFormat, SourceSet } from '../record.ts';
import { speciesInName, speciesOfNumbers } from './pokemon-species.ts';
import { broken, dropped, type FoundFacts, readSource, recordEntry, type SourceFile, someOf } from './source-files.ts';
import { languageOfLocale, nameVariants, productsOf, readVariants, type TcgdexVariant } from './tcgdex-variants.ts';
import { cleanText, cleanTexts, isObject, type Json, yearOf } from './text.ts';

/** tcgdex cards-database as JSON: a file a set, `{_region, serie, set, cards}`, and perhaps an index of all sets. */
export const tcgdex: CatalogFormat = {
  name: 'tcgdex',
  game: 'pokemon',
  about: 'tcgdex cards-database: JSON files, one a set, with names in every language and variants',
  read: (paths) => readSource(paths, { open: () => readFile }),
};

function readFile({ path, value }: SourceFile): Iterable<CatalogEntry> | null {
  if (!isObject(value)) return null;
  if (Array.isArray(value.sets)) return readIndex(path, value.sets);
  return isObject(value.set) && Array.isArray(value.cards) ? readSet(path, value, value.set, value.cards) : null;
}

function* readIndex(path: string, sets: unknown[]): Generator<CatalogEntry> {
  for (const [at, set] of sets.entries())
    if (isObject(set) && set.cardFiles === 0) yield dropped('no_cards', `${path} sets[${at}]`);
}

function* readSet(path: string, file: Json, set: Json, cards: unknown[]): Generator<CatalogEntry> {
  const source = setSource(file, set);
  if (source === null) {
    yield broken('a set without id or name', path);
    return;
  }
  const ids = new Set<string>();
  for (const [at, card] of cards.entries()) {
    const where = `${path} cards[${at}]`;
    if (source.digital) yield dropped('digital', where);
    else if (!isObject(card)) yield broken('not an object', where);
    else yield* readCard(card, source, ids, where);
  }
}

type SetSource = {
  set: SourceSet;
  serieId: string | null;
  tcgdexId: string;
  asian: boolean;
  /** One number may be different cards in different languages. */
  promo: boolean;
  digital: boolean;
  releaseDate: unknown;
};

function setSource(file: Json, set: Json): SetSource | null {
  const tcgdexId = cleanText(set.id);
  const names = isObject(set.name) ? set.name : {};
  const name = ['en', 'ja', ...Object.keys(names)].map((code) => cleanText(names[code])).find((text) => text !== null);
  if (tcgdexId === null || name === undefined) return null;
  const path = cleanText(set._path) ?? '';
  const asian = file._region === 'asia' || path.startsWith('data-asia/');
  // Ids repeat (BW3b says BW3a, neo1 is two sets); an Asian set's file is named by its own code.
  const stem = /([^/ ]+)\.ts$/.exec(path)?.[1];
  const code = asian && stem !== undefined && !path.includes(' ') ? stem : tcgdexId;
  const serie = isObject(file.serie) ? file.serie : {};
  const printed = isObject(set.cardCount) ? set.cardCount.official : null;
  return {
    set: { key: asian ? `asia/${code}` : code, name, code, year: firstYear(set.releaseDate) },
    serieId: cleanText(serie.id),
    tcgdexId,
    asian,
    promo: asian && (printed === 0 || /-P$/.test(code)),
    digital: serie.id === 'tcgp' || path.includes('TCG Pocket'),
    releaseDate: set.releaseDate,
  };
}

function* readCard(card: Json, source: SetSource, ids: Set<string>, where: string): Generator<CatalogEntry> {
  const localId = cleanText(card.localId);
  const names = languageNames(card.name);
  if (localId === null || names.length === 0) {
    yield broken(`a card without ${localId === null ? 'localId' : 'name'}`, where);
    return;
  }
  const { variants, problems } = readVariants(card.variants);
  for (const message of problems) yield broken(message, where);
  const english = source.asian ? null : (names.find((one) => one.language === 'English')?.name ?? null);
  for (const [position, printed] of names.entries()) {
    const here = variants.filter(({ languages }) => languages === null || languages.includes(printed.language));
    if (here.length === 0 && variants.length > 0) yield dropped('not_in_language', where);
    // In Asian promo sets the facts of a card are those of the first of its languages only.
    const facts = source.promo && position > 0 ? {} : factsOf(card, english);
    for (const [at, named] of nameVariants(here).entries()) {
      if (named === null) {
        yield dropped('same_printing', where);
        continue;
      }
      const cardId = `${source.set.key}-${localId}:${printed.token}`;
      const id = named.key === '' ? cardId : `${cardId}:${named.key}`;
      if (ids.has(id)) {
        yield broken(`${id} is there twice`, where);
        continue;
      }
      ids.add(id);
      const name = english ?? printed.name;
      yield recordEntry({
        game: 'pokemon',
        ids: [['tcgdex', id]],
        externalIds: externalIdsOf(card, here[at]!, printed.language, source),
        set: source.set,
        number: printedNumber(localId, source),
        name,
        printedName: printed.name === name ? null : printed.name,
        language: printed.language,
        variation: named.variation,
        rarity: card.rarity === 'None' ? null : cleanText(card.rarity),
        year: yearIn(source.releaseDate, printed.language) ?? (source.promo ? null : source.set.year),
        ...imagesOf(source, localId, printed.code, here[at]!),
        facts,
      });
    }
  }
}

/**
 * Its id, which is that of every printing of the card, and its products. TCGplayer's are of one language; those of the other
 * markets are of every western one.
 */
function externalIdsOf(card: Json, variant: TcgdexVariant, language: Language, { tcgdexId, asian }: SetSource) {
  const main = asian ? 'Japanese' : 'English';
  const products = variant.products.length > 0 ? variant.products : productsOf(card.thirdParty);
  const sold = products.filter(([space]) => language === main || (!asian && space !== 'tcgplayer'));
  return [...statedIds({ tcgdex: `${tcgdexId}-${cleanText(card.localId)}` }), ...sold];
}

/** The e-Card sets print their holographic cards' numbers as `H1`, which tcgdex writes `H01`. */
function printedNumber(localId: string, { serieId }: SetSource): string {
  return serieId === 'ecard' ? localId.replace(/^H0(?=\d$)/, 'H') : localId;
}

type LanguageName = { language: Language; name: string; code: string; token: string };

/** A card's names by language; of two locales of one language (`es`, `es-mx`) the one without a country is used. */
function languageNames(names: unknown): LanguageName[] {
  const byLanguage = new Map<Language, LanguageName>();
  for (const [code, value] of Object.entries(isObject(names) ? names : {})) {
    const language = languageOfLocale(code);
    const name = cleanText(value);
    if (language === null || name === null) continue;
    const token = language.startsWith('Chinese') ? code : code.split('-')[0]!;
    if (!byLanguage.has(language) || code === token) byLanguage.set(language, { language, name, code, token });
  }
  return [...byLanguage.values()];
}

function factsOf(card: Json, english: string | null): FoundFacts {
  const byNumber = speciesOfNumbers(card.dexId);
  const characters =
    byNumber.length > 0 || card.category !== 'Pokemon' || english === null ? byNumber : speciesInName(english);
  const kind = cleanText(card.category);
  return {
    artist: cleanText(card.illustrator),
    characters: someOf(characters),
    types: someOf(cleanTexts(card.types)),
    cardKind: kind === 'Pokemon' ? 'Pokémon' : kind,
  };
}

/** tcgdex publishes one picture a card and language, by this rule; it has none of stamped or oversized printings. */
function imagesOf({ serieId, tcgdexId }: SetSource, localId: string, code: string, variant: TcgdexVariant) {
  if (serieId === null || variant.jumbo) return { imageUrl: null, imageUrlThumb: null };
  const path = [code, serieId, tcgdexId, localId].map(encodeURIComponent).join('/');
  const base = `https://assets.tcgdex.net/${path}`;
  return { imageUrl: `${base}/high.webp`, imageUrlThumb: `${base}/low.webp` };
}

function firstYear(releaseDate: unknown): number | null {
  const dates = isObject(releaseDate) ? Object.values(releaseDate) : [releaseDate];
  const years = dates.map(yearOf).filter((year) => year !== null);
  return years.length === 0 ? null : Math.min(...years);
}

function yearIn(releaseDate: unknown, language: Language): number | null {
  if (!isObject(releaseDate)) return yearOf(releaseDate);
  const code = Object.keys(releaseDate).find((key) => languageOfLocale(key) === language);
  return code === undefined ? null : yearOf(releaseDate[code]);
}
