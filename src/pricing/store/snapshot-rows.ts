import { readBinaryRows } from '../../db/binary-rows.ts';
import type { Session, Sql } from '../../db/client.ts';
import { uuidAt } from '../../lib/uuid.ts';
import { periodOf } from './snapshot-bytes.ts';

/** An item that sold, with the rows of its snapshots, rising by period. */
export type SnapshotRows = {
  itemId: string;
  game: string;
  setId: number;
  rows: { period: number; snapshots: Buffer }[];
};

/** The rows that cover the days from `fromDay` to `toDay`, of the items that have any. */
export async function snapshotRowsOf(
  sql: Sql,
  itemIds: readonly string[],
  fromDay: number,
  toDay: number,
): Promise<SnapshotRows[]> {
  const rows = await sql.prepared<{ id: string; game: string; set_id: number; period: number; snapshots: Buffer }>(
    'pricing_snapshot_rows',
    `select i.id, i.game, i.set_id, t.period, t.snapshots from items i cross join lateral (
       (select period, snapshots from card_snapshots where item_id = i.id and period between $2 and $3)
       union all
       (select period, snapshots from card_snapshots where item_id = i.id and period < $2 order by period desc limit 1)
     ) t where i.id = any($1) order by i.id, t.period`,
    [itemIds, periodOf(fromDay), periodOf(toDay)],
  );
  const items: SnapshotRows[] = [];
  for (const { id, game, set_id: setId, period, snapshots } of rows) {
    if (items.at(-1)?.itemId !== id) items.push({ itemId: id, game, setId, rows: [] });
    items.at(-1)!.rows.push({ period, snapshots });
  }
  return items;
}

/** Snapshots held in memory, for many questions about the same items and days. */
export type HeldSnapshots = ReadonlyMap<string, SnapshotRows>;

/**
 * Reads the rows of all items that a query names, each once, in PostgreSQL's binary form. `itemsSql` selects `item_id`
 * and binds nothing.
 */
export async function holdSnapshots(
  session: Session,
  itemsSql: string,
  fromDay: number,
  toDay: number,
): Promise<HeldSnapshots> {
  const [from, to] = [periodOf(fromDay), periodOf(toDay)];
  const held = new Map<string, SnapshotRows>();
  const stream = session.copyOut(`copy (
    select t.item_id, t.period, t.snapshots from card_snapshots t join (${itemsSql}) u on u.item_id = t.item_id
    where t.period between ${from} and ${to}
    union all
    select u.item_id, t.period, t.snapshots from (${itemsSql}) u cross join lateral (
      select period, snapshots from card_snapshots where item_id = u.item_id and period < ${from}
      order by period desc limit 1) t
    ) to stdout (format binary)`);
  await readBinaryRows(stream, 3, (buffer, starts) => {
    const itemId = uuidAt(buffer, starts[0]!);
    const snapshots = starts[2]!;
    let item = held.get(itemId);
    if (item === undefined) {
      item = { itemId, game: '', setId: 0, rows: [] };
      held.set(itemId, item);
    }
    const length = buffer.readInt32BE(snapshots - 4);
    item.rows.push({
      period: buffer.readInt32BE(starts[1]!),
      snapshots: buffer.subarray(snapshots, snapshots + length),
    });
  });
  const known = await session.query<{ id: string; game: string; set_id: number }>(
    'select id, game, set_id from items where id = any($1)',
    [[...held.keys()]],
  );
  for (const { id, game, set_id } of known) Object.assign(held.get(id)!, { game, setId: set_id });
  for (const { rows } of held.values()) rows.sort((a, b) => a.period - b.period);
  return held;
}
