import { expect, test } from 'vitest';
import {
  addForecast,
  METHODS,
  type Method,
  newForecasts,
  type SaleForecast,
} from '../../src/pricing/backtest-forecasts.ts';
import { type BacktestTable, tableOf } from '../../src/pricing/backtest-table.ts';
import { formatBacktest } from '../../src/pricing/backtest-text.ts';
import { bucketOf } from '../../src/pricing/model/calibration.ts';

/** A forecast of a sale at $100: `model` dollars by the model, `rest` by each baseline that is not named. */
function forecast(model: number, over: Partial<SaleForecast> & { rules?: Partial<Record<Method, number>> } = {}) {
  const { rules, ...given } = over;
  const forecastUsd = Object.fromEntries(METHODS.map((method) => [method, rules?.[method] ?? 150]));
  return {
    item: 'x',
    company: 'PSA',
    priorSales: 1,
    priceUsd: 100,
    inside: [false, false, false],
    ...given,
    forecastUsd: { ...forecastUsd, model } as Record<Method, number>,
  };
}

function table(made: readonly SaleForecast[]): BacktestTable {
  const forecasts = newForecasts(made.length);
  for (const one of made) addForecast(forecasts, one);
  return tableOf(forecasts, made.length, 1);
}

test('five forecasts give the errors, biases and coverages counted by hand, by band', () => {
  const { bands } = table([
    forecast(200, { priorSales: 1, inside: [false, false, true] }),
    // A log error of 1.61, which mal bounds to 1.
    forecast(500, { priorSales: 3 }),
    forecast(80, { priorSales: 4, inside: [false, true, true] }),
    forecast(100, { priorSales: 12, inside: [true, true, true] }),
    forecast(125, { priorSales: 13, inside: [false, true, true] }),
  ]);
  const rows = bands.map(({ name, forecasts, methods, coverage }) => {
    const { mdApePct, mal, biasPct } = methods[0]!;
    const figures = [mdApePct, mal, biasPct].map((figure) => Number(figure.toFixed(3)));
    return [name, forecasts, ...figures, ...coverage.map(({ heldPct }) => Number(heldPct.toFixed(3)))];
  });
  expect(rows).toEqual([
    ['all', 5, 25, 42.789, 46.052, 20, 60, 80],
    ['13+', 1, 25, 22.314, 22.314, 0, 100, 100],
    ['4-12', 2, 10, 11.157, -11.157, 50, 100, 100],
    ['1-3', 2, 250, 84.657, 115.129, 0, 0, 50],
  ]);
  const lastSale = bands[0]!.methods.find(({ method }) => method === 'lastSale')!;
  expect(lastSale.mdApePct).toBeCloseTo(50);
  expect(lastSale.mal).toBeCloseTo(40.547, 3);
  expect(lastSale.biasPct).toBeCloseTo(40.547, 3);
});

test.each([
  [0.01, 0],
  [29.99, 0],
  [30, 1],
  [99.99, 1],
  [100, 2],
  [299.99, 2],
  [300, 3],
  [999.99, 3],
  [1000, 4],
  [1_000_000, 4],
])('a forecast of $%d is in bucket %d', (forecastUsd, bucket) => expect(bucketOf(Math.log(forecastUsd))).toBe(bucket));

test('buckets are of the price forecast by the model, with the baseline of the lowest mal in each', () => {
  const { priceBuckets } = table([
    forecast(29, { priceUsd: 5000, rules: { ewma: 2500 } }),
    forecast(250, { priceUsd: 5, rules: { meanOf3: 6 } }),
    forecast(250, { priceUsd: 5, rules: { meanOf3: 7, lastSale: 5 } }),
  ]);
  expect(priceBuckets.map(({ name, forecasts, methods }) => [name, forecasts, methods.map((m) => m.method)])).toEqual([
    ['< $30', 1, ['model', 'ewma']],
    ['$100-300', 2, ['model', 'meanOf3']],
  ]);
});

test('companies are listed by their forecasts, with coverage of their own', () => {
  const { companies } = table([
    forecast(100, { company: 'BGS', inside: [true, true, true] }),
    forecast(100),
    forecast(100, { inside: [false, false, true] }),
  ]);
  expect(companies.map(({ name, forecasts, coverage }) => [name, forecasts, coverage.map((c) => c.heldPct)])).toEqual([
    ['PSA', 2, [0, 0, 50]],
    ['BGS', 1, [100, 100, 100]],
  ]);
});

test('the text has a row for each figure of the table', () => {
  const made = Array.from({ length: 12 }, (_, i) => forecast(i % 2 === 0 ? 90 : 95, { item: `card ${i}` }));
  const text = formatBacktest(table(made));
  expect(text).toMatch(/^all \(12\) +MdAPE % +mal +bias % +model - baseline: mal +MdAPE$/m);
  expect(text).toMatch(/^ {2}model +7\.5 +7\.83 +-7\.8$/m);
  expect(text).toMatch(
    /^ {2}last sale +50\.0 +40\.55 +40\.5 +-32\.7\d \[-3\d\.\d\d, -3\d\.\d\d\] +-42\.5 \[-\d+\.\d, -\d+\.\d\]$/m,
  );
  expect(text).toMatch(/^\$30-100 \(12\)/m);
  expect(text).toMatch(/^PSA \(12\)/m);
  expect(text).toContain('1000 paired resamples of 12 cards.');
});
