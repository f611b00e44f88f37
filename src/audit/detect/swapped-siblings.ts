import { groupBy } from '../../lib/group-by.ts';
import {
  type AuditedItem,
  cardKey,
  cardName,
  differenceOf,
  factorOf,
  type GameBook,
  type LogEstimate,
  type PriceCell,
  printingOf,
} from '../game-book.ts';
import { type Sample, type Usual, usualOf } from '../likelihood.ts';
import type { Evidence, FoundSuspect } from '../suspect.ts';
import type { TitleEvidence } from '../title-evidence.ts';
import { tallyOf } from '../title-tally.ts';
import { kindEffects } from './kind-effects.ts';
import { swapRatio } from './pair-model.ts';

/** How many of pairs of printings are taken to be swapped in every source, and in one, before anything is known of their prices. */
const [PRIOR, PRIOR_OF_SOURCE] = [0.005, 0.005];
/** Of the largest evidence the exponential is still a number. */
const MOST_LOG_RATIO = 100;
/** Of log ratios about what the kinds imply, where nothing is known of them. */
const FIRST_VARIANCE = 0.5 ** 2;
/** Two printings of a card, in the order of their kinds, with how far their log prices are apart, and how far their kinds imply. */
type Pair = Sample & { one: AuditedItem; other: AuditedItem; apart: LogEstimate; implied: number };

/**
 * Printings of one card whose prices, or the titles of whose sales, fit each other's place better. 1. The log ratio of each two
 * printings of a card, at equal grades. 2. The usual ratio of their kinds: as the effects of both imply it, then of the same two kinds
 * in the set and the game. 3. The likelihood of all prices of the two, by grade and source, and of the titles, with the sales of
 * every source or of one exchanged. 4. Of the swaps of a card, which exclude each other, the likeliest.
 */
export function swappedSiblings(book: GameBook, { exchanged }: TitleEvidence): FoundSuspect[] {
  const effectOf = kindEffects(book);
  const pairs = book.cards.flatMap((card) => pairsOf(book, card, effectOf));
  const left = usualOf(pairs, FIRST_VARIANCE);
  const usual = (pair: Pair) => ({ ...left(pair), centre: left(pair).centre + pair.implied });
  return [...groupBy(pairs, ({ one }) => cardKey(one)).values()].map((ofCard) =>
    likeliest({ book, usual, exchanged }, ofCard),
  );
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

/** A swap of two printings: how much likelier it is than none, and the source that has it; null: every source. */
type Swap = { pair: Pair; odds: number; source: string | null };

/** What pairs of a game are judged by. */
type Judging = { book: GameBook; usual(pair: Pair): Usual; exchanged: TitleEvidence['exchanged'] };

/** The two printings of a card that are the likeliest to be swapped. */
function likeliest(judging: Judging, ofCard: readonly Pair[]): FoundSuspect {
  const { book, usual, exchanged } = judging;
  const swaps = ofCard.map((pair) => swapOf(judging, pair));
  const { pair, odds, source } = swaps.reduce((most, swap) => (swap.odds > most.odds ? swap : most));
  const all = swaps.reduce((sum, swap) => sum + swap.odds, 1);
  const prices = (source === null ? null : againstSources(book, pair, source)) ?? againstSet(pair, usual(pair));
  const isByTitles = exchanged(pair.one, pair.other, source) > 0;
  return suspectOf(pair, odds / all, isByTitles ? [byTitles(book, pair, source), prices] : [prices]);
}

function swapOf({ book, usual, exchanged }: Judging, pair: Pair): Swap {
  const [one, other] = [book.cellsOf.get(pair.one.itemId)!, book.cellsOf.get(pair.other.itemId)!];
  const { centre, variance } = usual(pair);
  const ratioOf = (source: string | null) =>
    swapRatio(book, { one, other, centre, variance }, source) + exchanged(pair.one, pair.other, source);
  const oddsOf = (source: string | null, prior: number) => prior * Math.exp(Math.min(MOST_LOG_RATIO, ratioOf(source)));
  const sources = [...new Set([...one, ...other].map(({ source }) => source))].sort();
  const whole = { source: null, odds: oddsOf(null, PRIOR) };
  // Of one source, that source is every source.
  const inOne =
    sources.length < 2
      ? []
      : sources.map((source) => ({ source, odds: oddsOf(source, PRIOR_OF_SOURCE / sources.length) }));
  const most = inOne.reduce<Omit<Swap, 'pair'>>((most, one) => (one.odds > most.odds ? one : most), whole);
  return { pair, odds: inOne.reduce((sum, one) => sum + one.odds, whole.odds), source: most.source };
}

/** How many titles of each printing name the other one. */
function byTitles(book: GameBook, { one, other }: Pair, source: string | null): Evidence {
  const said = [one, other].map((item) => {
    const named = item === one ? other : one;
    const tally = tallyOf(book, item, named, source);
    return {
      ...tally,
      text: `${tally.other} of ${tally.titles} recorded as ${printingOf(item)} name ${printingOf(named)}`,
    };
  });
  const of = source === null ? '' : ` of ${source}`;
  const [first, second] = said as [(typeof said)[number], (typeof said)[number]];
  return {
    text: `${cardName(one)}: of the titles${of} that name one of the two, ${said.map(({ text }) => text).join(', and ')}.`,
    data: {
      titles: first.titles,
      titlesOfOther: first.other,
      titlesThere: second.titles,
      titlesOfOtherThere: second.other,
      ...(source !== null && { source }),
    },
  };
}

function againstSet({ one, other, apart }: Pair, { centre, variance, count }: Usual): Evidence {
  const [ratio, usualRatio] = [factorOf(apart.value), factorOf(centre)];
  return {
    text: `${cardName(one)}: ${printingOf(one)} sells for ${ratio} times the price of ${printingOf(other)}; the usual factor is ${usualRatio}, by ${count === 0 ? '' : `${count} other cards of the set and `}the other cards of the game.`,
    data: { ratio, usualRatio, usualSpread: factorOf(Math.sqrt(variance)), cardsOfSet: count },
  };
}

/** The ratio of a source against the others'; null where a source has one of the two alone. */
function againstSources(book: GameBook, { one, other }: Pair, source: string): Evidence | null {
  const apart = (is: (cell: PriceCell) => boolean) =>
    differenceOf(book, book.cellsOf.get(one.itemId)!.filter(is), book.cellsOf.get(other.itemId)!.filter(is));
  const [here, elsewhere] = [apart((cell) => cell.source === source), apart((cell) => cell.source !== source)];
  if (here === null || elsewhere === null) return null;
  const [ratio, ratioElsewhere] = [factorOf(here.value), factorOf(elsewhere.value)];
  return {
    text: `${cardName(one)}: in ${source}, ${printingOf(one)} sells for ${ratio} times the price of ${printingOf(other)}; elsewhere for ${ratioElsewhere} times.`,
    data: { source, ratio, ratioElsewhere },
  };
}

function suspectOf({ one, other }: Pair, score: number, evidence: Evidence[]): FoundSuspect {
  const ids = [one.itemId, other.itemId].sort();
  return {
    kind: 'swapped_siblings',
    subject: ids.join(' '),
    score,
    series: ids.map((itemId) => ({ itemId, gradeKey: null })),
    evidence,
  };
}
