import { medianOfSorted } from '../lib/stats.ts';
import { BASELINES } from './backtest-baselines.ts';
import {
  boundedError,
  type Forecasts,
  forecastsWhere,
  METHODS,
  type Method,
  percentageErrors,
  RANGES,
} from './backtest-forecasts.ts';

/** The errors of the model and of the baselines over a group of forecasts. */

/** Errors of one method over the forecasts of a group; the log error is ln(forecast / price). */
type MethodErrors = {
  method: Method;
  /** Median of |forecast / price - 1|, in percent. */
  mdApePct: number;
  /** Mean of min(1, |log error|), times 100. */
  mal: number;
  /** Mean log error, times 100: above 0, forecasts are too high. */
  biasPct: number;
  /** Share of the forecasts within 10 and 20% of the price, in percent. */
  within10Pct: number;
  within20Pct: number;
};

/** A group with at least one forecast. */
export type ForecastGroup = {
  name: string;
  forecasts: number;
  /** Of bands, the model and each baseline; otherwise the model and the baseline with the lowest mal in the group. */
  methods: MethodErrors[];
  /** Share of the sales inside the model's 50, 80 and 95% ranges, in percent. */
  coverage: { rangePct: number; heldPct: number }[];
};

/** The forecasts that satisfy a condition as a group with every method; an empty array if there are none. */
export function bandGroup(forecasts: Forecasts, name: string, condition: (i: number) => boolean): ForecastGroup[] {
  return groupOf(forecasts, name, forecastsWhere(forecasts, condition), () => METHODS);
}

/** The same with the model and the best baseline. */
export function bestGroup(forecasts: Forecasts, name: string, condition: (i: number) => boolean): ForecastGroup[] {
  return groupOf(forecasts, name, forecastsWhere(forecasts, condition), (chosen) => {
    const mals = BASELINES.map((baseline) => malOf(forecasts.logError[baseline], chosen));
    return ['model', BASELINES[mals.indexOf(Math.min(...mals))]!];
  });
}

/** The group of the chosen forecasts, or none if nothing was chosen. */
function groupOf(
  forecasts: Forecasts,
  name: string,
  chosen: Uint32Array,
  methodsOf: (chosen: Uint32Array) => readonly Method[],
): ForecastGroup[] {
  if (chosen.length === 0) return [];
  const methods = methodsOf(chosen).map((method) => errorsOf(method, forecasts.logError[method], chosen));
  const coverage = RANGES.map((rangePct, range) => {
    let held = 0;
    for (const i of chosen) held += (forecasts.inside[i]! >> range) & 1;
    return { rangePct, heldPct: (100 * held) / chosen.length };
  });
  return [{ name, forecasts: chosen.length, methods, coverage }];
}

/** A forecast exactly 10% off is within 10%, also where its log is rounded to single precision. */
const ROUNDING = 1e-6;

function errorsOf(method: Method, logError: Float64Array, chosen: Uint32Array): MethodErrors {
  let bias = 0;
  for (const i of chosen) bias += logError[i]!;
  const errors = percentageErrors(logError, chosen).sort();
  const withinPct = (most: number) => (100 * countUpTo(errors, most + ROUNDING)) / errors.length;
  return {
    method,
    mdApePct: 100 * medianOfSorted(errors),
    mal: malOf(logError, chosen),
    biasPct: (100 * bias) / chosen.length,
    within10Pct: withinPct(0.1),
    within20Pct: withinPct(0.2),
  };
}

/** How many values of a rising list are at most `most`. */
function countUpTo(sorted: Float64Array, most: number): number {
  const first = sorted.findIndex((value) => value > most);
  return first === -1 ? sorted.length : first;
}

function malOf(logError: Float64Array, chosen: Uint32Array): number {
  let sum = 0;
  for (const i of chosen) sum += boundedError(logError[i]!);
  return (100 * sum) / chosen.length;
}
