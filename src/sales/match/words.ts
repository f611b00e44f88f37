import { foldWords } from '../../catalog/fold.ts';
import { GAMES, type Game } from '../../catalog/games.ts';
import type { Language } from '../../catalog/languages.ts';

/** Words as the matcher compares them, and the lists that say what a word in a title may mean. */

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

/** The comparable words of a catalog text: apostrophes join (`Rocket's` is `rocket`), everything else parts. */
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

/** Joins what belongs to one word: possessives, `X-Fractor`, `Non-Holo`, `Pre-Release`; `Bowman U` is spelt out. */
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
  return foldWords(number.replaceAll('*', '★'))
    .map((word) => word.replace(/(?<!\d)0+(?=\d)/g, ''))
    .join('');
}

/** Words of a set's name that sellers leave out: they do not count as naming the set. */
export const GENERIC_SET_WORDS = new Set(
  `the of and a an from in to set card trading game tcg series collection panini baseball football basketball hockey
  soccer pokemon japanese english promo edition sm xy swsh sv bw dp hgss ex s
  product box pack`.split(/\s+/),
);

/** Words that say nothing about which printing it is, though some set's name has them too. */
const NOISE_WORDS = new Set(
  `the of and a an from in to with for is on at by no card cards trading game tcg pokemon japanese english set base rookie
  rc rare holo full art gem mint ultra secret special super star black collection box pack series edition unlimited new
  illustration hyper shiny amazing common uncommon year hot hof mvp case hit ssp sp pop low high psa bgs cgc graded
  slab seller us usa free ship look invest team tag draft pick player vintage oversized wotc print hidden one piece
  baseball football basketball hockey soccer panini prospect auto color match short`.split(/\s+/),
);

export function isNoise(word: string): boolean {
  return NOISE_WORDS.has(word);
}

/** Words that make it another printing whenever they are not the item's own: editions, stamps, errors, finishes. */
const MARKED_ELSEWHERE = `1st shadowless reverse stamped staff prerelease error misprint miscut jumbo oversize cosmo cracked
  mirror signed etched borderless showcase extended parallel manga preerrata nonholo sealed proof sample
  playtest textless serialized surge galaxy confetti auto promo premium stamp
  symbol cheek deck cosmic`;

/** In sports a parallel is a colour or a pattern, and a sub-brand is another release. */
const MARKED_SPORTS = `reverse error signed sealed proof sample auto relic patch jersey memorabilia refractor xfractor
  superfractor prizm gold silver red blue green orange purple black pink aqua yellow teal bronze white neon magenta sepia
  copper platinum ruby emerald sapphire wave raywave shimmer lava speckle sparkle ice mojo disco scope velocity hyper
  shock lazer laser cracked atomic geometric diamond nebula pandora checkerboard camo tiger zebra elephant snakeskin
  dragon mosaic genesis holo foil mini parallel variation negative logo rainbow vinyl finite choice break pulsar
  nucleus tectonic reactive glitter grass flash marble die cut acetate canvas black tie dye fluorescent prism
  chrome optic update draft heritage finest sterling museum tribute inception university now cosmic bowman topps donruss
  select contenders hoop mega stadium allen ginter fleer score leaf uppers deck`;

/** What tells printings of one number apart in one game only: foils, other art, and in Yu-Gi-Oh! the rarities. */
const MARKED_IN: Partial<Record<Game, string>> = {
  sports: MARKED_SPORTS,
  mtg: `${MARKED_ELSEWHERE} holo retro`,
  lorcana: `${MARKED_ELSEWHERE} holo enchanted`,
  riftbound: `${MARKED_ELSEWHERE} holo alt overnumbered signature`,
  'one-piece': `${MARKED_ELSEWHERE} alt sp manga wanted`,
  digimon: `${MARKED_ELSEWHERE} alt`,
  gundam: `${MARKED_ELSEWHERE} alt`,
  yugioh: `${MARKED_ELSEWHERE} super ultra secret ultimate ghost starlight collector quarter century prismatic platinum gold
    starfoil shatterfoil mosaic`,
};

const MARKS = new Map(
  GAMES.map((game) => [game, new Set((MARKED_IN[game] ?? MARKED_ELSEWHERE).split(/\s+/).map(canonicalWord))]),
);

/** True when the word tells printings of one card apart, so that an item without it is another printing. */
export function isMark(word: string, game: Game): boolean {
  return MARKS.get(game)!.has(word);
}

