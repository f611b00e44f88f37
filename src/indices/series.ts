import { Type } from 'typebox';
import type { Sql } from '../db/client.ts';
import { endpoint } from '../http/endpoint.ts';
import { windowDaysOf, windowParameter } from '../items/parameters/window.ts';
import { instant } from '../items/shapes.ts';
import { dayIso } from '../lib/day.ts';
import { groupBy } from '../lib/group-by.ts';
import { basketChanges } from './history.ts';
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

type DayRow = { day: number; level: number; turnover: number; sales: number; rotated: boolean };

/** The days of an index, rising, of the window that ends with its last close; none while computing. */
export async function indexPoints(sql: Sql, index: IndexRow, windowDays: number) {
  if (!isLive(index)) return [];
  const fromDay = index.lastDay - windowDays + 1;
  const [rows, changes] = await Promise.all([
    sql.prepared<DayRow>(
      'indices_points',
      `select l.day, l.level, coalesce(d.turnover_usd_cents, 0) as turnover, coalesce(d.sale_count, 0) as sales,
         r.day is not null as rotated
       from index_levels l left join index_days d using (slug, day)
         left join index_rotations r on r.slug = l.slug and r.day = l.day and not r.skipped
       where l.slug = $1 and l.day >= $2 order by l.day`,
      [index.slug, fromDay],
    ),
    basketChanges(sql, index.slug, fromDay),
  ]);
  const changesOf = groupBy(changes, ({ day }) => day);
  return rows.map(({ day, level, turnover, sales, rotated }) => {
    const changed = changesOf.get(day) ?? [];
    const membersAdded = changed.filter(({ isAdded }) => isAdded).length;
    const rebalanced = { rebalanced: true as const, membersAdded, membersRemoved: changed.length - membersAdded };
    return {
      t: dayIso(day),
      value: pointsOf(level).value,
      volUsdCents: turnover,
      n: sales,
      ...(rotated ? rebalanced : {}),
    };
  });
}
