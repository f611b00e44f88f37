import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { Index, MetricKind, ScalarKind } from 'usearch';
import { VECTOR_LENGTH } from '../catalog/tags/zero-shot.ts';
import { uuidAt } from './vectors.ts';

/** How a graph is built: bytes, since what it finds is compared exactly. An index on disk of other settings is not used. */
export const GRAPH = { quantization: ScalarKind.I8, connectivity: 32, expansionAdd: 128 } as const;
/** Candidates that are kept while looking, at least; bench/vision/vectors.ts. */
const EXPANSION_SEARCH = 192;

export const ROW_BYTES = 24;
export const VECTOR_BYTES = 4 * VECTOR_LENGTH;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** An index opened for reading: its files stay on disk, mapped into memory or read where needed. */
export type Graph = {
  /** By slot; null where it is empty. */
  itemIds: readonly (string | null)[];
  digestOf(slot: number): bigint;
  /** About the `count` nearest slots, in any order. */
  search(query: Float32Array, count: number): number[];
  /** The vector of a slot; valid until the next call. */
  vectorOf(slot: number): Float32Array;
  close(): void;
};

/** A graph without vectors, as all of ours are made. */
export function newGraph(): Index {
  return new Index({
    dimensions: VECTOR_LENGTH,
    metric: MetricKind.Cos,
    quantization: GRAPH.quantization,
    connectivity: GRAPH.connectivity,
    expansion_add: GRAPH.expansionAdd,
    expansion_search: EXPANSION_SEARCH,
    multi: false,
  });
}

/** Opens the index in a folder. Throws what the system throws when its files are gone. */
export function openGraph(folder: string): Graph {
  const index = newGraph();
  index.view(join(folder, 'graph'));
  const rows = readFileSync(join(folder, 'rows'));
  const file = openSync(join(folder, 'vectors'), 'r');
  const vector = new Float32Array(VECTOR_LENGTH);
  const bytes = new Uint8Array(vector.buffer);
  return {
    itemIds: rowsOf(rows),
    digestOf: (slot) => rows.readBigInt64BE(slot * ROW_BYTES + 16),
    search: (query, count) => Array.from(index.search(query, count, 1).keys, Number),
    vectorOf(slot) {
      readSync(file, bytes, 0, VECTOR_BYTES, slot * VECTOR_BYTES);
      return vector;
    },
    close: () => closeSync(file),
  };
}

/** The ids of a `rows` file by slot. */
export function rowsOf(rows: Buffer): (string | null)[] {
  return Array.from({ length: rows.length / ROW_BYTES }, (_, slot) => {
    const id = uuidAt(rows, slot * ROW_BYTES);
    return id === NO_ID ? null : id;
  });
}
