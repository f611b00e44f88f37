import { Type } from 'typebox';
import type { Sql } from '../db/client.ts';
import { endpoint } from '../http/endpoint.ts';
import { instant } from '../items/shapes.ts';
import { windowDaysOf, windowParameter } from '../items/window.ts';
import { dayIso } from '../lib/day.ts';
import { INDEX_RULES } from './method/rules.ts';
import { type IndexRow, indexBySlug } from './rows.ts';
import { indexParams } from './shapes.ts';
import { INDEX_MAX_AGE_SECONDS, isLive, pointsOf } from './tiles.ts';

const DEFAULT_WINDOW = 365;

/** `GET /v1/indices/{game}/series`. */
export const indexSeries = endpoint({
  id: 'indexSeries',
  summary: 'The level of each day, what its basket sold for that day, and where the basket changed',
  params: indexParams,
  query: Type.Object({ window: Type.Optional(windowParameter) }),
  response: Type.Object({
    windowDays: Type.Integer(),
    base: Type.Integer(),
    points: Type.Array(
      Type.Object({
        t: instant,
        value: Type.Number(),
        volUsdCents: Type.Integer({ description: 'Turnover of the basket that day; may be restated for 7 days.' }),
        n: Type.Integer({ description: 'Number of those sales.' }),
        rebalanced: Type.Optional(Type.Literal(true)),
        membersAdded: Type.Optional(Type.Integer()),
        membersRemoved: Type.Optional(Type.Integer()),
      }),
    ),
  }),
  maxAgeSeconds: INDEX_MAX_AGE_SECONDS,
  statuses: [404],
  async handle({ db }, { params, query }) {
    const index = await indexBySlug(db, params.game);
    const windowDays = windowDaysOf(query.window ?? DEFAULT_WINDOW);
    const body = { windowDays, base: INDEX_RULES.base, points: await indexPoints(db, index, windowDays) };
    return { body };
  },
});

type DayRow = {
  day: number;
  level: number;
  turnover: number;
  sales: number;
  /** Null on days without a rotation that took place. */
  added: number | null;
  removed: number | null;
};

/** The days of an index, rising, of the window that ends with its last close; none while computing. */
export async function indexPoints(sql: Sql, index: IndexRow, windowDays: number) {
  if (!isLive(index)) return [];
  const rows = await sql.prepared<DayRow>(
    'indices_points',
    `with baskets as (
       select day, lag(day) over (order by day) as before from index_rotations where slug = $1 and not skipped
     ), changes as (
       select b.day, c.added, c.removed from baskets b cross join lateral (
         select count(*) filter (where o.item_id is null)::int as added,
           count(*) filter (where m.item_id is null)::int as removed
         from (select item_id, grade_key from index_members where slug = $1 and rotation_day = b.day) m
         full join (
           select item_id, grade_key from index_members i where slug = $1 and rotation_day = b.before and not exists (
             select from index_removals r where (r.slug, r.rotation_day, r.item_id) = (i.slug, i.rotation_day, i.item_id))
         ) o on m.item_id = o.item_id and m.grade_key = o.grade_key
       ) c where b.day >= $2
     )
     select l.day, l.level, coalesce(d.turnover_usd_cents, 0) as turnover, coalesce(d.sale_count, 0) as sales,
       c.added, c.removed
     from index_levels l left join index_days d using (slug, day) left join changes c using (day)
     where l.slug = $1 and l.day >= $2 order by l.day`,
    [index.slug, index.lastDay - windowDays + 1],
  );
  return rows.map(({ day, level, turnover, sales, added, removed }) => ({
    t: dayIso(day),
    value: pointsOf(level).value,
    volUsdCents: turnover,
    n: sales,
    ...(added === null || removed === null
      ? {}
      : { rebalanced: true as const, membersAdded: added, membersRemoved: removed }),
  }));
}
