import { itemsOfHrefs } from '../catalog/upstream.ts';
import type { Db, Session } from '../db/client.ts';
import { UUID } from '../lib/uuid.ts';
import { EMBEDDING_MODEL } from './encoder/models.ts';
import { unitVector, writeVectors } from './vectors/stored-vectors.ts';

/** A row of a file: an item by catalog id or href with its vector, or why the row cannot be used. */
export type VectorEntry = { line: number } & (
  | { item: string; vector: readonly number[]; problem: null }
  | { item: null; problem: string }
);

/** rows = imported + rejected. */
type VectorImportReport = { rows: number; imported: number; rejected: number };

type VectorImportOptions = {
  /** Called after each batch. */
  onProgress?: (rows: number) => void;
  /** Called with each row that cannot be used. */
  onProblem?: (problem: { line: number; message: string }) => void;
};

type Row = { line: number; item: string; vector: Float32Array };

const BATCH_ROWS = 500;
/**
 * Takes vectors of the embedding model that were made elsewhere, in batches. Each represents the picture that its item
 * has now, and is made anew only when that picture changes. A row that cannot be used is reported and the others count;
 * importing again changes nothing that can be found.
 */
export async function importVectors(
  db: Db,
  entries: AsyncIterable<VectorEntry>,
  { onProgress, onProblem }: VectorImportOptions = {},
): Promise<VectorImportReport> {
  const report: VectorImportReport = { rows: 0, imported: 0, rejected: 0 };
  const lineOf = new Map<string, number>();
  const reject = (line: number, message: string) => {
    report.rejected++;
    onProblem?.({ line, message });
  };
  let batch: Row[] = [];
  const flush = async () => {
    const known = await db.session((session) => itemsOf(session, batch));
    const rows = batch.flatMap(({ line, item, vector }) => {
      const found = known.get(item);
      const before = found === undefined ? undefined : lineOf.get(found.itemId);
      if (found === undefined) reject(line, 'the item is neither a catalog id nor the href of one card');
      else if (before !== undefined) reject(line, `the item has a vector on line ${before}`);
      else {
        lineOf.set(found.itemId, line);
        return [{ ...found, vector }];
      }
      return [];
    });
    await writeVectors(db, EMBEDDING_MODEL, rows);
    report.imported += rows.length;
    batch = [];
    onProgress?.(report.rows);
  };
  for await (const entry of entries) {
    report.rows++;
    if (entry.item === null) reject(entry.line, entry.problem);
    else batch.push({ line: entry.line, item: entry.item, vector: unitVector(entry.vector) });
    if (batch.length >= BATCH_ROWS) await flush();
  }
  await flush();
  return report;
}

/** The items that rows name, each with the hash of its picture. */
async function itemsOf(
  session: Session,
  rows: readonly Row[],
): Promise<Map<string, { itemId: string; imageHash: string | null }>> {
  const names = rows.map(({ item }) => item);
  const itemOfHref = await itemsOfHrefs(session, names);
  const idOf = (name: string) => (UUID.test(name.toLowerCase()) ? name.toLowerCase() : itemOfHref.get(name)?.id);
  const ids = names.map(idOf).filter((id) => id !== undefined);
  const items = await session.query<{ itemId: string; imageHash: string | null }>(
    `select i.id as "itemId", p.hash as "imageHash" from items i left join item_images p on p.item_id = i.id
     where i.id = any($1::uuid[])`,
    [ids],
  );
  const byId = new Map(items.map((item) => [item.itemId, item]));
  return new Map(
    names.flatMap((name) => {
      const item = byId.get(idOf(name) ?? '');
      return item === undefined ? [] : [[name, item] as const];
    }),
  );
}
