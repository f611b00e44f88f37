import { BANDS, BUCKETS, type Forecasts } from './backtest-forecasts.ts';
import { bandGroup, bestGroup, type ForecastGroup } from './backtest-groups.ts';
import { type PairedIntervals, pairedIntervals } from './backtest-intervals.ts';

/** What a backtest reports; `mintmark backtest --json` prints it. Groups without forecasts are left out. */
export type BacktestTable = {
  sales: number;
  days: number;
  forecasts: number;
  /** `all`, then by sales of the series on earlier days: `13+`, `4-12`, `1-3`. */
  bands: ForecastGroup[];
  /** By the model's forecast price: `< $30`, `$30-100`, `$100-300`, `$300-1,000`, `$1,000+`. */
  priceBuckets: ForecastGroup[];
  /** By grading company, those with the most forecasts first. */
  companies: ForecastGroup[];
  intervals: PairedIntervals;
};

/** Counts forecasts of `sales` sales over `days` days. */
export function tableOf(forecasts: Forecasts, sales: number, days: number): BacktestTable {
  const { band, bucket, company } = forecasts;
  const groups = (names: Iterable<string>, column: ArrayLike<number>, make: typeof bandGroup) =>
    [...names].flatMap((name, number) => make(forecasts, name, (i) => column[i] === number));
  const bands = [...bandGroup(forecasts, 'all', () => true), ...groups(BANDS, band, bandGroup)];
  return {
    sales,
    days,
    forecasts: forecasts.count,
    bands,
    priceBuckets: groups(BUCKETS, bucket, bestGroup),
    companies: groups(forecasts.companies.keys(), company, bestGroup).sort(
      (a, b) => b.forecasts - a.forecasts || (a.name < b.name ? -1 : 1),
    ),
    intervals: pairedIntervals(forecasts, bands),
  };
}
