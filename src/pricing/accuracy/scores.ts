import { gradeByKey } from '../../catalog/grades.ts';
import type { BinaryRows } from '../../db/copy-binary.ts';
import { BASELINES, type Baseline, baselinesOf, type SeriesHistory, WARM_UP_DAYS } from '../backtest-baselines.ts';
import { bucketOf, type Calibration, quantilesFor } from '../model/calibration.ts';
import type { Forecast } from '../model/forecast.ts';
import type { PriceModel } from '../model/model.ts';
import { firstDayOf, type Histories } from './histories.ts';

/** Columns of a score in the order of their bytes. */
export const SCORE_TABLE = `sale_scores (sale_id, day, own_sales, age_days, model, last_sale, mean_of_3, median_of_5,
  median_30_days, ewma, price_bucket, inside, game, company)`;
const COLUMNS = 14;

type Score = {
  forecast: Forecast;
  /** Cents. */
  baselines: Record<Baseline, number>;
  ageDays: number;
  /** Bit i: inside the i-th of the 50, 80 and 95 % ranges. */
  inside: number;
};

/** The scores of one close: `observe` is for `closeDay`; `write` adds them to rows, in order of sale. */
export type DayScores = { observe(forecast: Forecast): void; write(rows: BinaryRows): void };

/**
 * Scores the sales of the close of `day` by what stood before it: the forecast of the model and its ranges as the day began,
 * and simple rules from the sales of earlier days. Only series that sold on an earlier day have scores, and none in the
 * first WARM_UP_DAYS of the ledger, as in a backtest.
 */
export function scoresOf(model: PriceModel, day: number, histories: Histories): DayScores {
  const firstDay = firstDayOf(model);
  if (firstDay === null || day - firstDay < WARM_UP_DAYS) return { observe() {}, write() {} };
  // The ranges in use learn from each sale of the day.
  const ranges = structuredClone(model.calibration);
  const rulesOf = new Map<SeriesHistory, Record<Baseline, number>>();
  const scores: Score[] = [];
  return {
    observe(forecast) {
      const { card, grade } = forecast.sale;
      const history = histories.get(card.id)?.get(model.gradeKeys[grade]!);
      if (history === undefined) return;
      const baselines = rulesOf.get(history) ?? baselinesOf(history, day);
      rulesOf.set(history, baselines);
      const ageDays = day - history.days.at(-1)!;
      scores.push({ forecast, baselines, ageDays, inside: insideOf(ranges, forecast) });
    },
    write(rows) {
      scores.sort((a, b) => a.forecast.sale.id - b.forecast.sale.id);
      for (const score of scores) writeScore(rows, model, day, score);
    },
  };
}

function insideOf(ranges: Calibration, forecast: Forecast): number {
  const u = Math.abs(forecast.residual) / Math.sqrt(forecast.total);
  return quantilesFor(ranges, forecast).reduce((bits, quantile, i) => (u <= quantile ? bits | (1 << i) : bits), 0);
}

function writeScore(rows: BinaryRows, model: PriceModel, day: number, score: Score): void {
  const { forecast, baselines, ageDays, inside } = score;
  const { sale, ownSales, logPrice, price } = forecast;
  rows.row(COLUMNS);
  rows.i64(sale.id);
  rows.i32(day);
  rows.i32(ownSales);
  rows.i32(ageDays);
  rows.f32(logPrice - price);
  for (const baseline of BASELINES) rows.f32(Math.log(baselines[baseline] / sale.priceUsdCents));
  rows.i16(bucketOf(logPrice));
  rows.i16(inside);
  rows.ascii(sale.card.game.name);
  rows.ascii(gradeByKey(model.gradeKeys[sale.grade]!)!.company);
}
