import type { Language } from '../languages.ts';
import type { CatalogEntry, CatalogRecord } from '../record.ts';
import { foldWords } from '../words/fold.ts';
import { type FoundFacts, type FoundRecord, recordEntry, someOf } from './source-files.ts';
import { cleanText, upperFirst, wordOf } from './text.ts';

/** Shared by the three Magic sources: words for finishes and rarities, picture addresses, and the key they meet by. */

const FINISH_WORDS: Record<string, string> = { nonfoil: 'Nonfoil', foil: 'Foil', etched: 'Etched Foil' };
const FINISH_ORDER = Object.keys(FINISH_WORDS);

/** The finishes of a card with their variation; the first, non-foil where there is one, is the plain card (null). */
export function finishesOf(finishes: readonly string[]): { finish: string; variation: string | null }[] {
  const rank = (finish: string) => (FINISH_ORDER.indexOf(finish) + FINISH_ORDER.length + 1) % (FINISH_ORDER.length + 1);
  const sorted = [...new Set(finishes.length > 0 ? finishes : ['nonfoil'])].sort((a, b) => rank(a) - rank(b));
  return sorted.map((finish, index) => ({
    finish,
    variation: index === 0 ? null : (wordOf(FINISH_WORDS, finish) ?? upperFirst(finish)),
  }));
}

/** `mythic`, `MYTHIC` → `Mythic Rare`; others capitalised. */
export function mtgRarity(rarity: unknown): string | null {
  const word = cleanText(rarity)?.toLowerCase();
  if (!word) return null;
  return word === 'mythic' ? 'Mythic Rare' : word === 'land' ? 'Basic Land' : upperFirst(word);
}

/**
 * The key by which the sources meet: all three number cards as Scryfall does, so set code, number and front face name
 * one card. Names are folded because they differ in accents and in whether they name the back face.
 */
export function sharedKey(
  setCode: string,
  number: string,
  name: string,
  language: Language,
  variation: string | null,
): [string, string] {
  const front = name.split(' // ')[0]!;
  return [
    'mtg-number',
    [setCode.toLowerCase(), number, foldWords(front).join('') || front, language, variation ?? 'plain'].join('/'),
  ];
}

/** The id that Scryfall's printing has in every reader: its ids are those of one language, but of all finishes. */
export function scryfallKey(scryfallId: string, finish: string, language: Language): [string, string] {
  return ['scryfall', `${scryfallId}/${finish}/${language}`];
}

/** Scryfall's published rule for the front picture of a printing. */
export function scryfallImages(scryfallId: string): Pick<CatalogRecord, 'imageUrl' | 'imageUrlThumb'> {
  const at = (size: string) =>
    `https://cards.scryfall.io/${size}/front/${scryfallId[0]}/${scryfallId[1]}/${scryfallId}.jpg`;
  return { imageUrl: at('normal'), imageUrlThumb: at('small') };
}

const COLOR_WORDS: Record<string, string> = { W: 'White', U: 'Blue', B: 'Black', R: 'Red', G: 'Green' };
const SUPERTYPES = new Set(['Basic', 'Legendary', 'Snow', 'World', 'Ongoing', 'Host', 'Elite']);

/** Facts of a card: the type line is that of the front face; colors are the color identity, none is `Colorless`. */
export function mtgFacts(name: string, typeLine: unknown, colorIdentity: unknown, artist: unknown): FoundFacts {
  const [kinds = '', subtypes = ''] = (cleanText(typeLine) ?? '').split(' // ')[0]!.split(' — ');
  const types = kinds.split(' ').filter((word) => word !== '' && !SUPERTYPES.has(word));
  const colors = Array.isArray(colorIdentity)
    ? (someOf(colorIdentity.flatMap((letter: unknown) => wordOf(COLOR_WORDS, String(letter)) ?? [])) ?? ['Colorless'])
    : null;
  const character = types.includes('Planeswalker')
    ? subtypes
    : kinds.startsWith('Legendary') && types.includes('Creature')
      ? name.split(' // ')[0]!.split(', ')[0]
      : null;
  return {
    artist: cleanText(artist),
    types: someOf(types),
    cardKind: types.join(' ') || null,
    colors,
    characters: character ? [character] : null,
  };
}

/** True for cards that were never printed: named digital, or listed for online games only (`list`: where to play). */
export function isDigital(digital: unknown, list: unknown): boolean {
  return digital === true || (Array.isArray(list) && list.length > 0 && !list.includes('paper'));
}

/** The plain English printing of a card, for sources that do not list finishes. */
export function plainPrinting(
  ids: CatalogRecord['ids'],
  { set, number, name }: Pick<CatalogRecord, 'set' | 'name'> & { number: string },
  rest: Partial<FoundRecord>,
): CatalogEntry {
  return recordEntry({
    game: 'mtg',
    ids: [...ids, sharedKey(set.key, number, name, 'English', null)],
    set,
    number,
    name,
    ...rest,
  });
}
