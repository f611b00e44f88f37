import { groupBy } from '../../lib/group-by.ts';
import {
  type AuditedItem,
  cardName,
  differenceOf,
  factorOf,
  type GameBook,
  type LogEstimate,
  type PriceCell,
  printingOf,
} from '../game-book.ts';
import { logDensity, probabilityOf, type Sample, type Usual, usualOf } from '../likelihood.ts';
import type { Evidence, FoundSuspect } from '../suspect.ts';
import { kindEffects } from './kind-effects.ts';

/** How many of pairs of printings are taken to be swapped, before anything is known of their prices. */
const PRIOR = 0.01;
/** Of log ratios about what the kinds imply, where nothing is known of them. */
const FIRST_VARIANCE = 0.5 ** 2;
/** A card with more printings than this is not compared: its pairs are too many, and its printings too alike. */
const MAX_PRINTINGS = 12;
/** Two sources that are right still differ by so much on a ratio. */
const SOURCE_VARIANCE = 0.15 ** 2;

/** Two printings of a card, in the order of their kinds, with how far their log prices are apart, and how far their kinds imply. */
type Pair = Sample & { one: AuditedItem; other: AuditedItem; apart: LogEstimate; implied: number };

/**
 * Printings of one card whose prices fit each other's place better. 1. The log ratio of each two printings of a card, at equal
 * grades. 2. The usual ratio of their kinds: as the effects of both imply it, then of the same two kinds in the set and the game. 3. For each swap of two, the likelihood of
 * all ratios of the card with and without it. 4. A source alone is compared with the other sources: they share the ratio.
 */
export function swappedSiblings(book: GameBook): FoundSuspect[] {
  const cards = [...cardsOf(book)];
  const effectOf = kindEffects(book, cards);
  const pairs = cards.flatMap((card) => pairsOf(book, card, effectOf));
  const left = usualOf(pairs, FIRST_VARIANCE);
  const usual = (pair: Pair) => ({ ...left(pair), centre: left(pair).centre + pair.implied });
  const found: FoundSuspect[] = [];
  for (const ofCard of groupBy(pairs, ({ one }) => cardKey(one)).values()) {
    const bySet = swapsOf(ofCard, usual).map((swap) => ({
      ...swap,
      evidence: againstSet(swap.pair, usual(swap.pair)),
    }));
    const best = [...bySet, ...swapsInOneSource(book, ofCard)].reduce<Swap | null>(
      (most, swap) => (most === null || swap.logRatio > most.logRatio ? swap : most),
      null,
    );
    if (best !== null) found.push(suspectOf(best));
  }
  return found;
}

function cardKey({ setId, number, name }: AuditedItem): string {
  return `${setId} ${number} ${name}`;
}

/** The priced printings of each card that has several. */
function* cardsOf({ items, cellsOf }: GameBook): Generator<AuditedItem[]> {
  const priced = [...items.values()].filter(({ itemId, number }) => number !== null && cellsOf.has(itemId));
  for (const card of groupBy(priced, cardKey).values()) if (card.length > 1 && card.length <= MAX_PRINTINGS) yield card;
}

function pairsOf(book: GameBook, card: readonly AuditedItem[], effectOf: (item: AuditedItem) => number): Pair[] {
  const sorted = card.toSorted((a, b) => (printingOf(a) < printingOf(b) ? -1 : 1));
  return sorted.flatMap((one, at) =>
    sorted.slice(at + 1).flatMap((other) => {
      const apart = differenceOf(book, book.cellsOf.get(one.itemId)!, book.cellsOf.get(other.itemId)!);
      if (apart === null || printingOf(one) === printingOf(other)) return [];
      const kinds = `${printingOf(one)} | ${printingOf(other)}`;
      const implied = effectOf(one) - effectOf(other);
      const rarities = `${one.rarity} ${other.rarity}`;
      const { setId } = one;
      const groups = [kinds, `${kinds} ${rarities}`, `${setId} ${kinds}`, `${setId} ${kinds} ${rarities}`];
      return [{ one, other, apart, implied, value: apart.value - implied, noise: apart.variance, groups }];
    }),
  );
}

type Swap = { pair: Pair; logRatio: number; evidence: Evidence };

/** What is expected of the ratio of a pair; null where nothing is. */
type Expected = (pair: Pair) => { centre: number; variance: number } | null;

