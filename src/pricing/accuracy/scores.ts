import { gradeByKey } from '../../catalog/grades.ts';
import type { BinaryRows } from '../../db/copy/copy-binary.ts';
import {
  BASELINES,
  type Baseline,
  baselinesOf,
  rememberDay,
  type SeriesHistory,
  WARM_UP_DAYS,
} from '../backtest-baselines.ts';
import { bucketOf, type Calibration, quantilesFor } from '../model/calibration.ts';
import type { Forecast } from '../model/forecast.ts';
import type { PriceModel } from '../model/model.ts';
import { type Histories, historyOf } from './histories.ts';

/** Columns of a score in the order of their bytes. */
export const SCORE_TABLE = `sale_scores (sale_id, day, own_sales, age_days, model, last_sale, mean_of_3, median_of_5,
  median_30_days, ewma, price_bucket, inside, game, company)`;
const COLUMNS = 14;

/** A series that sells on the day. */
type Selling = {
  card: Forecast['sale']['card'];
  grade: number;
  company: string;
  history: SeriesHistory;
  /** Forecasts of the simple rules in cents; null where it has no score. */
  baselines: Record<Baseline, number> | null;
  /** Cents, of the day so far. */
  prices: number[];
};

/** The scores of one close: `observe` is for `closeDay`; `end` adds the sales of the day to the histories. */
export type DayScores = { observe(forecast: Forecast): void; end(): void };

/**
 * Scores the sales of the close of `day` by what stood before it: the forecast of the model and its ranges as the day began,
 * and simple rules from the sales of earlier days. Only series that sold on an earlier day have scores, and none in the
 * first WARM_UP_DAYS of the ledger, as in a backtest.
 */
export function scoresOf(model: PriceModel, day: number, histories: Histories, rows: BinaryRows): DayScores {
  const firstDay = firstDayOf(model);
  const isScored = firstDay !== null && day - firstDay >= WARM_UP_DAYS;
  // The ranges in use learn from each sale of the day.
  const ranges = copyOf(model.calibration);
  const all: Selling[] = [];
  let selling: Selling | undefined;
  return {
    observe(forecast) {
      const { card, grade, priceUsdCents } = forecast.sale;
      // The sales of a series follow each other.
      if (selling === undefined || selling.card !== card || selling.grade !== grade) {
        const history = historyOf(histories, card.id, grade);
        const hasSold = isScored && history.days.length > 0;
        const company = hasSold ? gradeByKey(model.gradeKeys[grade]!)!.company : '';
        selling = { card, grade, company, history, baselines: hasSold ? baselinesOf(history, day) : null, prices: [] };
        all.push(selling);
      }
      selling.prices.push(priceUsdCents);
      if (selling.baselines !== null) writeScore(rows, day, forecast, selling, ranges);
    },
    end() {
      for (const { history, prices } of all) rememberDay(history, day, prices);
    },
  };
}

/** The first day that a market of the model closed; null before any. */
function firstDayOf({ games }: PriceModel): number | null {
  let first: number | null = null;
  for (const { market } of games.values())
    if (market.firstDay >= 0 && (first === null || market.firstDay < first)) first = market.firstDay;
  return first;
}

// `structuredClone` takes as long as the scores of a day with few sales.
function copyOf({ strata, buckets }: Calibration): Calibration {
  return {
    strata: strata.map(({ quantiles, forecasts }) => ({ quantiles: [...quantiles], forecasts })),
    buckets: buckets.map(({ factor, forecasts }) => ({ factor, forecasts })),
  };
}

/** Bit i: inside the i-th of the 50, 80 and 95% ranges. */
function insideOf(ranges: Calibration, forecast: Forecast): number {
  const u = Math.abs(forecast.residual) / Math.sqrt(forecast.total);
  return quantilesFor(ranges, forecast).reduce((bits, quantile, i) => (u <= quantile ? bits | (1 << i) : bits), 0);
}

function writeScore(rows: BinaryRows, day: number, forecast: Forecast, selling: Selling, ranges: Calibration): void {
  const { sale, ownSales, logPrice, price } = forecast;
  const { history, company } = selling;
  const baselines = selling.baselines!;
  rows.row(COLUMNS);
  rows.i64(sale.id);
  rows.i32(day);
  rows.i32(ownSales);
  rows.i32(day - history.days[history.days.length - 1]!);
  rows.f32(logPrice - price);
  for (const baseline of BASELINES) rows.f32(Math.log(baselines[baseline] / sale.priceUsdCents));
  rows.i16(bucketOf(logPrice));
  rows.i16(insideOf(ranges, forecast));
  rows.ascii(sale.card.game.name);
  rows.ascii(company);
}
