import type { SourceSet } from '../record.ts';
import { objectsIn, type SourceFile } from './source-files.ts';
import { cleanText, isObject, type Json, yearOf } from './text.ts';

/** Names and codes by set number, and years: the input of `lorcanaSets`. */
export const LORCANA_COMPANIONS = ['ravensburger-sets.json', 'lorcast-sets.json'];

/** The number printed on the cards of each main set, by the set's key in lorcana-data. */
const MAIN_SETS: readonly (readonly [key: string, name: string])[] = [
  ['tfc', 'The First Chapter'],
  ['rotf', 'Rise of the Floodborn'],
  ['iti', 'Into the Inklands'],
  ['urr', "Ursula's Return"],
  ['ssk', 'Shimmering Skies'],
  ['azu', 'Azurite Sea'],
  ['arc', "Archazia's Island"],
  ['roj', 'Reign of Jafar'],
  ['fab', 'Fabled'],
  ['whi', 'Whispers in the Well'],
  ['win', 'Winterspell'],
  ['wun', 'Wilds Unknown'],
  ['atv', 'Attack of the Vine!'],
];
const PROMO_NAMES: [pattern: RegExp, name: string][] = [
  [/^p(\d)$/, 'Promo Set $1'],
  [/^c(\d)$/, 'Challenge Promos $1'],
  [/^d23$/, 'D23 Collection'],
  [/^worlds$/, 'World Championship'],
];

export type LorcanaSets = (key: string) => SourceSet;

/** The set of a lorcana-data key, described by the companion files and else by the table above. */
export function lorcanaSets([published, dated]: SourceFile[][]): LorcanaSets {
  const codes: Json = Object.assign({}, ...published!.map(({ value }) => (isObject(value) ? value : {})));
  const years = new Map(objectsIn(dated!).map((set) => [cleanText(set.code), yearOf(set.released_at)]));
  return (key) => {
    const number = mainSetNumber(key);
    const entry = number === null ? undefined : codes[`set${number}`];
    const set: Json = isObject(entry) ? entry : {};
    return {
      key,
      name: cleanText(set.name) ?? (number === null ? promoName(key) : MAIN_SETS[number - 1]![1]),
      code: cleanText(set.code) ?? key.toUpperCase(),
      year: number === null ? null : (years.get(String(number)) ?? null),
    };
  };
}

/** 1 for `tfc`; null for a promo set. */
export function mainSetNumber(key: string): number | null {
  const index = MAIN_SETS.findIndex(([known]) => known === key);
  return index === -1 ? null : index + 1;
}

function promoName(key: string): string {
  for (const [pattern, name] of PROMO_NAMES) if (pattern.test(key)) return key.replace(pattern, name);
  return key.toUpperCase();
}

/** The identifier printed at a card's foot, `24A/P2 EN 7`: number, text under the stroke, language, set. */
type PrintedIdentifier = { number: string; under: string; language: string; set: string };

/** Parts of a printed identifier, numbers without leading zeros; null when it has another form. */
export function printedIdentifier(value: unknown): PrintedIdentifier | null {
  const match = /^0*(\d+[A-Za-z]?)\/([A-Z\d]+) ([A-Z]{2}) ([A-Z\d]+)$/.exec(cleanText(value) ?? '');
  return match ? { number: match[1]!, under: match[2]!, language: match[3]!, set: match[4]! } : null;
}

/** Key of the set an identifier belongs to: `P1`, `D23` under the stroke are promo sets; else the set's number decides. */
export function setKeyOf({ under, set }: PrintedIdentifier): string | null {
  if (!/^\d+$/.test(under)) return under.toLowerCase();
  return /^\d+$/.test(set) ? (MAIN_SETS[Number(set) - 1]?.[0] ?? null) : set.toLowerCase();
}

/** The id space in which every Lorcana source meets: the printed identifier, without the total that varies. */
export function sharedLorcanaId({ number, under, language, set }: PrintedIdentifier): [space: string, id: string] {
  return ['lorcana-printed', `${number}/${/^\d+$/.test(under) ? '' : under} ${language} ${set}`];
}

/** `Elsa - Snow Queen`, the collectors' form; a card without a title is its name alone. */
export function lorcanaName(name: unknown, title: unknown): string | null {
  const first = cleanText(name);
  const second = cleanText(title);
  return first === null || second === null ? first : `${first} - ${second}`;
}

/** `super_rare` and `Super_rare` are `Super Rare`. */
export function lorcanaRarity(value: unknown): string | null {
  return (
    cleanText(value)
      ?.toLowerCase()
      .replace(/_/g, ' ')
      .replace(/\b\w/g, (letter) => letter.toUpperCase()) ?? null
  );
}

/**
 * The plain printing of a card in a set is that of its ordinary rarity; the chase rarities, though they have numbers
 * of their own, are what collectors call a printing by. Foil is not a printing of its own in any source.
 */
export function lorcanaVariation(rarity: string | null): string | null {
  return rarity !== null && ['Enchanted', 'Epic', 'Iconic'].includes(rarity) ? rarity : null;
}
