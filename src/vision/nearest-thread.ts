/** The thread that builds a graph: an addition takes a millisecond of CPU, and nobody else should wait for it. */
import { constants, copyFileSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { newGraph, ROW_BYTES, rowsOf, VECTOR_BYTES } from './nearest-graph.ts';
import { digestOf } from './vectors.ts';

export type BuildData = {
  /** Folder of the index that is gone on with; null for a new one. */ base: string | null;
  folder: string;
};
/** Changes in their order, all vectors in one array; or the end. */
export type BuildMessage = { itemIds: string[]; isGone: boolean[]; vectors: Float32Array } | 'finish';
/** Sent after each message; the last one tells how many slots there are. */
export type BuildAnswer = { slots: number };

const { base, folder } = workerData as BuildData;
const graph = newGraph();
if (base !== null) {
  graph.load(join(base, 'graph'));
  copyFileSync(join(base, 'vectors'), join(folder, 'vectors'), constants.COPYFILE_FICLONE);
}
const vectorFile = openSync(join(folder, 'vectors'), base === null ? 'w' : 'r+');
let rows = base === null ? Buffer.alloc(0) : readFileSync(join(base, 'rows'));
const itemIds = rowsOf(rows);
const slotOf = new Map(itemIds.flatMap((id, slot) => (id === null ? [] : [[id, slot] as const])));
const free = itemIds.flatMap((id, slot) => (id === null ? [slot] : []));
let slots = itemIds.length;

parentPort!.on('message', (message: BuildMessage) => {
  if (message === 'finish') save();
  else apply(message);
  parentPort!.postMessage({ slots } satisfies BuildAnswer);
});

function apply({ itemIds, isGone, vectors }: Exclude<BuildMessage, 'finish'>): void {
  for (const [i, itemId] of itemIds.entries()) {
    remove(itemId);
    if (!isGone[i]) add(itemId, vectors.subarray(i * (VECTOR_BYTES / 4), (i + 1) * (VECTOR_BYTES / 4)));
  }
}

function remove(itemId: string): void {
  const slot = slotOf.get(itemId);
  if (slot === undefined) return;
  graph.remove(BigInt(slot));
  slotOf.delete(itemId);
  rows.fill(0, slot * ROW_BYTES, (slot + 1) * ROW_BYTES);
  free.push(slot);
}

function add(itemId: string, vector: Float32Array): void {
  const slot = free.pop() ?? slots++;
  graph.add(BigInt(slot), vector, 1);
  writeSync(vectorFile, vector, 0, VECTOR_BYTES, slot * VECTOR_BYTES);
  if (slots * ROW_BYTES > rows.length) rows = Buffer.concat([rows, Buffer.alloc(rows.length + 1024 * ROW_BYTES)]);
  rows.write(itemId.replaceAll('-', ''), slot * ROW_BYTES, 'hex');
  rows.writeBigInt64BE(digestOf(vector), slot * ROW_BYTES + 16);
  slotOf.set(itemId, slot);
}

function save(): void {
  graph.save(join(folder, 'graph'));
  writeFileSync(join(folder, 'rows'), rows.subarray(0, slots * ROW_BYTES));
}
