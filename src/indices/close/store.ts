import type { Session, Sql } from '../../db/client.ts';
import { copyRows } from '../../db/copy/copy.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Basket, BasketMember, Removal } from '../method/walk.ts';
import type { ChainRotation, IndexStretch, LevelOfDay } from './chain.ts';
import { COUNTED_SALES } from './known-sales.ts';

/** What is published of indices, written once and read again bit for bit. */

/** Days for which turnover and count are restated while late sales arrive. */
export const RESTATED_DAYS = 7;

/** Publishes a stretch, in one transaction. */
export async function publish(session: Session, slug: string, stretch: IndexStretch): Promise<void> {
  const { levels, removals, rotation } = stretch;
  await session.query('begin');
  await copyRows(
    session,
    'index_levels (slug, day, level, divisor, methodology_version)',
    levels.map((one) => [slug, one.day, one.level, one.divisor, one.methodologyVersion]),
  );
  if (rotation !== null) await publishRotation(session, slug, rotation);
  await copyRows(
    session,
    'index_removals (slug, rotation_day, item_id, day, price_usd, divisor_before, divisor_after)',
    removals.map((one) => [
      slug,
      one.rotationDay,
      one.itemId,
      one.day,
      one.priceUsd,
      one.divisorBefore,
      one.divisorAfter,
    ]),
  );
  await session.query('commit');
}

