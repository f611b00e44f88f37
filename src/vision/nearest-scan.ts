import { exactSearch, MetricKind } from 'usearch';
import type { Game } from '../catalog/games.ts';
import { VECTOR_LENGTH } from '../catalog/tags/zero-shot.ts';

/** A vector that was found: `score` is the cosine, 1 for the same picture. */
export type Hit = { itemId: string; score: number };

/** Vectors in memory, each of an item, every one of them compared: what it finds is exact. */
export type VectorScan = {
  size(): number;
  /** Puts an item's vector (512 values of length 1) in the place of the one it had. */
  put(itemId: string, game: Game, vector: Float32Array): void;
  /** False when the item had none. */
  remove(itemId: string): boolean;
  /** The `k` nearest of a game (of all where it is null), the best first. */
  search(query: Float32Array, k: number, game: Game | null): Hit[];
};

/** Two megabytes: grows without copying what there is. */
const CHUNK_ROWS = 1024;
/** More than what usearch's sums of 32 bits are off. */
const SLACK = 1e-5;

export function openScan(): VectorScan {
  const chunks: Float32Array[] = [];
  const itemIds: string[] = [];
  const games: Game[] = [];
  const rowOf = new Map<string, number>();

  const at = (row: number) => (row % CHUNK_ROWS) * VECTOR_LENGTH;
  const chunkOf = (row: number) => chunks[Math.floor(row / CHUNK_ROWS)]!;

  return {
    size: () => itemIds.length,
    put(itemId, game, vector) {
      const row = rowOf.get(itemId) ?? itemIds.length;
      if (row === chunks.length * CHUNK_ROWS) chunks.push(new Float32Array(CHUNK_ROWS * VECTOR_LENGTH));
      chunkOf(row).set(vector, at(row));
      itemIds[row] = itemId;
      games[row] = game;
      rowOf.set(itemId, row);
    },
    remove(itemId) {
      const row = rowOf.get(itemId);
      if (row === undefined) return false;
      // The last one takes its place.
      const last = itemIds.length - 1;
      const moved = itemIds.pop()!;
      const game = games.pop()!;
      rowOf.delete(itemId);
      if (row !== last) {
        chunkOf(row).set(chunkOf(last).subarray(at(last), at(last) + VECTOR_LENGTH), at(row));
        itemIds[row] = moved;
        games[row] = game;
        rowOf.set(moved, row);
      }
      if (last % CHUNK_ROWS === 0) chunks.pop();
      return true;
    },
    search(query, k, game) {
      const best = openBest(k);
      // A copy: usearch reads from the beginning of the buffer.
      const asked = query.slice();
      for (const [i, chunk] of chunks.entries()) {
        const first = i * CHUNK_ROWS;
        const isWanted = (row: number) =>
          first + row < itemIds.length && (game === null || games[first + row] === game);
        for (const row of nearestRows(chunk, asked, k, isWanted))
          best.offer(itemIds[first + row]!, dot(query, chunk, at(row)));
      }
      return best.hits;
    },
  };
}

/** Wanted rows of a chunk, the `k` nearest of them among these for sure, equal ones too. */
function nearestRows(
  chunk: Float32Array,
  query: Float32Array,
  k: number,
  isWanted: (row: number) => boolean,
): number[] {
  let rows: number[] = [];
  // To put all in order costs more than to compare them: mostly a few are enough.
  for (const count of [Math.min(2 * k + 16, CHUNK_ROWS), CHUNK_ROWS]) {
    const { keys, distances } = exactSearch(chunk, query, VECTOR_LENGTH, count, MetricKind.IP, 1);
    let farthest = Number.POSITIVE_INFINITY;
    rows = [];
    for (const [place, key] of keys.entries()) {
      if (distances[place]! > farthest) return rows;
      if (!isWanted(Number(key))) continue;
      rows.push(Number(key));
      if (rows.length === k) farthest = distances[place]! + SLACK;
    }
  }
  return rows;
}

/** Keeps the `k` best of what it is offered: by score, equal ones by id, so that every process answers alike. */
export function openBest(k: number): { hits: Hit[]; offer(itemId: string, score: number): void } {
  const hits: Hit[] = [];
  return {
    hits,
    offer(itemId, score) {
      const worst = hits.length < k ? undefined : hits.at(-1);
      if (worst !== undefined && (score < worst.score || (score === worst.score && itemId > worst.itemId))) return;
      let place = hits.length;
      while (place > 0 && isBefore(itemId, score, hits[place - 1]!)) place--;
      hits.splice(place, 0, { itemId, score });
      if (hits.length > k) hits.pop();
    },
  };
}

function isBefore(itemId: string, score: number, other: Hit): boolean {
  return score > other.score || (score === other.score && itemId < other.itemId);
}

/** Of a query and the vector that begins at `at`: their cosine, as both have length 1. */
export function dot(query: Float32Array, vectors: Float32Array, at: number): number {
  // Four sums: the processor adds them side by side.
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < VECTOR_LENGTH; i += 4) {
    a += query[i]! * vectors[at + i]!;
    b += query[i + 1]! * vectors[at + i + 1]!;
    c += query[i + 2]! * vectors[at + i + 2]!;
    d += query[i + 3]! * vectors[at + i + 3]!;
  }
  return a + b + c + d;
}
