import { listAt } from './lists.ts';
import type { Matched, NumberMatch, TokenMatch } from './match.ts';
import type { Reading } from './read-query.ts';
import type { SearchIndex } from './search-index.ts';

/** An item found, with how well it fits: 100 has all words of the query and nothing else. */
export type Found = { item: number; relevance: number };

/** `hit`: the share of the query that it has, by weight. `isComplete`: it has every word. */
export type Scored = Found & { hit: number; isComplete: boolean };

/** What a word is worth that is found elsewhere than in the name. */
const SET = 0.85;
const VARIATION = 0.8;
const RARITY = 0.75;
const EXTRA = 0.6;
const YEAR = 0.8;
const LANGUAGE = 0.9;
const GAME = 0.5;
/** An exact number with a set or a name beats everything; alone it is nearly nothing beside words. */
const NUMBER_WITH_NAME = 60;
const NUMBER_ALONE = 0.15;
const NUMBER_WEIGHT = 4;
/** What is said of an item and was not asked for. */
const OTHER_LANGUAGE = 30;
const UNASKED_LANGUAGE = 5;
const UNASKED_NAME = 6;
const UNASKED_VARIATION_WORD = 2.5;
const MAX_UNASKED_WORDS = 3;
const SET_OF_SIZE = 3;

function bestField(index: SearchIndex, match: TokenMatch, item: number): number {
  let best = Math.max(match.names[index.names.of[item]!]!, match.printed[index.printed.of[item]!]!);
  best = Math.max(best, SET * match.sets[index.sets.of[item]!]!);
  best = Math.max(best, VARIATION * match.variations[index.variations.of[item]!]!);
  best = Math.max(best, RARITY * match.rarities[index.rarities.of[item]!]!);
  best = Math.max(best, EXTRA * match.extras[index.extras.of[item]!]!);
  if (match.year === 0) return best;
  const year = index.yearOf[item]!;
  return year === match.year || (match.year < 100 && year % 100 === match.year) ? Math.max(best, YEAR) : best;
}

/** What scores an item for a reading; it gives null for one of another game or without any word. */
export function scorer(
  index: SearchIndex,
  reading: Reading,
  { tokens, numbers }: Matched,
): (item: number) => Scored | null {
  const { names, printed, sets, variations } = index;
  const languages = index.languages.map((language) => reading.languages.has(language));
  const english = index.languages.indexOf('English');
  const isScript = reading.tokens.some((token) => token.isScript);
  const sizedSets = setsOfSize(index, reading.setSizes);

  return (item) => {
    const set = sets.of[item]!;
    if (reading.game !== null && index.gameOfSet[set] !== reading.game) return null;
    const name = names.of[item]!;
    const asPrinted = printed.of[item]!;
    const variation = variations.of[item]!;
    const language = index.languageOf[item]!;
    const number = bestNumber(numbers, index.numbers.of[item]!);
    let total = 0;
    let hit = 0;
    let inName = 0;
    let inPrinted = 0;
    let onlyPrinted = false;
    let inVariation = 0;
    let asked = 0;
    let named = 0;
    let isNumberedSet = false;
    let isComplete = true;
    for (let i = 0; i < tokens.length; i++) {
      const token = reading.tokens[i]!;
      const match = tokens[i]!;
      if (number !== null && i >= number.from && i < number.to) continue;
      let best = bestField(index, match, item);
      if (token.isLanguage && languages[language]) best = Math.max(best, LANGUAGE);
      if (token.game !== null) best = Math.max(best, GAME);
      const inSet = match.sets[set]!;
      const isSetNumber = inSet === 1 && sets.wordCount[set] === 1 && /^\d+$/.test(token.text);
      if (isSetNumber) {
        isNumberedSet = true;
        best = 1;
      }
      total += match.weight;
      hit += match.weight * best;
      if (best === 0 && !token.isOptional) isComplete = false;
      if (match.names[name]! > 0) inName++;
      if (match.printed[asPrinted]! > 0) {
        inPrinted++;
        if (match.names[name] === 0) onlyPrinted = true;
      }
      if (match.variations[variation]! > 0) inVariation++;
      if (token.isOptional || token.game !== null || isSetNumber) continue;
      asked += match.weight;
      named += match.weight * Math.max(match.names[name]!, match.printed[asPrinted]!, inSet);
    }
    if (number !== null) {
      total += NUMBER_WEIGHT;
      hit += NUMBER_WEIGHT * number.sureness * (named > 0 || asked === 0 ? 1 : NUMBER_ALONE);
    }
    if (hit === 0) return null;
    let relevance = (100 * hit) / total;
    const sureness = Math.max(number?.sureness ?? 0, isNumberedSet ? 1 : 0);
    relevance += NUMBER_WITH_NAME * sureness * (asked === 0 ? 1 : (named / asked) ** 2);
    relevance -=
      UNASKED_NAME *
      (1 - Math.max(share(inName, names.wordCount[name]!), share(inPrinted, printed.wordCount[asPrinted]!)));
    const unasked = Math.max(0, variations.wordCount[variation]! - inVariation);
    relevance -= UNASKED_VARIATION_WORD * Math.min(MAX_UNASKED_WORDS, unasked);
    if (reading.languages.size > 0) relevance -= languages[language] ? 0 : OTHER_LANGUAGE;
    else if (language !== english && !isScript && !onlyPrinted) relevance -= UNASKED_LANGUAGE;
    if (sizedSets?.has(set)) relevance += SET_OF_SIZE;
    return { item, relevance, hit: hit / total, isComplete };
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

/** The reading of the query's numbers that fits an item's printed number best. */
function bestNumber(numbers: readonly NumberMatch[], printed: number) {
  let best: { from: number; to: number; sureness: number } | null = null;
  for (const { from, to, sureness } of numbers) {
    const sure = sureness.get(printed) ?? 0;
    if (sure > (best?.sureness ?? 0)) best = { from, to, sureness: sure };
  }
  return best;
}

/** The sets that have a card of that number: `4/102` is of a set that has a 102. */
function setsOfSize(index: SearchIndex, keys: readonly string[]): Set<number> | null {
  if (keys.length === 0) return null;
  const sets = new Set<number>();
  for (const key of keys) {
    for (const { number } of index.numbers.byKey.get(key) ?? []) {
      for (const item of listAt(index.numbers.items, number)) sets.add(index.sets.of[item]!);
    }
  }
  return sets;
}
