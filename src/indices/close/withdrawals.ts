import type { Session, Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';

/**
 * Items that the catalog withdrew. An index leaves an item out from the first close after its withdrawal; that day is
 * stored with the withdrawal (migration 0027), so that a rebuild leaves it out from the same day on.
 */

/**
 * Assigns new withdrawals and returns to the next close: the day after the last one that any index published. No published
 * day changes by them. Only within `oneAtATime`.
 */
export async function assignWithdrawals(session: Session): Promise<void> {
  await session.query(
    `update item_withdrawals set close_day = coalesce(
       1 + greatest((select max(day) from index_levels), (select max(day) from index_rotations)), 0)
     where close_day is null`,
  );
}

/** Whether an item of the universe that is kept (known-sales.ts) is withdrawn at the close of a day. */
export async function withdrawnItems(session: Session): Promise<(itemId: string, day: number) => boolean> {
  const rows = await session.query<{ itemId: string; withdrawn: boolean; day: number }>(
    `select w.item_id as "itemId", w.withdrawn, w.close_day as day
     from item_withdrawals w join pg_temp.index_universe using (item_id)
     where w.close_day is not null order by w.close_day, w.id`,
  );
  const byItem = groupBy(rows, ({ itemId }) => itemId);
  return (itemId, day) => byItem.get(itemId)?.findLast((one) => one.day <= day)?.withdrawn ?? false;
}

/**
 * By place, the first close from `fromDay` to `toDay` that acted on a withdrawal of the item. An item that was back by the
 * same close was never withdrawn for an index.
 */
export async function withdrawalDays(
  sql: Sql,
  items: readonly { itemId: string }[],
  fromDay: number,
  toDay: number,
): Promise<Map<number, number>> {
  const rows = await sql.query<{ place: number; day: number }>(
    `select n.place::int as place, min(w.close_day) as day
     from unnest($1::uuid[]) with ordinality n (item_id, place)
     join item_withdrawals w on w.item_id = n.item_id and w.withdrawn and w.close_day between $2 and $3
     where not exists (select from item_withdrawals later
       where later.item_id = w.item_id and later.close_day = w.close_day and later.id > w.id)
     group by 1`,
    [items.map(({ itemId }) => itemId), fromDay, toDay],
  );
  return new Map(rows.map(({ place, day }) => [place - 1, day]));
}
