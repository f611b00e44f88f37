import { GAMES } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';
import { bandOf, type Forecasts, METHODS, newForecasts } from '../backtest-forecasts.ts';

/** Scores as the columns of a backtest, and what a backtest does not group by. */

/** Which scores are chosen; null: all. Days are UTC day numbers, both included. */
export type ScoreFilter = {
  fromDay: number;
  toDay: number;
  game: string | null;
  company: string | null;
  /** Places in BANDS and BUCKETS. */
  band: number | null;
  bucket: number | null;
};

/** Ages of the newest earlier sale of the series, in the order of their numbers. */
export const AGES = ['0-30', '31-180', '181-up'] as const;

/** Forecasts without their cards, which figures do not need; `game` and `company` are places in GAMES and SCORED_COMPANIES. */
export type ReadScores = { forecasts: Forecasts; age: Uint8Array; game: Uint8Array; day: Int32Array };

/** Bytes of a score: own sales, age, day; places of company and game, bucket, inside; six errors. */
const BYTES = 3 * 4 + 4 * 2 + METHODS.length * 4;
/** In the order of METHODS. */
const ERRORS = ['model', 'last_sale', 'mean_of_3', 'median_of_5', 'median_30_days', 'ewma'];
/** Companies whose grades are priced. */
export const SCORED_COMPANIES = ['PSA', 'BGS', 'CGC', 'RAW'] as const;
/** Own sales of a band from, to. */
const BAND_SALES = [
  [13, 2 ** 31 - 1],
  [4, 12],
  [1, 3],
] as const;

/**
 * The chosen scores, without the sales that a close has taken out because they were voided or corrected, whose number is
 * `voided`. In one value: of many rows, parsing each would cost more than all figures.
 */
export async function readScores(sql: Sql, filter: ScoreFilter): Promise<ReadScores & { voided: number }> {
  const { fromDay, toDay, game, company, band, bucket } = filter;
  const [least, most] = band === null ? [1, 2 ** 31 - 1] : BAND_SALES[band]!;
  const errors = ERRORS.map((column) => `float4send(s.${column})`).join(' || ');
  const [row] = await sql.prepared<{ bytes: Buffer; voided: number }>(
    'accuracy_scores',
    `select coalesce(string_agg(int4send(s.own_sales) || int4send(s.age_days) || int4send(s.day)
         || int2send(array_position($8::text[], s.company)::int2) || int2send(array_position($9::text[], s.game)::int2)
         || int2send(s.price_bucket) || int2send(s.inside)
         || ${errors}, '') filter (where u.voided_day is null), '') as bytes,
       count(u.voided_day)::int as voided
     from sale_scores s left join sale_uses u on u.sale_id = s.sale_id and u.voided_day is not null
     where s.day between $1 and $2 and ($3::text is null or s.game = $3) and ($4::text is null or s.company = $4)
       and s.own_sales between $5 and $6 and ($7::int is null or s.price_bucket = $7)`,
    [fromDay, toDay, game, company, least, most, bucket, SCORED_COMPANIES, GAMES],
  );
  const { bytes, voided } = row!;
  return { ...scoresIn(bytes), voided };
}

function scoresIn(bytes: Buffer): ReadScores {
  const count = bytes.length / BYTES;
  const forecasts = newForecasts(count);
  const age = new Uint8Array(count);
  const game = new Uint8Array(count);
  const day = new Int32Array(count);
  forecasts.count = count;
  for (let i = 0, at = 0; i < count; i++, at += BYTES) {
    forecasts.band[i] = bandOf(bytes.readInt32BE(at));
    const days = bytes.readInt32BE(at + 4);
    age[i] = days <= 30 ? 0 : days <= 180 ? 1 : 2;
    day[i] = bytes.readInt32BE(at + 8);
    forecasts.company[i] = bytes.readInt16BE(at + 12) - 1;
    game[i] = bytes.readInt16BE(at + 14) - 1;
    forecasts.bucket[i] = bytes.readInt16BE(at + 16);
    forecasts.inside[i] = bytes.readInt16BE(at + 18);
    for (let m = 0; m < METHODS.length; m++) forecasts.logError[METHODS[m]!][i] = bytes.readFloatBE(at + 20 + 4 * m);
  }
  return { forecasts, age, game, day };
}
