import { expect, test } from 'vitest';
import { uniformOf } from '../../src/lib/seeded.ts';
import {
  addForecast,
  type Forecasts,
  METHODS,
  type Method,
  newForecasts,
} from '../../src/pricing/backtest-forecasts.ts';
import type { PairedIntervals } from '../../src/pricing/backtest-intervals.ts';
import { type BacktestTable, tableOf } from '../../src/pricing/backtest-table.ts';
import { formatBacktest } from '../../src/pricing/backtest-text.ts';

/** Adds a forecast of a sale at $100 by log errors; baselines without one are as far off as the model. */
function add(
  forecasts: Forecasts,
  item: number,
  errors: { model: number } & Partial<Record<Method, number>>,
  prior = 1,
) {
  const usd = METHODS.map((method) => [method, 100 * Math.exp(errors[method] ?? errors.model)]);
  addForecast(forecasts, {
    item: String(item),
    company: 'PSA',
    priorSales: prior,
    priceUsd: 100,
    forecastUsd: Object.fromEntries(usd) as Record<Method, number>,
    inside: [true, true, true],
  });
}

/** Forecasts of `cards` cards, `each` of one card. */
function tableFor(cards: number, each: number, errorsOf: (card: number) => Parameters<typeof add>[2]): BacktestTable {
  const forecasts = newForecasts(cards * each);
  for (let card = 0; card < cards; card++) for (let i = 0; i < each; i++) add(forecasts, card, errorsOf(card));
  return tableOf(forecasts, cards * each, 1);
}

function pair({ pairs }: PairedIntervals, band: string, baseline: string): PairedIntervals['pairs'][number] {
  return pairs.find((one) => one.band === band && one.baseline === baseline)!;
}

/** The model is off by .05 to .15, the last sale by .05 more, give or take .02. */
function knownDifference(): BacktestTable {
  const uniform = uniformOf('known difference');
  return tableFor(200, 5, () => {
    const model = 0.05 + 0.1 * uniform();
    return { model, lastSale: model + 0.05 + 0.04 * (uniform() - 0.5) };
  });
}

test('intervals are narrow around a known difference, and the same each time', () => {
  const { intervals } = knownDifference();
  const { cards, mal, mdApePct } = pair(intervals, 'all', 'lastSale');
  expect(cards).toBe(200);
  expect(mal.points).toBeCloseTo(-5, 0);
  expect(mal.low).toBeLessThan(mal.points);
  expect(mal.high).toBeGreaterThan(mal.points);
  // The standard error of 1,000 paired differences of sd 1.15 is .037; unpaired it would be .14.
  expect(mal.high - mal.low).toBeGreaterThan(0.1);
  expect(mal.high - mal.low).toBeLessThan(0.2);
  // Of the medians: exp(.15) - exp(.1).
  expect(mdApePct.low).toBeLessThan(-5.67);
  expect(mdApePct.high).toBeGreaterThan(-5.67);
  expect(mdApePct.high - mdApePct.low).toBeLessThan(1.5);
  expect(knownDifference().intervals).toEqual(intervals);
});

test('a baseline that forecasts the same as the model differs by exactly nothing', () => {
  const { mal, mdApePct } = pair(knownDifference().intervals, 'all', 'ewma');
  expect(mal).toEqual({ points: 0, low: 0, high: 0 });
  expect(mdApePct).toEqual({ points: 0, low: 0, high: 0 });
});

test('cards are resampled, not forecasts: a hundred equal forecasts of each card narrow nothing', () => {
  const errorsOf = (card: number) => ({ model: 0.1, lastSale: 0.1 + 0.02 * (card % 7) });
  const once = pair(tableFor(20, 1, errorsOf).intervals, 'all', 'lastSale');
  const often = pair(tableFor(20, 100, errorsOf).intervals, 'all', 'lastSale');
  expect(once.mal.high - once.mal.low).toBeGreaterThan(1);
  expect(often.mal.low).toBeCloseTo(once.mal.low, 9);
  expect(often.mal.high).toBeCloseTo(once.mal.high, 9);
  expect(often.mdApePct.low).toBeCloseTo(once.mdApePct.low, 9);
  expect(often.mdApePct.high).toBeCloseTo(once.mdApePct.high, 9);
});

test('a band has the intervals of its own forecasts, and none below ten cards', () => {
  const forecasts = newForecasts(100);
  for (let card = 0; card < 50; card++) add(forecasts, card, { model: 0.1, lastSale: 0.2 }, 1);
  for (let card = 0; card < 41; card++) add(forecasts, card, { model: 0.3, lastSale: 0.1 }, 4);
  for (let card = 0; card < 9; card++) add(forecasts, card, { model: 0.3, lastSale: 0.1 }, 13);
  const { intervals } = tableOf(forecasts, 100, 1);
  expect(new Set(intervals.pairs.map(({ band }) => band))).toEqual(new Set(['all', '4-12', '1-3']));
  expect(pair(intervals, 'all', 'lastSale').cards).toBe(50);
  for (const [band, cards, points] of [
    ['1-3', 50, -10],
    ['4-12', 41, 20],
  ] as const) {
    const found = pair(intervals, band, 'lastSale');
    expect(found.cards).toBe(cards);
    for (const figure of [found.mal.points, found.mal.low, found.mal.high]) expect(figure).toBeCloseTo(points, 9);
  }
});

test('the interval of MdAPE is of a sample of the forecasts when there are many, and the text says so', () => {
  const table = tableFor(300, 100, (card) => ({ model: 0.1, lastSale: 0.15 + 0.001 * (card % 40) }));
  const { cards, mdApeForecasts, mdApePct } = pair(table.intervals, 'all', 'lastSale');
  expect([cards, mdApeForecasts]).toEqual([300, 20_000]);
  expect(mdApePct.low).toBeLessThan(mdApePct.points);
  expect(mdApePct.high).toBeGreaterThan(mdApePct.points);
  expect(mdApePct.high - mdApePct.low).toBeLessThan(1);
  expect(formatBacktest(table)).toContain('those of MdAPE from 20000 forecasts of a band, chosen at random');
});
