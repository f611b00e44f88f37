import { foldWords } from './fold.ts';

/** Words in the form in which the texts of the catalog, titles, labels and queries are compared. */

/** Spellings of one thing. Both sides, title and catalog, are folded through it. */
const CANONICAL: Record<string, string> = {
  first: '1st',
  ed: 'edition',
  edt: 'edition',
  foil: 'holo',
  holofoil: 'holo',
  holographic: 'holo',
  nonfoil: 'nonholo',
  rev: 'reverse',
  autograph: 'auto',
  autographed: 'auto',
  alternate: 'alt',
  alternative: 'alt',
  artwork: 'art',
  univ: 'university',
  coll: 'collection',
};

/** One folded word in the form that is compared: plural and possessive s dropped, spellings unified. */
export function canonicalWord(word: string): string {
  const singular = word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
  return CANONICAL[singular] ?? singular;
}

/** The comparable words of a catalog text: apostrophes join (`Rocket's` is `rocket`), everything else separates. */
export function textWords(text: string): string[] {
  return foldWords(joinMarks(text)).map(canonicalWord);
}

/** Names of Pokémon eras, which open set names and titles alike, by the abbreviation that both use too. */
const ERAS: [RegExp, string][] = [
  [/\bscarlet ?(?:&|and)? ?violet\b|\bs ?& ?v\b/gi, 'SV'],
  [/\bsword ?(?:&|and)? ?shield\b/gi, 'SWSH'],
  [/\bsun ?(?:&|and)? ?moon\b/gi, 'SM'],
  [/\bblack ?(?:&|and) ?white\b/gi, 'BW'],
  [/\bdiamond ?(?:&|and)? ?pearl\b/gi, 'DP'],
  [/\bheartgold ?(?:&|and)? ?soulsilver\b/gi, 'HGSS'],
];
export const ERA_WORDS = new Set(['sv', 'swsh', 'sm', 'xy', 'bw', 'dp', 'hgss']);

/** Joins what belongs to one word: possessives, `X-Fractor`, `Non-Holo`, `Pre-Release`; `Bowman U` is spelled out. */
export function joinMarks(text: string): string {
  return ERAS.reduce((joined, [words, era]) => joined.replace(words, era), text)
    .replace(/['’‘`´]/g, '')
    .replace(/\bx[- ]fractor/gi, 'xfractor')
    .replace(/\bnon[- ](holo|foil)/gi, 'non$1')
    .replace(/\bnonholo(graphic|foil)?\b/gi, 'nonfoil')
    .replace(/\bpre[- ]release/gi, 'prerelease')
    .replace(/\bold[- ](?=border|frame)/gi, 'retro ')
    .replace(/\bbowman( chrome)? u\b/gi, 'bowman$1 university');
}

/**
 * The form in which numbers are compared: lower-case letters and digits, leading zeros of each run of digits dropped
 * (`OP05-119` is `op5119`, `004` is `4`, `SWSH066` is `swsh66`), signs as words (`2†` is `2dagger`).
 */
export function numberKey(number: string): string {
  return numberWords(number).join('');
}

/** The form in which printed numbers are looked up, parted by dashes: `OP01-003` is `op1-3` and no set's code. */
export function numberText(number: string): string {
  return numberWords(number).join('-');
}

function numberWords(number: string): string[] {
  return foldWords(number.replaceAll('*', '★')).map((word) => word.replace(/(?<!\d)0+(?=\d)/g, ''));
}
