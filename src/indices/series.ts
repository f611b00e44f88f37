import { Type } from 'typebox';
import type { Sql } from '../db/client.ts';
import { endpoint } from '../http/endpoint.ts';
import { asOfAnswer, asOfDay, asOfMember, asOfParameter } from '../items/parameters/as-of.ts';
import { windowDaysOf, windowParameter } from '../items/parameters/window.ts';
import { instant } from '../items/shapes.ts';
import { dayIso } from '../lib/day.ts';
import { groupBy } from '../lib/group-by.ts';
import { basketChanges } from './history.ts';
import { indexBySlugAsOf } from './indices-as-of.ts';
import { INDEX_RULES } from './method/rules.ts';
import { type IndexRow, LEVEL_AS_OF } from './rows.ts';
import { indexParams } from './shapes.ts';
import { INDEX_MAX_AGE_SECONDS, isLive, pointsOf } from './tiles.ts';
import { turnoverOf } from './turnover.ts';

const DEFAULT_WINDOW = 365;

/** `GET /v1/indices/{game}/series`. */
export const indexSeries = endpoint({
  id: 'indexSeries',
  summary: 'The level of each day, what its basket sold for that day, and where the basket changed',
  params: indexParams,
  query: Type.Object({ window: Type.Optional(windowParameter), asOf: asOfParameter }),
  response: Type.Object({
    asOf: asOfMember,
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
    const asOf = await asOfDay(db, query.asOf);
    const { index, isForGood } = await indexBySlugAsOf(db, params.game, asOf);
    const windowDays = windowDaysOf(query.window ?? DEFAULT_WINDOW);
    const points = await indexPoints(db, index, windowDays);
    return { body: { ...asOfAnswer(asOf).member, windowDays, base: INDEX_RULES.base, points }, isForGood };
  },
});

type DayRow = { day: number; level: number; rotated: boolean };

/** The days of an index, rising, of the window that ends with its last close; none while computing. */
export async function indexPoints(sql: Sql, index: IndexRow, windowDays: number) {
  if (!isLive(index)) return [];
  const fromDay = index.lastDay - windowDays + 1;
  const [rows, turnover, changes] = await Promise.all([
    sql.prepared<DayRow>(
      'indices_points',
      `select l.day, ${LEVEL_AS_OF} as level, r.day is not null as rotated
       from index_levels l left join index_rotations r on r.slug = l.slug and r.day = l.day and not r.skipped
       where l.slug = $2 and l.day between $3 and $4 order by l.day`,
      [index.asOf?.atMs ?? null, index.slug, fromDay, index.lastDay],
    ),
    turnoverOf(sql, index, fromDay),
    basketChanges(sql, index.slug, fromDay),
  ]);
  const changesOf = groupBy(changes, ({ day }) => day);
  const soldOn = new Map(turnover.map((one) => [one.day, one]));
  return rows.map(({ day, level, rotated }) => {
    const changed = changesOf.get(day) ?? [];
    const membersAdded = changed.filter(({ isAdded }) => isAdded).length;
    const rebalanced = { rebalanced: true as const, membersAdded, membersRemoved: changed.length - membersAdded };
    return {
      t: dayIso(day),
      value: pointsOf(level).value,
      volUsdCents: soldOn.get(day)?.turnover ?? 0,
      n: soldOn.get(day)?.sales ?? 0,
      ...(rotated ? rebalanced : {}),
    };
  });
}
