import { setImmediate } from 'node:timers/promises';
import { GAMES } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';
import { formatDay } from '../../lib/day.ts';
import type { Forecasts } from '../backtest-forecasts.ts';
import { bandGroup, type ForecastGroup } from '../backtest-groups.ts';
import type { PricedSql } from '../read/published.ts';
import { closedDay } from '../read/quotes.ts';
import { editionOf, pastVersions, versionOf } from '../store/past-versions.ts';
import { AGES, type ReadScores, readScores, SCORED_COMPANIES } from './read-scores.ts';

/** Of fewer scored sales no figure is shown: chance would decide it. */
export const LEAST_SALES = 200;
/** Selections whose figures a server keeps until the next close. */
const KEPT_SELECTIONS = 60;
/** Figures are of so many scores at most, the newest: they are read in one value, of 88 MB then. */
const MOST_SCORES = 2_000_000;

/** What figures are selected by; null: all. `band` and `bucket` are places in BANDS and BUCKETS. */
export type Selection = {
  days: number | 'all';
  game: string | null;
  company: string | null;
  band: number | null;
  bucket: number | null;
};

/** `figures` is null for a group of fewer than LEAST_SALES sales. */
export type AccuracyGroup = { name: string; sales: number; figures: ForecastGroup | null };

/** Names of bands and price buckets in addresses and answers, in the order of BANDS and BUCKETS. */
export const BAND_NAMES = ['13-up', '4-12', '1-3'] as const;
export const PRICE_NAMES = ['under-30', '30-100', '100-300', '300-1000', '1000-up'] as const;

export type Accuracy = {
  /** First and last day, `YYYY-MM-DD`; null before the first close. */
  from: string | null;
  to: string | null;
  /** The version of the model, and the last day whose scores it computed again after an upgrade, where it did. */
  modelVersion: string;
  recomputedThrough: string | null;
  /** Scored sales that were voided or corrected later; no figure counts them. */
  voided: number;
  all: AccuracyGroup;
  /** Without groups that have no sale; empty where `all` has no figures. */
  band: AccuracyGroup[];
  price: AccuracyGroup[];
  age: AccuracyGroup[];
  company: AccuracyGroup[];
  game: AccuracyGroup[];
  /** Of the closes that scored them, `YYYY-MM`, rising. */
  month: AccuracyGroup[];
};

/** Figures of a selection as of the last close; computed once a close by a server with a memory. */
export async function accuracyOf(sql: PricedSql, selection: Selection): Promise<Accuracy> {
  const [day, version, edition] = [await closedDay(sql), await versionOf(sql), await editionOf(sql)];
  const { prices } = sql;
  if (prices === undefined) return computed(sql, day, version, selection);
  // An upgrade of the model, and prices from the first sale on, have other scores of the same days.
  const close = `${day} ${edition}`;
  if (prices.accuracy?.close !== close) prices.accuracy = { close, made: new Map() };
  const { made } = prices.accuracy;
  const { days, game, company, band, bucket } = selection;
  const key = [days, game, company, band, bucket].join(' ');
  const known = made.get(key);
  if (known !== undefined) return known;
  const making = computed(sql, day, version, selection);
  if (made.size >= KEPT_SELECTIONS) made.delete(made.keys().next().value!);
  made.set(key, making);
  making.catch(() => made.delete(key));
  return making;
}

async function computed(
  sql: Sql,
  day: number | null,
  modelVersion: string,
  { days, ...filter }: Selection,
): Promise<Accuracy> {
  const past = (await pastVersions(sql)).at(-1);
  const toDay = day ?? 0;
  const wanted = days === 'all' ? await firstScoredDay(sql, toDay) : toDay - days + 1;
  const fromDay = await firstDayOf(sql, wanted, toDay, MOST_SCORES);
  const { voided, ...scores } = await readScores(sql, { ...filter, fromDay, toDay });
  const { forecasts, age, game } = scores;
  const [all] = await groupsOf(['all'], () => 0, forecasts);
  const isKnown = all !== undefined && all.figures !== null;
  const by = async (names: readonly string[], column: ArrayLike<number>) =>
    isKnown ? await groupsOf(names, (i) => column[i]!, forecasts) : [];
  return {
    from: day === null ? null : formatDay(fromDay),
    to: day === null ? null : formatDay(toDay),
    modelVersion,
    recomputedThrough: past === undefined || past.untilDay < fromDay ? null : formatDay(past.untilDay),
    voided,
    all: all ?? { name: 'all', sales: 0, figures: null },
    band: await by(BAND_NAMES, forecasts.band),
    price: await by(PRICE_NAMES, forecasts.bucket),
    age: await by(AGES, age),
    company: await by(SCORED_COMPANIES, forecasts.company),
    game: await by(GAMES, game),
    month: await by(...monthsOf(scores.day)),
  };
}

async function firstScoredDay(sql: Sql, toDay: number): Promise<number> {
  const [row] = await sql.query<{ day: number | null }>('select min(day) as day from sale_scores');
  return row?.day ?? toDay;
}

/** From `fromDay` on, the first day from which on there are at most `most` scores through `toDay`; `toDay` where it alone has more. */
export async function firstDayOf(sql: Sql, fromDay: number, toDay: number, most: number): Promise<number> {
  const [row] = await sql.query<{ day: number | null }>(
    `select max(day) + 1 as day from (
       select day, sum(count(*)) over (order by day desc) as scores from sale_scores where day between $1 and $2 group by day
     ) d where scores > $3`,
    [fromDay, toDay, most],
  );
  return Math.min(row!.day ?? fromDay, toDay);
}

/** The months of days, rising, and the place among them of each day's. */
function monthsOf(days: Int32Array): [names: string[], places: Int32Array] {
  const monthOf = new Map([...new Set(days)].map((day) => [day, formatDay(day).slice(0, 7)]));
  const names = [...new Set(monthOf.values())].sort();
  const placeOf = new Map([...monthOf].map(([day, month]) => [day, names.indexOf(month)]));
  return [names, days.map((day) => placeOf.get(day)!)];
}

/** The groups that have sales. Between two of them other requests are answered. */
async function groupsOf(
  names: readonly string[],
  groupOf: (i: number) => number,
  forecasts: ReadScores['forecasts'],
): Promise<AccuracyGroup[]> {
  const groups: AccuracyGroup[] = [];
  for (const [number, name] of names.entries()) {
    await setImmediate();
    const sales = countOf(forecasts, (i) => groupOf(i) === number);
    if (sales === 0) continue;
    const [figures] = sales < LEAST_SALES ? [] : bandGroup(forecasts, name, (i) => groupOf(i) === number);
    groups.push({ name, sales, figures: figures ?? null });
  }
  return groups;
}

function countOf({ count }: Forecasts, condition: (i: number) => boolean): number {
  let counted = 0;
  for (let i = 0; i < count; i++) if (condition(i)) counted++;
  return counted;
}