async function publishRotation(session: Session, slug: string, rotation: ChainRotation): Promise<void> {
  const { day, eligible, level, divisorBefore, divisorAfter, methodologyVersion, basket } = rotation;
  await session.query(
    `insert into index_rotations
       (slug, day, eligible, skipped, level, divisor_before, divisor_after, methodology_version)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [slug, day, eligible, basket === null, level, divisorBefore, divisorAfter, methodologyVersion],
  );
  if (basket === null) return;
  await copyRows(
    session,
    'index_members (slug, rotation_day, rank, item_id, grade_key, weight, price_usd, turnover90_usd_cents)',
    basket.members.map((one) => [
      slug,
      day,
      one.rank,
      one.itemId,
      one.gradeKey,
      one.weight,
      one.priceUsd,
      one.turnover90UsdCents,
    ]),
  );
  await session.query(
    'update indices set base_day = coalesce(base_day, $2), methodology_version = $3 where slug = $1',
    [slug, day, methodologyVersion],
  );
}

/**
 * Stores turnover and count of the days that have none yet, and again of the seven before them, through a closed day. If there
 * are any, announces on the channel `prices` that the index is closed.
 */
export async function restateTurnover(session: Session, slug: string, throughDay: number): Promise<void> {
  await session.query(
    `with stated as (
       insert into index_days (slug, day, turnover_usd_cents, sale_count) ${turnoverSince(UNSTATED)}
       on conflict (slug, day) do update
         set turnover_usd_cents = excluded.turnover_usd_cents, sale_count = excluded.sale_count
       returning day)
     select pg_notify('prices', $2::int::text) from stated limit 1`,
    [slug, throughDay],
  );
}

const UNSTATED = `(select min(l.day) - ${RESTATED_DAYS} from index_levels l
  where l.slug = $1 and not exists (select from index_days d where d.slug = l.slug and d.day = l.day))`;

/**
 * Turnover and count of the days of the index $1 from a day (SQL) through $2, on the day of the sale: sales of the basket that the level
 * was computed with, as known seven days later or by the close of $2. A basket begins on the day after its rotation, the
 * first one on its own day.
 */
export function turnoverSince(fromDay: string): string {
  return `
  with span as (
    select ${fromDay} as from_day
  ), baskets as (
    select r.day as rotation_day, r.day + case when r.day = i.base_day then 0 else 1 end as from_day,
      coalesce(lead(r.day) over (order by r.day), 2147483647) as to_day
    from index_rotations r join indices i on i.slug = r.slug where r.slug = $1 and not r.skipped
  -- Materialized: with the tables just filled, and no statistics yet, it would be computed again for each level.
  ), sold as materialized (
    select k.sold_day, sum(k.price_usd_cents)::bigint as cents, count(*)::int as n
    from span cross join baskets b
    join index_members m on m.slug = $1 and m.rotation_day = b.rotation_day
    cross join lateral (
      select k.* from (${COUNTED_SALES}) k
      left join index_removals r on (r.slug, r.rotation_day, r.item_id) = ($1, b.rotation_day, m.item_id)
      where k.sold_day < coalesce(r.day, 2147483647) and k.item_id = m.item_id and k.grade_key = m.grade_key
        and k.sold_day between greatest(b.from_day, span.from_day) and least(b.to_day, $2)
    ) k
    where b.to_day >= span.from_day and k.from_day <= least(k.sold_day + ${RESTATED_DAYS}, $2)
      and k.until_day > least(k.sold_day + ${RESTATED_DAYS}, $2)
    group by k.sold_day
  )
  select l.slug, l.day, coalesce(s.cents, 0), coalesce(s.n, 0)
  from span join index_levels l on l.slug = $1 and l.day between span.from_day and $2
  left join sold s on s.sold_day = l.day`;
}

/** The levels from `fromDay` through `toDay`, by day. */
export async function publishedLevels(sql: Sql, slug: string, fromDay: number, toDay: number): Promise<LevelOfDay[]> {
  return await sql.query<LevelOfDay>(
    `select day, level, divisor, methodology_version as "methodologyVersion" from index_levels
     where slug = $1 and day between $2 and $3 order by day`,
    [slug, fromDay, toDay],
  );
}

/** The members taken out from `fromDay` through `toDay`, by day and item. */
export async function publishedRemovals(sql: Sql, slug: string, fromDay: number, toDay: number): Promise<Removal[]> {
  return await sql.query<Removal>(
    `select item_id as "itemId", rotation_day as "rotationDay", day, price_usd as "priceUsd",
       divisor_before as "divisorBefore", divisor_after as "divisorAfter"
     from index_removals where slug = $1 and day between $2 and $3 order by day, item_id`,
    [slug, fromDay, toDay],
  );
}

/** The rotations from `fromDay` through `toDay`, by day, each with the basket it chose. */
export async function publishedRotations(
  sql: Sql,
  slug: string,
  fromDay: number,
  toDay: number,
): Promise<ChainRotation[]> {
  const rows = await sql.query<Omit<ChainRotation, 'basket'> & { skipped: boolean }>(
    `select day, eligible, skipped, level, divisor_before as "divisorBefore", divisor_after as "divisorAfter",
       methodology_version as "methodologyVersion"
     from index_rotations where slug = $1 and day between $2 and $3 order by day`,
    [slug, fromDay, toDay],
  );
  const members = await sql.query<BasketMember & { rotationDay: number }>(
    `select rotation_day as "rotationDay", item_id as "itemId", grade_key as "gradeKey", rank, weight,
       price_usd as "priceUsd", turnover90_usd_cents as "turnover90UsdCents"
     from index_members where slug = $1 and rotation_day between $2 and $3 order by rotation_day, rank`,
    [slug, fromDay, toDay],
  );
  const byRotation = groupBy(members, ({ rotationDay }) => rotationDay);
  return rows.map(({ skipped, ...row }) => {
    const { day, level, divisorAfter, methodologyVersion } = row;
    const basket: Basket | null = skipped
      ? null
      : {
          rotationDay: day,
          level: level!,
          divisor: divisorAfter!,
          methodologyVersion,
          members: (byRotation.get(day) ?? []).map(({ rotationDay: _, ...member }) => member),
        };
    return { ...row, basket };
  });
}

/** The basket in force after the close of a day, as its rotation left it; null while computing. */
export async function basketAfter(sql: Sql, slug: string, day: number): Promise<Basket | null> {
  const [row] = await sql.query<{ day: number | null }>(
    'select max(day) as day from index_rotations where slug = $1 and not skipped and day <= $2',
    [slug, day],
  );
  if (row?.day == null) return null;
  const [rotation] = await publishedRotations(sql, slug, row.day, row.day);
  return rotation!.basket;
}

/** The first rotation of an index, and the last day it is closed for; nulls before any. */
export async function publishedSpan(
  sql: Sql,
  slug: string,
): Promise<{ firstDay: number | null; lastDay: number | null }> {
  const [row] = await sql.query<{ firstDay: number | null; lastDay: number | null }>(
    `select (select min(day) from index_rotations where slug = $1) as "firstDay",
       greatest((select max(day) from index_rotations where slug = $1),
         (select max(day) from index_levels where slug = $1)) as "lastDay"`,
    [slug],
  );
  return row!;
}
