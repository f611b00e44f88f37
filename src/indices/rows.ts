import { GAME_LABELS, type Game, INDEXED_GAMES, isGame } from '../catalog/games.ts';
import type { Sql } from '../db/client.ts';
import { ProblemError } from '../http/problem.ts';
import type { PricedDb } from '../pricing/read/quotes.ts';
import { walkBasket } from './close/chain.ts';
import { METHODOLOGY_VERSION } from './method/rules.ts';
import type { Basket, WalkedDay } from './method/walk.ts';

/** Reads of published indices for the views. Days are UTC day numbers. */

/** A closed day that indices are read as of, and when its close ran. */
type AsOf = { day: number; atMs: number };

/**
 * Levels `l` as the close of a day published them: those corrected since as they were before. `$1` is null, or the moment of that
 * close in milliseconds.
 */
export const LEVEL_AS_OF = `coalesce((
  select c.old_level from index_corrections c
  where c.slug = l.slug and c.day = l.day and c.corrected_at > to_timestamp($1::float8 / 1000)
  order by c.corrected_at limit 1), l.level)`;

export type IndexRow = {
  slug: string;
  game: Game;
  label: string;
  methodologyVersion: string;
  /** The first and the last day with a level; null while computing. */
  baseDay: number | null;
  lastDay: number | null;
  /** Read as of this close; null: of the last one. */
  asOf: AsOf | null;
  /** Differs after every close of prices or of the index, and after a correction: what a server keeps of an index is named by it. */
  madeFor: string;
};

const INDEX_COLUMNS = `i.slug, i.game, i.label, i.methodology_version as "methodologyVersion", i.base_day as "baseDay",
  l.day as "lastDay", null as "asOf", concat_ws(' ', i.slug, l.day, m.version, (select count(*) from price_versions), m.closed_day, m.closed_at,
    (select max(corrected_at) from index_corrections where slug = i.slug)) as "madeFor"`;

const FROM_INDICES = `from indices i left join model_state m on true
  cross join lateral (select max(day) as day from index_levels where slug = i.slug) l`;

/** The indices of the indexed games, in the order of `INDEXED_GAMES`; those that no close has seen yet are computing. */
export async function publicIndices(sql: Sql): Promise<IndexRow[]> {
  const rows = await sql.prepared<IndexRow>(
    'indices_public',
    `select ${INDEX_COLUMNS} ${FROM_INDICES} where i.slug = any($1)`,
    [INDEXED_GAMES],
  );
  return INDEXED_GAMES.map((game) => rows.find((row) => row.slug === game) ?? unseen(game));
}

/** The index of a slug: of an indexed game, or a sub-index. Throws the 404 problems that say which there are. */
export async function indexBySlug(sql: Sql, slug: string): Promise<IndexRow> {
  const [row] = await sql.prepared<IndexRow>(
    'indices_one',
    `select ${INDEX_COLUMNS} ${FROM_INDICES} where i.slug = $1`,
    [slug],
  );
  if (row !== undefined) return row;
  const game = INDEXED_GAMES.find((one) => one === slug);
  if (game !== undefined) return unseen(game);
  const others = await sql.query<{ slug: string }>('select slug from indices where slug <> all($1) order by slug', [
    INDEXED_GAMES,
  ]);
  const indices = [...INDEXED_GAMES, ...others.map((one) => one.slug)];
  const [code, what] = isGame(slug)
    ? (['not_found', `${GAME_LABELS[slug]} has no index`] as const)
    : (['unknown_game', 'No index has this name'] as const);
  throw new ProblemError(code, `${what}; there are indices of ${indices.join(', ')}.`, { extra: { indices } });
}

function unseen(game: Game): IndexRow {
  const label = GAME_LABELS[game];
  const none = { baseDay: null, lastDay: null, asOf: null, madeFor: game };
  return { slug: game, game, label, methodologyVersion: METHODOLOGY_VERSION, ...none };
}

/** The sub-indices of games, in their order and by slug. */
export async function subIndicesOf(sql: Sql, games: readonly Game[]): Promise<IndexRow[]> {
  return sql.prepared<IndexRow>(
    'indices_sub',
    `select ${INDEX_COLUMNS} ${FROM_INDICES} where i.game = any($1) and i.slug <> i.game
     order by array_position($1::text[], i.game), i.slug`,
    [games],
  );
}

export type LevelRow = { slug: string; day: number; level: number };

/** Levels of the last 31 days of each index, and the one of a year ago; by index and day. */
export async function recentLevels(sql: Sql, indices: readonly IndexRow[]): Promise<LevelRow[]> {
  const live = indices.filter(({ lastDay }) => lastDay !== null);
  return sql.prepared<LevelRow>(
    'indices_recent_levels',
    `select l.slug, l.day, ${LEVEL_AS_OF} as level from unnest($2::text[], $3::int[]) n(slug, last) cross join lateral (
       (select * from index_levels where slug = n.slug and day between n.last - 30 and n.last)
       union all
       (select * from index_levels where slug = n.slug and day = n.last - 365)
     ) l order by l.slug, l.day`,
    [live[0]?.asOf?.atMs ?? null, live.map(({ slug }) => slug), live.map(({ lastDay }) => lastDay)],
  );
}

/** The series in the baskets of several indices after their last day, by index and rank, without those that left since the rotation. */
export async function basketSeries(
  sql: Sql,
  indices: readonly IndexRow[],
): Promise<{ slug: string; itemId: string; gradeKey: string }[]> {
  return sql.prepared(
    'indices_standing',
    `select m.slug, m.item_id as "itemId", m.grade_key as "gradeKey"
     from unnest($1::text[], $2::int[]) n(slug, last)
     cross join lateral (select max(rotation_day) as day from index_members where slug = n.slug and rotation_day <= n.last) b
     join index_members m on m.slug = n.slug and m.rotation_day = b.day
     where not exists (
       select from index_removals r where (r.slug, r.rotation_day, r.item_id) = (m.slug, m.rotation_day, m.item_id) and r.day <= n.last)
     order by m.slug, m.rank`,
    [indices.map(({ slug }) => slug), indices.map(({ lastDay }) => lastDay)],
  );
}

/** A basket after the close of `day`, with the prices that the index took, without the members that left. */
export async function closedBasket(db: PricedDb, basket: Basket, day: number): Promise<WalkedDay> {
  // On one connection: values of an earlier version of the model are read in its schema.
  const walked = await db.session((session) => walkBasket({ ...session, prices: db.prices }, basket, day));
  const chosen = () => basket.members.map((member) => ({ ...member, state: 'moved' as const }));
  const { rotationDay, level, divisor } = basket;
  return walked.at(-1) ?? { day: rotationDay, level, divisor, members: chosen(), removals: [] };
}
