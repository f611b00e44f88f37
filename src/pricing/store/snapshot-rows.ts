import type { Session } from '../../db/client.ts';
import { type BinaryRows, copyBinary, newBinaryRows } from '../../db/copy/copy-binary.ts';
import { type ByteWriter, byteWriter } from '../../lib/bytes.ts';
import type { CardState } from '../model/card.ts';
import type { Params } from '../model/params.ts';
import { periodOf, writeEmptySnapshot, writeSnapshot } from './snapshot-bytes.ts';

/**
 * Snapshots of closed days, gathered between two checkpoints. Their bytes are in a few large memories, in the order of the closes:
 * hundreds of thousands of small buffers would cost more than what is in them, and one memory for all would be copied as it grows.
 * `places` has of each card, for each snapshot, its period, the number of its memory, where its bytes begin there and end.
 */
export type SnapshotRows = { memories: ByteWriter[]; places: Map<string, number[]> };

const MEMORY_BYTES = 1 << 20;
/** What is left of a memory when the next one begins: more than most snapshots have. */
const LEFT_BYTES = 1 << 12;

export function newSnapshotRows(): SnapshotRows {
  return { memories: [], places: new Map() };
}

/** Notes a card as the close of a day left it; undefined: it has no sale left. Returns the base64 of its state. */
export function noteSnapshot(
  { memories, places }: SnapshotRows,
  itemId: string,
  day: number,
  card: CardState | undefined,
  params: Params,
): string {
  let ofCard = places.get(itemId);
  if (ofCard === undefined) {
    ofCard = [];
    places.set(itemId, ofCard);
  }
  let bytes = memories.at(-1);
  if (bytes === undefined || bytes.place() > MEMORY_BYTES - LEFT_BYTES) {
    // The first is small: most closes have few sales.
    bytes = bytes === undefined ? byteWriter() : byteWriter(MEMORY_BYTES);
    memories.push(bytes);
  }
  const begin = bytes.place();
  let state = '';
  if (card === undefined) writeEmptySnapshot(bytes, day);
  else {
    state = writeSnapshot(bytes, card, params);
    card.updates = [];
  }
  ofCard.push(periodOf(day), memories.length - 1, begin, bytes.place());
  return state;
}

/** Their rows; `appended`: those of the period that an earlier checkpoint has begun. */
type StoredRows = { added: BinaryRows; appended: BinaryRows };

/** What a checkpoint stores: rows of the period of `previousDay`, the last day of the checkpoint before, are appended to. */
export function snapshotRowsOf(rows: SnapshotRows, previousDay: number | null): StoredRows {
  const begun = previousDay === null ? Number.NEGATIVE_INFINITY : periodOf(previousDay);
  const [added, appended] = [newBinaryRows(), newBinaryRows()];
  for (const [id, places] of rows.places) {
    for (let i = 0; i < places.length; ) {
      const period = places[i]!;
      const parts: Buffer[] = [];
      for (; places[i] === period; i += 4)
        parts.push(rows.memories[places[i + 1]!]!.part(places[i + 2]!, places[i + 3]!));
      addRow(period > begun ? added : appended, id, period, parts);
    }
  }
  return { added, appended };
}

export async function storeSnapshots(session: Session, { added, appended }: StoredRows): Promise<void> {
  const columns = '(item_id, period, snapshots)';
  await copyBinary(session, `card_snapshots ${columns}`, added);
  await session.query('create temp table new_snapshots (item_id uuid, period int, snapshots bytea) on commit drop');
  await copyBinary(session, `new_snapshots ${columns}`, appended);
  await session.query(
    `insert into card_snapshots as stored ${columns} select item_id, period, snapshots from new_snapshots
     on conflict (item_id, period) do update set snapshots = stored.snapshots || excluded.snapshots`,
  );
}

function addRow(rows: BinaryRows, id: string, period: number, parts: readonly Buffer[]): void {
  rows.row(
    3,
    parts.reduce((bytes, part) => bytes + part.length, 0),
  );
  rows.uuid(id);
  rows.i32(period);
  rows.bytea(parts);
}
