import { LRUCache } from 'lru-cache';
import { GRADES } from '../../catalog/grades.ts';
import type { Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Accuracy } from '../accuracy/accuracy.ts';
import { type RangeWidths, widthsOf } from '../model/calibration.ts';
import { type Curve, extendCurve, type GradeTerms, newCurve, termsOf } from '../model/curve/curve.ts';
import type { LineWorld } from '../model/daily-line.ts';
import { levelOn, varianceOn } from '../model/market.ts';
import { gradeIndexOf, type PriceModel } from '../model/model.ts';
import { DEFAULT_PARAMS } from '../model/params.ts';
import { loadModel } from '../store/model-state.ts';
import { editionOf, type PastVersion, pastVersions } from '../store/past-versions.ts';
import type { PriceShelf } from './kept-prices.ts';
import type { Mover } from './movers.ts';

/** All that every price shares, as of the last closed day: the markets, the curves and the ranges of each day. */
export type Published = {
  /** Of the model that computed it, and those that published earlier days, the oldest first. */
  version: string;
  edition: string;
  earlier: PastVersion[];
  /** Its day is null before the first close; its grades are followed by those that no sale has had. */
  model: PriceModel;
  /** Ids of sources; a sale's source is its place here. */
  sources: string[];
  /** By game, rising by day; each in force from the close of its day. */
  curves: Map<string, { day: number; curve: Curve }[]>;
  /** The curve that no sale has shaped. */
  prior: Curve;
  /** What sets add to their game's curve, of those read lately. */
  deltasOfSets: LRUCache<number, SetDeltas>;
  /** 80% quantiles by stratum of day `firstDay + i`. */
  firstDay: number;
  widths: RangeWidths[];
};

/** What a server keeps of the last close that it has read. */
type PriceMemory = {
  /** Of the last close; without it the prices of lists are read each time. */
  shelf?: PriceShelf | undefined;
  published?: Promise<Published> | undefined;
  movers?: { close: string; byWindow: Map<number, Promise<Mover[]>> };
  /** By selection, of the last close and the edition of its prices. */
  accuracy?: { close: string; made: Map<string, Promise<Accuracy>> };
  /** By earlier version of the model. */
  pasts?: Map<string, PriceMemory>;
};

/** A database with the memory of the server that reads from it; without one everything is read each time. */
export type PricedSql = Sql & { prices?: PriceMemory };

/**
 * The published world at `closedDay` (null: before the first close) or later, of `edition` where it is given; concurrent
 * callers share one read.
 */
export async function publishedAt(sql: PricedSql, closedDay: number | null, edition?: string): Promise<Published> {
  const { prices = {} } = sql;
  const kept = prices.published;
  const known = await kept;
  const isCurrent = edition === undefined || known?.edition === edition;
  const isClosed = closedDay === null || (known?.model.day ?? Number.NEGATIVE_INFINITY) >= closedDay;
  if (known !== undefined && isCurrent && isClosed) return known;
  // Another caller has begun to read a later close meanwhile.
  if (prices.published !== kept) return publishedAt(sql, closedDay, edition);
  const loading = loadPublished(sql);
  prices.published = loading;
  loading.catch(() => {
    if (prices.published === loading) prices.published = undefined;
  });
  return loading;
}

async function loadPublished(sql: Sql): Promise<Published> {
  // Before the model: prices that change in between are then of another edition, and read again.
  const edition = await editionOf(sql);
  const { model, sources, version } = await loadModel(sql);
  for (const { key } of GRADES) gradeIndexOf(model, key);
  const ranges = await sql.query<{ day: number } & RangeWidths>(
    'select day, quantiles80, factors from calibration_days order by day',
  );
  const rows = await sql.query<{ game: string; day: number; terms: Curve }>(
    'select game, day, terms from curves where set_id = 0 order by game, day',
  );
  const earlier = await pastVersions(sql);
  const prior = newCurve();
  for (const curve of [prior, ...rows.map(({ terms }) => terms)]) extendCurve(curve, model.gradeKeys);
  const dated = rows.map(({ game, day, terms }) => ({ game, day, curve: terms }));
  return {
    version,
    edition,
    earlier,
    model,
    sources,
    curves: groupBy(dated, ({ game }) => game),
    prior,
    deltasOfSets: new LRUCache({ maxSize: KEPT_DELTAS, sizeCalculation: sizeOf }),
    firstDay: ranges[0]?.day ?? 0,
    widths: ranges.length === 0 ? [widthsOf(model.calibration)] : ranges,
  };
}

