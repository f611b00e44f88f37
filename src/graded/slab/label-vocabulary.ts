import { ERA_WORDS, numberKey } from '../../catalog/words/compare.ts';
import { isLanguageWord } from '../../catalog/words/named.ts';
import { isNearly } from '../../lib/nearly.ts';
import type { IndexedItem } from '../../sales/match/match-index.ts';
import type { TitleReading } from '../../sales/match/read-title.ts';
import { isNoise } from '../../sales/match/words.ts';

/** Words of labels that do not distinguish items: companies, scales, games, kinds of cards, and how rarities are abbreviated. */
const COMMON = new Set(
  `psa bgs bvg beckett cgc grading service certified certification guaranty guarantee company universal grade graded gem mint mt nm
  nrmt near ex excellent vg very good fair poor pr pristine perfect authentic label centering center corner edge surface
  subgrade auto number cert
  pokemon nintendo game freak creature one piece bandai yu gi oh konami magic gathering wizard coast lorcana disney
  digimon gundam riftbound league legend trading card tcg ccg sport baseball football basketball hockey soccer
  japanese english rc rookie holo rare common uncommon full art fa secret special illustration hyper ultra double amazing
  shiny radiant promo sir sar ir ar sr ur hr rr rrr ssr chr csr tg gg sec lr expansion strength enhanced pack booster
  unlimited character trainer supporter energy item stadium tool`.split(/\s+/),
);
/** Letters of a word from which on a reader of print may have one wrong. */
const LONG_WORD = 5;

/**
 * Words of a label that neither its item nor the vocabulary of labels accounts for: another printing may be meant. What a
 * promo came with may be named. `isRead`: a letter may be misread.
 */
export function unexplainedWords(reading: TitleReading, item: IndexedItem, isRead: boolean): string[] {
  const { set, rarity } = item;
  const name = item.name.words;
  const variation = item.variation.words;
  const own = [...name, ...set.allWords, ...variation, ...rarity];
  if (own.includes('promo')) return [];
  if (variation.includes('1st')) own.push('shadowless');
  // Gold stars and delta species are signs on the card.
  if (name.includes('star')) own.push('gold');
  if (name.includes('delta')) own.push('d', 'species');
  const known = new Set(own);
  return reading.words.filter((word, at) => {
    if (known.has(word) || word.length === 1 || /^\d+$/.test(word) || numberKey(word) === set.code) return false;
    if (COMMON.has(word) || ERA_WORDS.has(word) || isNoise(word) || isLanguageWord(word)) return false;
    if (reading.numbers.some(({ key }) => key === numberKey(word))) return false;
    // PSA opens a set with its abbreviation and language: `PAF EN-PALDEAN FATES`.
    if (reading.words[at + 1] === 'en' && word.length <= 4) return false;
    return !(isRead && word.length >= LONG_WORD && own.some((other) => isNearly(word, other)));
  });
}
