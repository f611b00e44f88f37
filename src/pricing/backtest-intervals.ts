import { shuffle, uniformOf } from '../lib/seeded.ts';
import { medianOfSorted } from '../lib/stats.ts';
import { type OwnedValues, ownedValues, weightedMedian } from '../lib/weighted-median.ts';
import { BASELINES, type Baseline } from './backtest-baselines.ts';
import {
  BANDS,
  boundedError,
  type Forecasts,
  forecastsWhere,
  METHODS,
  percentageErrors,
} from './backtest-forecasts.ts';
import type { ForecastGroup } from './backtest-groups.ts';

/**
 * Whether the model is better than a baseline by more than chance: a paired bootstrap. Cards are drawn with replacement,
 * as often as there are cards, with all their forecasts, because the errors of one card depend on each other.
 *
 *   mal     from sums by card and band, of all forecasts
 *   MdAPE   from at most MDAPE_FORECASTS of a band, chosen at random; of more, the interval is too wide
 */

/** Model less baseline, in points (below 0, the model is better), of all forecasts; 95% interval. */
export type PairedDifference = { points: number; low: number; high: number };

export type PairedIntervals = {
  resamples: number;
  cards: number;
  /** In order of bands and baselines; a band with fewer than ten cards is left out. */
  pairs: PairedInterval[];
};

type PairedInterval = {
  band: string;
  baseline: Baseline;
  /** Cards with forecasts in the band. */
  cards: number;
  mal: PairedDifference;
  mdApePct: PairedDifference;
  /** Forecasts whose resamples give the width of the interval of MdAPE; its middle is that of all forecasts. */
  mdApeForecasts: number;
};

const RESAMPLES = 1000;
export const MDAPE_FORECASTS = 20_000;
/** Resamples of fewer cards are too much alike for an interval. */
const CARDS_MIN = 10;
/** Numbers of a card in a band: its forecasts, then for each baseline the sum of the differences of bounded errors. */
const WIDTH = 1 + BASELINES.length;

/** `groups`: the bands of the table, for the differences of all forecasts. */
export function pairedIntervals(forecasts: Forecasts, groups: readonly ForecastGroup[]): PairedIntervals {
  const cards = forecasts.cards.size;
  const uniform = uniformOf('bootstrap');
  const sums = sumsByCard(forecasts);
  const bands = groups.map((group) => bandOfGroup(forecasts, group, sums, uniform));
  const kept = bands.filter((band) => band.cards >= CARDS_MIN);
  const times = new Uint32Array(cards);
  const totals = new Float64Array(BANDS.length * WIDTH);
  for (let resample = 0; kept.length > 0 && resample < RESAMPLES; resample++) {
    times.fill(0);
    for (let drawn = 0; drawn < cards; drawn++) times[Math.floor(uniform() * cards)]!++;
    addUp(totals, sums, times);
    for (const band of kept) resampleBand(band, totals, times);
  }
  return {
    resamples: RESAMPLES,
    cards,
    pairs: kept.flatMap(pairsOf),
  };
}

/** Rows of BANDS.length × WIDTH numbers, one for each card. */
function sumsByCard({ count, cards, card, band, logError }: Forecasts): Float64Array {
  const sums = new Float64Array(cards.size * BANDS.length * WIDTH);
  for (let i = 0; i < count; i++) {
    const at = (card[i]! * BANDS.length + band[i]!) * WIDTH;
    sums[at]!++;
    const model = boundedError(logError.model[i]!);
    BASELINES.forEach((baseline, b) => {
      sums[at + 1 + b]! += model - boundedError(logError[baseline][i]!);
    });
  }
  return sums;
}

/** The rows of all cards, each as often as its card was drawn. */
function addUp(totals: Float64Array, sums: Float64Array, times: Uint32Array): void {
  totals.fill(0);
  for (let card = 0; card < times.length; card++) {
    const drawn = times[card]!;
    if (drawn === 0) continue;
    const row = card * totals.length;
    for (let j = 0; j < totals.length; j++) totals[j]! += drawn * sums[row + j]!;
  }
}

type BandResamples = {
  group: ForecastGroup;
  /** Its numbers in BANDS: all of them, or one. */
  parts: number[];
  cards: number;
  /** Percentage errors of all forecasts or a sample, by method, in the order of METHODS. */
  errors: OwnedValues[];
  /** By baseline, one number a resample in which the band has forecasts. */
  mal: number[][];
  mdApePct: number[][];
};

function bandOfGroup(
  forecasts: Forecasts,
  group: ForecastGroup,
  sums: Float64Array,
  uniform: () => number,
): BandResamples {
  const { band, card, logError } = forecasts;
  const number = (BANDS as readonly string[]).indexOf(group.name);
  const parts = number === -1 ? BANDS.map((_, part) => part) : [number];
  let cards = 0;
  for (let one = 0; one < forecasts.cards.size; one++)
    if (parts.some((part) => sums[(one * BANDS.length + part) * WIDTH]! > 0)) cards++;
  let chosen = forecastsWhere(forecasts, (i) => parts.includes(band[i]!));
  if (chosen.length > MDAPE_FORECASTS) {
    shuffle(chosen, uniform);
    chosen = chosen.slice(0, MDAPE_FORECASTS);
  }
  const cardsOfChosen = Uint32Array.from(chosen, (i) => card[i]!);
  const errors = METHODS.map((method) => ownedValues(percentageErrors(logError[method], chosen), cardsOfChosen));
  return { group, parts, cards, errors, mal: BASELINES.map(() => []), mdApePct: BASELINES.map(() => []) };
}

/** Adds the differences of one resample, unless no card of the band was drawn. */
function resampleBand({ parts, errors, mal, mdApePct }: BandResamples, totals: Float64Array, times: Uint32Array): void {
  const total = (column: number) => parts.reduce((sum, part) => sum + totals[part * WIDTH + column]!, 0);
  const count = total(0);
  if (count > 0) mal.forEach((values, b) => void values.push((100 * total(1 + b)) / count));
  const weight = errors[0]!.owners.reduce((sum, card) => sum + times[card]!, 0);
  if (weight === 0) return;
  const [model, ...baselines] = errors.map((values) => weightedMedian(values, times, weight));
  mdApePct.forEach((values, b) => void values.push(100 * (model! - baselines[b]!)));
}

function pairsOf({ group, cards, errors, mal, mdApePct }: BandResamples): PairedInterval[] {
  const [model, ...baselines] = group.methods;
  const [sampledModel, ...sampledBaselines] = errors.map(({ sorted }) => 100 * medianOfSorted(sorted));
  return BASELINES.map((baseline, b) => {
    const malPoints = model!.mal - baselines[b]!.mal;
    const mdApePoints = model!.mdApePct - baselines[b]!.mdApePct;
    return {
      band: group.name,
      baseline,
      cards,
      mal: { points: malPoints, ...intervalOf(mal[b]!, 0) },
      mdApePct: {
        points: mdApePoints,
        ...intervalOf(mdApePct[b]!, mdApePoints - (sampledModel! - sampledBaselines[b]!)),
      },
      mdApeForecasts: errors[0]!.sorted.length,
    };
  });
}

/** The 2.5% and 97.5% points of resampled values, moved by `shift`. */
function intervalOf(values: readonly number[], shift: number): { low: number; high: number } {
  const sorted = Float64Array.from(values).sort();
  const beyond = Math.floor(0.025 * sorted.length);
  return { low: sorted[beyond]! + shift, high: sorted[sorted.length - 1 - beyond]! + shift };
}