/** What a set adds to its game's curve, by grade, from the close of a day on. Rising by day. */
export type SetDeltas = { day: number; deltas: number[] }[];

/** Numbers of all sets that are kept: 16 MB. */
const KEPT_DELTAS = 2_000_000;

function sizeOf(deltas: SetDeltas): number {
  return deltas.reduce((sum, one) => sum + one.deltas.length, 1);
}

/** What each of some sets adds to its game's curve. One statement for those that were not read since the close. */
export async function deltasOfSets(
  sql: Sql,
  { deltasOfSets: kept }: Published,
  setIds: ReadonlySet<number>,
): Promise<Map<number, SetDeltas>> {
  const found = new Map([...setIds].map((id) => [id, kept.get(id)]));
  const missing = [...setIds].filter((id) => found.get(id) === undefined);
  const rows =
    missing.length === 0
      ? []
      : await sql.prepared<{ setId: number; day: number; deltas: number[] }>(
          'pricing_deltas_of_sets',
          `select s.id as "setId", c.day, c.terms as deltas from sets s join curves c on c.game = s.game and c.set_id = s.id
           where s.id = any($1) order by c.day`,
          [missing],
        );
  const read = groupBy(rows, ({ setId }) => setId);
  for (const id of missing) {
    const deltas = (read.get(id) ?? []).map(({ day, deltas }) => ({ day, deltas }));
    kept.set(id, deltas);
    found.set(id, deltas);
  }
  return found as Map<number, SetDeltas>;
}

/** The world of one series, for its quotes and its daily line. Days before the first close read as the first. */
export function lineWorld(published: Published, gameName: string, setDeltas: SetDeltas, grade: number): LineWorld {
  const { model, prior, firstDay, widths } = published;
  const market = model.games.get(gameName)?.market;
  const curves = published.curves.get(gameName) ?? [];
  /** Curves change once a month: a line asks for the same terms day after day. */
  let kept: { from: number; until: number; cardLevel: number; terms: GradeTerms } | null = null;
  return {
    params: DEFAULT_PARAMS,
    contextOn(day) {
      const range = Math.min(Math.max(day - firstDay, 0), widths.length - 1);
      // A market that has not opened is at zero by definition.
      const [marketLevel, marketVariance] =
        market === undefined || market.firstDay < 0 ? [0, 0] : [levelOn(market, day), varianceOn(market, day)];
      return { day, marketLevel, marketVariance, widths: widths[range]! };
    },
    termsOn(day, cardLevel) {
      if (kept !== null && day >= kept.from && day < kept.until && cardLevel === kept.cardLevel) return kept.terms;
      const curve = inForceOn(curves, day);
      const deltas = inForceOn(setDeltas, day);
      kept = {
        from: Math.max(curve.from, deltas.from),
        until: Math.min(curve.until, deltas.until),
        cardLevel,
        terms: termsOf(curve.one?.curve ?? prior, deltas.one?.deltas ?? [], grade, cardLevel),
      };
      return kept.terms;
    },
  };
}

/** The last one not after a day, if any, and the days it is in force on: from one to before another. */
function inForceOn<Dated extends { day: number }>(list: readonly Dated[], day: number) {
  const at = list.findLastIndex((one) => one.day <= day);
  const one = list[at];
  return { one, from: one?.day ?? Number.NEGATIVE_INFINITY, until: list[at + 1]?.day ?? Number.POSITIVE_INFINITY };
}
