import { type Static, Type } from 'typebox';
import { type KeptSql, keep } from '../db/kept.ts';
import { endpoint } from '../http/endpoint.ts';
import { asOfAnswer, asOfDay, asOfMember, asOfParameter } from '../items/parameters/as-of.ts';
import { iso } from '../items/summary.ts';
import { dayIso, dayStartMs } from '../lib/day.ts';
import { percent, roundHalfUp } from '../lib/money.ts';
import type { PricedDb } from '../pricing/read/quotes.ts';
import { type Constituent, cardNameOf, constituentsOf } from './constituents.ts';
import { indicesAsOf } from './indices-as-of.ts';
import { INDEX_RULES } from './method/rules.ts';
import { basketSeries, type IndexRow, type LevelRow, publicIndices, recentLevels } from './rows.ts';
import { indexTile } from './shapes.ts';

export type IndexTile = Static<typeof indexTile>;

export const INDEX_MAX_AGE_SECONDS = 60;
const SPARK_DAYS = 30;
const TOP_MOVERS = 3;

/** `GET /v1/indices`. */
export const indices = endpoint({
  id: 'indices',
  summary: 'The market indices of the indexed games: value, moves, 30 days, top movers',
  query: Type.Object({ asOf: asOfParameter }),
  response: Type.Object({ asOf: asOfMember, indices: Type.Array(indexTile) }),
  maxAgeSeconds: INDEX_MAX_AGE_SECONDS,
  statuses: [404],
  async handle({ db }, { query }) {
    const asOf = await asOfDay(db, query.asOf);
    const { indices, isForGood } = await indicesAsOf(db, await publicIndices(db), asOf);
    return { body: { ...asOfAnswer(asOf).member, indices: await tilesOf(db, indices) }, isForGood };
  },
});

/** Indices as tiles, in their order; those of the last close are kept for it. */
export function tilesOf(db: PricedDb & KeptSql, indices: readonly IndexRow[]): Promise<IndexTile[]> {
  if (indices.some(({ asOf }) => asOf !== null)) return readTiles(db, indices);
  return keep(db, `tiles of ${indices.map(({ madeFor }) => madeFor).join(', ')}`, () => readTiles(db, indices));
}

/** Reads the tiles of the home page now, so that the first visit after a start or a close finds them. */
export async function warmTiles(db: PricedDb & KeptSql): Promise<void> {
  await tilesOf(db, await publicIndices(db));
}

async function readTiles(db: PricedDb, indices: readonly IndexRow[]): Promise<IndexTile[]> {
  const [levels, constituents] = await Promise.all([
    recentLevels(db, indices),
    basketSeries(db, indices).then((series) => constituentsOf(db, series, indices[0]?.asOf?.day ?? null)),
  ]);
  return indices.map((index) =>
    tileOf(
      index,
      levels.filter(({ slug }) => slug === index.slug),
      constituents.filter(({ member }) => member.slug === index.slug),
    ),
  );
}

/** An index as a tile. `levels` are those of `recentLevels`, rising by day. */
export function tileOf(
  index: IndexRow,
  levels: readonly LevelRow[],
  constituents: readonly Constituent<{ gradeKey: string }>[],
): IndexTile {
  const now = levels.at(-1);
  const move = (days: number) => {
    const then = levels.find(({ day }) => day + days === now?.day);
    return now === undefined || then === undefined ? null : percent(now.level / then.level - 1);
  };
  return {
    game: index.game,
    slug: index.slug,
    label: index.label,
    value: now === undefined ? null : pointsOf(now.level).value,
    base: INDEX_RULES.base,
    deltas: { d7: move(7), d30: move(30), d365: move(365) },
    constituentCount: constituents.length,
    rebalance: 'Monthly',
    sparkline: levels
      .filter(({ day }) => day > now!.day - SPARK_DAYS)
      .map(({ day, level }) => ({ t: dayIso(day), ...pointsOf(level) })),
    newestSaleAt: iso(newestSaleMsOf(constituents)),
    topMovers: topMoversOf(constituents),
    updatedAt: isLive(index) ? iso(dayStartMs(index.lastDay + 1)) : null,
    status: isLive(index) ? 'live' : 'computing',
  };
}

/** A level as it is shown: two decimals, and the same in hundredths. */
export function pointsOf(level: number): { value: number; usdCents: number } {
  const usdCents = roundHalfUp(level * 100);
  return { value: usdCents / 100, usdCents };
}

export function isLive(index: IndexRow): index is IndexRow & { baseDay: number; lastDay: number } {
  return index.baseDay !== null && index.lastDay !== null;
}

function newestSaleMsOf(constituents: readonly Constituent<unknown>[]): number | null {
  const newest = Math.max(...constituents.map(({ quote }) => quote?.lastSaleAtMs ?? 0));
  return newest > 0 ? newest : null;
}

/** The members that moved most in seven days, up or down, of those that sold in that time; ties by rank. */
function topMoversOf(constituents: readonly Constituent<{ gradeKey: string }>[]): IndexTile['topMovers'] {
  return constituents
    .flatMap(({ item, member, quote, soldThisWeek }) => {
      const deltaPct = quote?.delta7Pct ?? null;
      return soldThisWeek && deltaPct !== null ? [{ ...cardNameOf(item, member.gradeKey), deltaPct }] : [];
    })
    .sort((a, b) => Math.abs(b.deltaPct) - Math.abs(a.deltaPct))
    .slice(0, TOP_MOVERS);
}
