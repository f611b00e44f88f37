import type { Sql } from '../db/client.ts';
import { type KeptSql, keep } from '../db/kept.ts';
import { itemMap } from '../items/item-row.ts';
import { formatDay } from '../lib/day.ts';
import { indexCardOf } from './constituents.ts';
import type { IndexRow } from './rows.ts';

/** How many rotations are listed. */
const ROTATIONS_SHOWN = 12;

type RotationRow = { day: number; eligible: number; skipped: boolean };
type ChangeRow = { day: number; itemId: string; gradeKey: string; isAdded: boolean };

export type RotationHistory = Awaited<ReturnType<typeof rotationHistory>>;

/**
 * The last rotations of an index, newest first, each with what the basket took in and let go: as
 * `…/rebalance/{date}` returns them, without the baskets. Empty while computing. Those of the last close are kept for it.
 */
export function rotationHistory(sql: KeptSql, index: IndexRow) {
  return index.asOf !== null
    ? readHistory(sql, index)
    : keep(sql, `rotations of ${index.madeFor}`, () => readHistory(sql, index));
}

async function readHistory(sql: Sql, { slug, lastDay }: IndexRow) {
  const rotations = await sql.prepared<RotationRow>(
    'indices_history',
    `select day, eligible, skipped from index_rotations where slug = $1 and level is not null and day <= $2
     order by day desc limit ${ROTATIONS_SHOWN}`,
    [slug, lastDay],
  );
  const oldest = rotations.at(-1);
  if (oldest === undefined) return [];
  const changes = await basketChanges(sql, slug, oldest.day);
  const itemById = await itemMap(sql, [...new Set(changes.map(({ itemId }) => itemId))]);
  return rotations.map(({ day, eligible, skipped }) => {
    const cards = (isAdded: boolean) =>
      changes
        .filter((change) => change.day === day && change.isAdded === isAdded)
        .map(({ itemId, gradeKey }) => indexCardOf(itemById.get(itemId)!, gradeKey));
    return { date: formatDay(day), eligible, rotationSkipped: skipped, added: cards(true), removed: cards(false) };
  });
}

/**
 * The series that the rotations since `fromDay` took in and let go, by day and rank: of two baskets that follow each other. A
 * series that left in between, voided or withdrawn, is in neither.
 */
export function basketChanges(sql: Sql, slug: string, fromDay: number): Promise<ChangeRow[]> {
  return sql.prepared<ChangeRow>('indices_changes', CHANGES, [slug, fromDay]);
}

const CHANGES = `
with baskets as (
  select day, lag(day) over (order by day) as before from index_rotations where slug = $1 and not skipped
)
select b.day, c.* from baskets b cross join lateral (
  select coalesce(m.item_id, o.item_id) as "itemId", coalesce(m.grade_key, o.grade_key) as "gradeKey",
    o.item_id is null as "isAdded", coalesce(m.rank, o.rank) as rank
  from (select item_id, grade_key, rank from index_members where slug = $1 and rotation_day = b.day) m
  full join (
    select item_id, grade_key, rank from index_members i where slug = $1 and rotation_day = b.before and not exists (
      select from index_removals r where (r.slug, r.rotation_day, r.item_id) = (i.slug, i.rotation_day, i.item_id))
  ) o on m.item_id = o.item_id and m.grade_key = o.grade_key
  where m.item_id is null or o.item_id is null
) c where b.day >= $2 order by b.day, c.rank`;