/** A promo comes in a product: these words and the names of sets then say which, not which printing. */
const PRODUCT_WORDS = new Set(['premium', 'promo', 'prerelease']);

export function isProductWord(word: string): boolean {
  return PRODUCT_WORDS.has(word);
}

/** Words that make it another card when they are not in the item's name. */
const NAME_MODIFIERS = new Set(
  `dark light shining mega m galarian alolan hisuian paldean vmax vstar v gx ex break radiant primal prime lvx legend`.split(
    /\s+/,
  ),
);

export function isNameModifier(word: string, game: Game): boolean {
  return game === 'pokemon' && NAME_MODIFIERS.has(word);
}

/** What a title says when it names a language; null as the value: Chinese, without saying which script. */
const LANGUAGE_WORDS: [RegExp, Language | 'Chinese'][] = [
  [/\b(?:japanese|japan|jpn|jap|jp)\b/, 'Japanese'],
  [/\b(?:english|eng|en)\b/, 'English'],
  [/\b(?:korean|korea|kor|kr)\b/, 'Korean'],
  [/\b(?:french|francais)\b/, 'French'],
  [/\b(?:german|deutsch)\b/, 'German'],
  [/\b(?:italian|italiano)\b/, 'Italian'],
  [/\b(?:spanish|espanol)\b/, 'Spanish'],
  [/\b(?:portuguese|portugues)\b/, 'Portuguese'],
  [/\b(?:simplified chinese|chinese simplified|s[- ]chinese|zhs)\b/, 'Chinese Simplified'],
  [/\b(?:traditional chinese|chinese traditional|t[- ]chinese|zht)\b/, 'Chinese Traditional'],
  [/\b(?:chinese|chn)\b/, 'Chinese'],
  [/\b(?:thai|thailand)\b/, 'Thai'],
  [/\b(?:indonesian|indonesia)\b/, 'Indonesian'],
  [/\bdutch\b/, 'Dutch'],
  [/\bpolish\b/, 'Polish'],
  [/\brussian\b/, 'Russian'],
];

/** The languages that a folded title names; `Chinese` stands alone only when the script is not told. */
export function languagesIn(text: string): (Language | 'Chinese')[] {
  const found = LANGUAGE_WORDS.filter(([words]) => words.test(text)).map(([, language]) => language);
  return found.some((language) => language.startsWith('Chinese ')) ? found.filter((it) => it !== 'Chinese') : found;
}

/** Every word that only names a language: it identifies nothing else. */
export function isLanguageWord(word: string): boolean {
  return LANGUAGE_WORDS.some(([words]) => words.test(word));
}

/** Words that name a game, the longer phrases first. */
export const GAME_PHRASES: readonly (readonly [phrase: string, game: Game])[] = [
  ['magic the gathering', 'mtg'],
  ['yu gi oh', 'yugioh'],
  ['yugi oh', 'yugioh'],
  ['yu gioh', 'yugioh'],
  ['one piece', 'one-piece'],
  ['poke mon', 'pokemon'],
  ['sports card', 'sports'],
  ['pokemon', 'pokemon'],
  ['ptcg', 'pokemon'],
  ['yugioh', 'yugioh'],
  ['ygo', 'yugioh'],
  ['mtg', 'mtg'],
  ['opcg', 'one-piece'],
  ['digimon', 'digimon'],
  ['lorcana', 'lorcana'],
  ['riftbound', 'riftbound'],
  ['gundam', 'gundam'],
];

const SPORTS_MAKERS =
  /\b(?:topps|bowman|panini|donruss|prizm|fleer|upper deck|skybox|hoops|nba|nfl|mlb|nhl|wnba|ufc)\b/;

/** The game a folded title names, or null. Sports makers come last: some printed other games' cards. */
export function gameIn(text: string): Game | null {
  const named = GAME_PHRASES.find(([phrase]) => ` ${text} `.includes(` ${phrase} `));
  return named?.[1] ?? (SPORTS_MAKERS.test(text) ? 'sports' : null);
}

/** Teams and phrases whose colours and words are no parallel. */
export const HARMLESS_PHRASES =
  /\b(?:red sox|white sox|blue jays?|red wings?|blue jackets|golden knights|golden state|red bulls?|black ?hawks|reds|browns|blues|new york|san francisco|color match|black star|not psa|us seller|near mint)\b/g;
