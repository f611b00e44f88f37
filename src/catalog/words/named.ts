import type { Game } from '../games.ts';
import type { Language } from '../languages.ts';

/** The languages and games that a text names. */

/** What a title says when it names a language; `Chinese` where it does not say which script. */
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

/** The languages that a folded title names; plain `Chinese` only when the script is not stated. */
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
