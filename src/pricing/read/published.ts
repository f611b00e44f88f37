import { GRADES } from '../../catalog/grades.ts';
import type { Sql } from '../../db/client.ts';
import { type Curve, extendCurve, newCurve, termsOf } from '../model/curve.ts';
import type { LineWorld } from '../model/daily-line.ts';
import { newModel } from '../model/model.ts';
import { DEFAULT_PARAMS } from '../model/params.ts';
import { quantiles80Of, type StoredModel, storeModel } from '../store/model-state.ts';

/** All that every price shares, as of the last closed day: the markets, the curves and the ranges of each day. */
export type Published = {
  /** Null before the first close. */
  closedDay: number | null;
  state: StoredModel;
  /** The model's grades in its order, then those that it has not met. */
  gradeKeys: string[];
  gradeIndex: Map<string, number>;
  games: Map<string, PublishedGame>;
  /** The curve that no sale has shaped. */
  prior: Curve;
  /** 80 % quantiles by stratum of day `firstDay + i`. */
  firstDay: number;
  quantiles80: number[][];
};

type PublishedGame = {
  firstDay: number;
  levels: number[];
  variances: number[];
  /** Rising by day; each in force from the close of its day. */
  curves: { day: number; curve: Curve }[];
  noiseMean: number;
};

const cache = new WeakMap<Sql, Published>();

/** A game whose market has not opened: level zero by definition. */
const UNOPENED: PublishedGame = { firstDay: 0, levels: [0], variances: [0], curves: [], noiseMean: 1 };

/** The published world at `closedDay` (null: before the first close) or later, kept until a later close is asked for. */
export async function publishedAt(sql: Sql, closedDay: number | null): Promise<Published> {
  const held = cache.get(sql);
  if (held !== undefined && (closedDay === null || (held.closedDay !== null && held.closedDay >= closedDay)))
    return held;
  const loaded = closedDay === null ? nothingPublished() : await loadPublished(sql);
  cache.set(sql, loaded);
  return loaded;
}

function nothingPublished(): Published {
  const state = storeModel(newModel(DEFAULT_PARAMS), []);
  return worldOf({ closedDay: null, state, games: new Map(), firstDay: 0, quantiles80: [quantiles80Of(state)] });
}

function worldOf(known: Omit<Published, 'gradeKeys' | 'gradeIndex' | 'prior'>): Published {
  const gradeKeys = [...new Set([...known.state.gradeKeys, ...GRADES.map(({ key }) => key)])];
  const prior = newCurve();
  extendCurve(prior, gradeKeys);
  for (const { curves } of known.games.values()) for (const { curve } of curves) extendCurve(curve, gradeKeys);
  return { ...known, gradeKeys, gradeIndex: new Map(gradeKeys.map((key, i) => [key, i])), prior };
}

async function loadPublished(sql: Sql): Promise<Published> {
  // The state is read first: what the other tables have beyond its day is of later closes and is not asked for.
  const [row] = await sql.query<{ closed_day: number; state: StoredModel }>(
    'select closed_day, state from model_state',
  );
  const days = await sql.query<{ game: string; day: number; level: number; variance: number }>(
    'select game, day, level, variance from market_days order by game, day',
  );
  const ranges = await sql.query<{ day: number; quantiles80: number[] }>(
    'select day, quantiles80 from calibration_days order by day',
  );
  const curves = await sql.query<{ game: string; day: number; terms: Curve }>(
    'select game, day, terms from curves where set_id = 0 order by game, day',
  );
  const { closed_day: closedDay, state } = row!;
  const games = new Map<string, PublishedGame>();
  for (const { name, market, noiseMean } of state.games) {
    games.set(name, { firstDay: market.firstDay, levels: [], variances: [], curves: [], noiseMean });
  }
  for (const { game, level, variance } of days) {
    games.get(game)?.levels.push(level);
    games.get(game)?.variances.push(variance);
  }
  for (const { game, day, terms } of curves) games.get(game)?.curves.push({ day, curve: terms });
  return worldOf({
    closedDay,
    state,
    games,
    firstDay: ranges[0]!.day,
    quantiles80: ranges.map((one) => one.quantiles80),
  });
}

/** What a set adds to its game's curve, by grade, from the close of a day on. Rising by day. */
export type SetDeltas = { day: number; deltas: number[] }[];

/** The world of one series, for its quotes and its daily line. Days before the first close read as the first. */
export function lineWorld(published: Published, gameName: string, setDeltas: SetDeltas, grade: number): LineWorld {
  const game = published.games.get(gameName) ?? UNOPENED;
  return {
    params: DEFAULT_PARAMS,
    noiseMean: game.noiseMean,
    contextOn(day) {
      const i = within(day - game.firstDay, game.levels.length);
      return {
        day,
        marketLevel: game.levels[i]!,
        marketVariance: game.variances[i]!,
        quantiles80: published.quantiles80[within(day - published.firstDay, published.quantiles80.length)]!,
      };
    },
    termsOn(day) {
      const curve = lastUntil(game.curves, day)?.curve ?? published.prior;
      return termsOf(curve, lastUntil(setDeltas, day)?.deltas ?? [], grade);
    },
  };
}

function within(i: number, length: number): number {
  return Math.min(Math.max(i, 0), length - 1);
}

function lastUntil<Dated extends { day: number }>(list: readonly Dated[], day: number): Dated | undefined {
  return list.findLast((one) => one.day <= day);
}
