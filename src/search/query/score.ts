import { listAt } from '../index/lists.ts';
import type { SearchIndex } from '../index/search-index.ts';
import type { ColumnName, Matched, NumberMatch, TokenMatch } from './match.ts';
import type { QueryReading, Token } from './read-query.ts';

/** An item found, with how well it fits: 100 has all words of the query and nothing else. */
export type ScoredItem = { item: number; relevance: number };

/** `hit`: the share of the query that it has, by weight. `isComplete`: it has every word. */
export type Scored = ScoredItem & { hit: number; isComplete: boolean };

/** What a word is worth that is found elsewhere than in the name. */
const SET = 0.85;
const VARIATION = 0.8;
const RARITY = 0.75;
const EXTRA = 0.6;
const YEAR = 0.8;
const LANGUAGE = 0.9;
const GAME = 0.5;
/** An exact number with a set or a name beats everything; alone it is worth nearly nothing next to words. */
const NUMBER_WITH_NAME = 60;
const NUMBER_ALONE = 0.15;
const NUMBER_WEIGHT = 4;
/** Costs of what an item has and the query does not name. */
const OTHER_LANGUAGE = 30;
const UNREQUESTED_LANGUAGE = 5;
const UNREQUESTED_NAME = 6;
const UNREQUESTED_VARIATION_WORD = 2.5;
const MAX_UNREQUESTED_WORDS = 3;
const SET_OF_SIZE = 3;

/** The parts of a match that scoring reads most, without the way to them; null for a column without the word. */
type Word = Record<ColumnName, ReadonlyMap<number, number> | null> &
  Pick<TokenMatch, 'year' | 'weight'> &
  Pick<Token, 'isOptional' | 'isLanguage'> & { ofGame: boolean; isDigits: boolean };

/**
 * What scores an item for a reading; it gives null for one of another game or without any word.
 */
export function scorer(index: SearchIndex, reading: QueryReading, matched: Matched): (item: number) => Scored | null {
  const { names, printed, sets, variations, rarities, extras, numbers, languageOf, yearOf, gameOfSet } = index;
  const words: Word[] = matched.tokens.map((match, i) => {
    const { text, isOptional, isLanguage, game } = reading.tokens[i]!;
    const { year, weight } = match;
    return {
      names: orNull(match.names),
      printed: orNull(match.printed),
      sets: orNull(match.sets),
      variations: orNull(match.variations),
      rarities: orNull(match.rarities),
      extras: orNull(match.extras),
      ...{ year, weight, isOptional, isLanguage, ofGame: game !== null, isDigits: /^\d+$/.test(text) },
    };
  });
  const isRequested = index.languages.map((language) => reading.languages.has(language));
  const english = index.languages.indexOf('English');
  const isScript = reading.tokens.some((token) => token.isScript);
  const sizedSets = setsOfSize(index, reading.setSizes);
  const numberOf = numberReadings(matched.numbers);
  const { game } = reading;

  return (item) => {
    const set = sets.of[item]!;
    if (game !== null && gameOfSet[set] !== game) return null;
    const name = names.of[item]!;
    const asPrinted = printed.of[item]!;
    const variation = variations.of[item]!;
    const rarity = rarities.of[item]!;
    const extra = extras.of[item]!;
    const language = languageOf[item]!;
    const number = numberOf.get(numbers.of[item]!);
    // The weight of the query and what the item has of it, then the same for the words that name the card.
    let total = 0;
    let hit = 0;
    let nameable = 0;
    let named = 0;
    let inName = 0;
    let inPrinted = 0;
    let inVariation = 0;
    let onlyPrinted = false;
    let confidence = number === undefined ? 0 : number.confidence;
    let isComplete = true;
    for (let i = 0; i < words.length; i++) {
      if (number !== undefined && i >= number.from && i < number.to) continue;
      const word = words[i]!;
      const byName = word.names?.get(name) ?? 0;
      const byPrinted = word.printed?.get(asPrinted) ?? 0;
      const bySet = word.sets?.get(set) ?? 0;
      const byVariation = word.variations?.get(variation) ?? 0;
      const isSetNumber = bySet === 1 && word.isDigits && sets.wordCount[set] === 1;
      let best = Math.max(isSetNumber ? 1 : SET * bySet, byName, byPrinted, VARIATION * byVariation);
      best = Math.max(best, RARITY * (word.rarities?.get(rarity) ?? 0), EXTRA * (word.extras?.get(extra) ?? 0));
      if (word.year !== 0 && YEAR > best && isOfYear(word.year, yearOf[item]!)) best = YEAR;
      if (word.isLanguage && LANGUAGE > best && isRequested[language]) best = LANGUAGE;
      if (word.ofGame && GAME > best) best = GAME;
      total += word.weight;
      hit += word.weight * best;
      if (byName > 0) inName++;
      if (byPrinted > 0) {
        inPrinted++;
        if (byName === 0) onlyPrinted = true;
      }
      if (byVariation > 0) inVariation++;
      if (word.isOptional) continue;
      if (best === 0) isComplete = false;
      if (isSetNumber) confidence = 1;
      else if (!word.ofGame) {
        nameable += word.weight;
        named += word.weight * Math.max(byName, byPrinted, bySet);
      }
    }
    if (number !== undefined) {
      total += NUMBER_WEIGHT;
      hit += NUMBER_WEIGHT * number.confidence * (named > 0 || nameable === 0 ? 1 : NUMBER_ALONE);
    }
    if (hit === 0) return null;
    let relevance =
      (100 * hit) / total + NUMBER_WITH_NAME * confidence * (nameable === 0 ? 1 : (named / nameable) ** 2);
    const calledSo = Math.max(share(inName, names.wordCount[name]!), share(inPrinted, printed.wordCount[asPrinted]!));
    relevance -= UNREQUESTED_NAME * (1 - calledSo);
    const unrequested = Math.max(0, variations.wordCount[variation]! - inVariation);
    relevance -= UNREQUESTED_VARIATION_WORD * Math.min(MAX_UNREQUESTED_WORDS, unrequested);
    if (reading.languages.size > 0) relevance -= isRequested[language] ? 0 : OTHER_LANGUAGE;
    else if (language !== english && !isScript && !onlyPrinted) relevance -= UNREQUESTED_LANGUAGE;
    if (sizedSets?.has(set)) relevance += SET_OF_SIZE;
    return { item, relevance, hit: hit / total, isComplete };
  };
}

function orNull(qualities: ReadonlyMap<number, number>): ReadonlyMap<number, number> | null {
  return qualities.size === 0 ? null : qualities;
}

function isOfYear(requested: number, year: number): boolean {
  return year === requested || year % 100 === requested;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

type NumberWords = { from: number; to: number; confidence: number };

/** By printed number: the reading of the query's numbers that fits it best. */
function numberReadings(numbers: readonly NumberMatch[]): ReadonlyMap<number, NumberWords> {
  const best = new Map<number, NumberWords>();
  for (const { from, to, printed } of numbers) {
    for (const { number, confidence } of printed) {
      if (confidence > (best.get(number)?.confidence ?? 0)) best.set(number, { from, to, confidence });
    }
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