/** Each swap of two printings of a card, by all its pairs: composite likelihoods, weighted as if each printing counted once. */
function swapsOf(ofCard: readonly Pair[], expected: Expected): Omit<Swap, 'evidence'>[] {
  const printings = new Set(ofCard.flatMap(({ one, other }) => [one.itemId, other.itemId])).size;
  const found = new Map(ofCard.map((pair) => [`${pair.one.itemId} ${pair.other.itemId}`, pair]));
  const apart = (a: string, b: string): LogEstimate | null => {
    const pair = found.get(`${a} ${b}`);
    if (pair !== undefined) return pair.apart;
    const reversed = found.get(`${b} ${a}`);
    return reversed === undefined ? null : { value: -reversed.apart.value, variance: reversed.apart.variance };
  };
  return ofCard.map((swapped) => {
    const [a, b] = [swapped.one.itemId, swapped.other.itemId];
    const place = (id: string) => (id === a ? b : id === b ? a : id);
    let logRatio = 0;
    for (const pair of ofCard) {
      const [one, other] = [pair.one.itemId, pair.other.itemId];
      if (place(one) === one && place(other) === other) continue;
      const after = apart(place(one), place(other));
      const usual = expected(pair);
      if (after === null || usual === null) continue;
      const { centre, variance } = usual;
      logRatio +=
        logDensity(after.value, centre, variance + after.variance) -
        logDensity(pair.apart.value, centre, variance + pair.apart.variance);
    }
    return { pair: swapped, logRatio: (logRatio * 2) / printings };
  });
}

function againstSet({ one, other, apart }: Pair, { centre, variance, count }: Usual): Evidence {
  const [ratio, usualRatio] = [factorOf(apart.value), factorOf(centre)];
  return {
    text: `${cardName(one)}: ${printingOf(one)} sells for ${ratio} times the price of ${printingOf(other)}; the usual factor is ${usualRatio}, by ${count === 0 ? '' : `${count} other cards of the set and `}the other cards of the game.`,
    data: { ratio, usualRatio, usualSpread: factorOf(Math.sqrt(variance)), cardsOfSet: count },
  };
}

/** Swaps by one source, against the ratios that the other sources have. */
function swapsInOneSource(book: GameBook, ofCard: readonly Pair[]): Swap[] {
  const cellsOf = ({ itemId }: AuditedItem) => book.cellsOf.get(itemId)!;
  const sources = new Set(
    ofCard.flatMap(({ one, other }) => [one, other].flatMap(cellsOf)).map(({ source }) => source),
  );
  if (sources.size < 2) return [];
  return [...sources].flatMap((source) => {
    const ratio = ({ one, other }: Pair, is: (cell: PriceCell) => boolean) =>
      differenceOf(book, cellsOf(one).filter(is), cellsOf(other).filter(is));
    const elsewhere = new Map<Pair, LogEstimate>();
    const here = ofCard.flatMap((pair) => {
      const apart = ratio(pair, (cell) => cell.source === source);
      const others = ratio(pair, (cell) => cell.source !== source);
      if (apart === null || others === null) return [];
      const inSource = { ...pair, apart };
      elsewhere.set(inSource, { value: others.value, variance: others.variance + SOURCE_VARIANCE });
      return [inSource];
    });
    const expected = (pair: Pair) => {
      const { value, variance } = elsewhere.get(pair)!;
      return { centre: value, variance };
    };
    return swapsOf(here, expected).map((swap) => ({
      ...swap,
      evidence: againstSources(swap.pair, source, elsewhere.get(swap.pair)!),
    }));
  });
}

function againstSources({ one, other, apart }: Pair, source: string, elsewhere: LogEstimate): Evidence {
  const [ratio, ratioElsewhere] = [factorOf(apart.value), factorOf(elsewhere.value)];
  return {
    text: `${cardName(one)}: in ${source}, ${printingOf(one)} sells for ${ratio} times the price of ${printingOf(other)}; elsewhere for ${ratioElsewhere} times.`,
    data: { source, ratio, ratioElsewhere },
  };
}

function suspectOf({ pair: { one, other }, logRatio, evidence }: Swap): FoundSuspect {
  const ids = [one.itemId, other.itemId].sort();
  return {
    kind: 'swapped_siblings',
    subject: ids.join(' '),
    score: probabilityOf(logRatio, PRIOR),
    series: ids.map((itemId) => ({ itemId, gradeKey: null })),
    evidence: [evidence],
  };
}
