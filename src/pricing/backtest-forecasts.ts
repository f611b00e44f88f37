import { BASELINES } from './backtest-baselines.ts';
import { bucketOf } from './model/calibration.ts';

/** The forecasts of a backtest in columns, 59 bytes each, and the groups they are counted in. */

export const METHODS = ['model', ...BASELINES] as const;
export type Method = (typeof METHODS)[number];

/** The ranges of the model, in percent. */
export const RANGES = [50, 80, 95] as const;

/** Bands by sales of the series on earlier days, in the order of their numbers. */
export const BANDS = ['13+', '4-12', '1-3'] as const;

/** Place in BANDS of so many sales of a series on earlier days. */
export function bandOf(priorSales: number): number {
  return priorSales >= 13 ? 0 : priorSales >= 4 ? 1 : 2;
}

/** Price buckets of the calibration, in the order of their numbers. */
export const BUCKETS = ['< $30', '$30-100', '$100-300', '$300-1,000', '$1,000+'] as const;

/** One forecast of a sale. */
export type SaleForecast = {
  item: string;
  company: string;
  /** Sales of the series on earlier days, at least 1. */
  priorSales: number;
  priceUsd: number;
  forecastUsd: Record<Method, number>;
  /** Which of RANGES contain the sale. */
  inside: readonly boolean[];
};

/** Columns of `count` forecasts; cards and companies by number, in the order met. */
export type Forecasts = {
  count: number;
  card: Uint32Array;
  company: Uint32Array;
  band: Uint8Array;
  bucket: Uint8Array;
  /** Bit i: inside RANGES[i]. */
  inside: Uint8Array;
  /** ln(forecast / price) by method. */
  logError: Record<Method, Float64Array>;
  cards: Map<string, number>;
  companies: Map<string, number>;
};

/** Columns without forecasts, with room for `capacity`. */
export function newForecasts(capacity: number): Forecasts {
  return {
    count: 0,
    card: new Uint32Array(capacity),
    company: new Uint32Array(capacity),
    band: new Uint8Array(capacity),
    bucket: new Uint8Array(capacity),
    inside: new Uint8Array(capacity),
    logError: Object.fromEntries(METHODS.map((method) => [method, new Float64Array(capacity)])) as Record<
      Method,
      Float64Array
    >,
    cards: new Map(),
    companies: new Map(),
  };
}

/** Adds one forecast; throws RangeError when there is no room. */
export function addForecast(forecasts: Forecasts, one: SaleForecast): void {
  const i = forecasts.count;
  if (i >= forecasts.card.length) throw new RangeError(`no room for more than ${i} forecasts`);
  forecasts.count++;
  forecasts.card[i] = numberOf(forecasts.cards, one.item);
  forecasts.company[i] = numberOf(forecasts.companies, one.company);
  forecasts.band[i] = bandOf(one.priorSales);
  forecasts.bucket[i] = bucketOf(Math.log(one.forecastUsd.model));
  forecasts.inside[i] = one.inside.reduce((bits, is, range) => bits | (is ? 1 << range : 0), 0);
  for (const method of METHODS) forecasts.logError[method][i] = Math.log(one.forecastUsd[method] / one.priceUsd);
}

function numberOf(numbers: Map<string, number>, name: string): number {
  const number = numbers.get(name) ?? numbers.size;
  if (number === numbers.size) numbers.set(name, number);
  return number;
}

/** Numbers of the forecasts that satisfy a condition. */
export function forecastsWhere({ count }: Forecasts, condition: (i: number) => boolean): Uint32Array {
  const chosen = new Uint32Array(count);
  let length = 0;
  for (let i = 0; i < count; i++) if (condition(i)) chosen[length++] = i;
  return chosen.slice(0, length);
}

/** |forecast / price - 1| of the chosen forecasts, in their order. */
export function percentageErrors(logError: Float64Array, chosen: Uint32Array): Float64Array {
  return Float64Array.from(chosen, (i) => Math.abs(Math.expm1(logError[i]!)));
}

/** The error that `mal` is the mean of: min(1, |log error|). */
export function boundedError(logError: number): number {
  return Math.min(1, Math.abs(logError));
}
