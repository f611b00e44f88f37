import { median } from '../lib/stats.ts';

/** The error table of a backtest: gathered, counted and formatted. */

const METHODS = ['model', 'lastSale', 'meanOf3', 'medianOf5', 'median30Days', 'ewma'] as const;
type Method = (typeof METHODS)[number];
const LABELS: Record<Method, string> = {
  model: 'model',
  lastSale: 'last sale',
  meanOf3: 'mean of 3',
  medianOf5: 'median of 5',
  median30Days: '30-day median',
  ewma: 'EWMA .3',
};

/** Bands by sales of the series on earlier days. */
const BANDS = [
  { name: 'all', least: 1, most: Number.POSITIVE_INFINITY },
  { name: '13+ prior sales', least: 13, most: Number.POSITIVE_INFINITY },
  { name: '4-12', least: 4, most: 12 },
  { name: '1-3', least: 1, most: 3 },
] as const;
const RANGES = [50, 80, 95] as const;
/** An error beyond 1,000 % counts as that in the mean, so that one mistaken record does not decide it. */
const ERROR_MAX = 10;

/** Percents. MdAPE and MAPE are the median and the mean of the absolute percentage errors. */
type MethodErrors = { method: Method; mdApePct: number; mapePct: number; within20Pct: number };

export type BacktestTable = {
  sales: number;
  days: number;
  bands: { name: string; forecasts: number; methods: MethodErrors[] }[];
  /** Share of the sales that fell into the model's ranges, all bands; NaN without forecasts. */
  coverage: { rangePct: number; heldPct: number }[];
};

export type Forecasts = {
  /** One forecast of a series with `prior` earlier sales; `inside` by range 50, 80, 95 %. */
  add(prior: number, price: number, predicted: Record<Method, number>, inside: readonly boolean[]): void;
  errors: Record<Method, number[]>[];
  inside: number[];
};

export function newForecasts(): Forecasts {
  const errors = BANDS.map(() => Object.fromEntries(METHODS.map((method) => [method, []])) as never);
  const made: Forecasts = {
    errors,
    inside: RANGES.map(() => 0),
    add(prior, price, predicted, inside) {
      BANDS.forEach(({ least, most }, band) => {
        if (prior < least || prior > most) return;
        for (const method of METHODS) made.errors[band]![method].push(Math.abs(predicted[method] - price) / price);
      });
      inside.forEach((is, range) => {
        if (is) made.inside[range]!++;
      });
    },
  };
  return made;
}

/** Counts the forecasts together. */
export function tableOf(forecasts: Forecasts, sales: number, days: number): BacktestTable {
  const bands = BANDS.map(({ name }, band) => {
    const errors = forecasts.errors[band]!;
    return { name, forecasts: errors.model.length, methods: METHODS.map((method) => summed(method, errors[method])) };
  });
  const total = bands[0]!.forecasts;
  const coverage = RANGES.map((rangePct, i) => ({ rangePct, heldPct: (100 * forecasts.inside[i]!) / total }));
  return { sales, days, bands, coverage };
}

function summed(method: Method, errors: readonly number[]): MethodErrors {
  const sum = errors.reduce((total, error) => total + Math.min(error, ERROR_MAX), 0);
  return {
    method,
    mdApePct: 100 * median(errors),
    mapePct: (100 * sum) / errors.length,
    within20Pct: (100 * errors.filter((error) => error <= 0.2).length) / errors.length,
  };
}

/** The table as text for a terminal. */
export function formatBacktest({ sales, days, bands, coverage }: BacktestTable): string {
  const forecasts = bands[0]!.forecasts;
  const lines = [`${sales} sales over ${days} days, ${forecasts} forecasts; only earlier days known`];
  if (forecasts === 0) return `${lines[0]}: too few sales to forecast any`;
  for (const { name, forecasts: count, methods } of bands) {
    if (count === 0) continue;
    lines.push(
      '',
      `${name} (${count})`.padEnd(26) + ['MdAPE %', 'MAPE %', 'within 20 %'].map((h) => h.padStart(12)).join(''),
    );
    for (const { method, mdApePct, mapePct, within20Pct } of methods) {
      const figures = [mdApePct, mapePct, within20Pct].map((value) => value.toFixed(1).padStart(12));
      lines.push(`  ${LABELS[method].padEnd(24)}${figures.join('')}`);
    }
  }
  const shares = coverage.map(({ rangePct, heldPct }) => `${rangePct} %: ${heldPct.toFixed(1)} %`);
  lines.push('', `sales inside the model's ranges: ${shares.join(', ')}`);
  return lines.join('\n');
}
