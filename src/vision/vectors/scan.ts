import { exactSearch, MetricKind } from 'usearch';
import { GAMES, type Game } from '../../catalog/games.ts';
import { VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';

/** Vectors of one model, quantized to a byte a number, all compared for each query. Pure state: no I/O. */
export type VectorScan = {
  size(): number;
  /** Adds an item's quantized vector (512 bytes), or replaces the one it has. */
  put(itemId: string, game: Game, row: Int8Array): void;
  /** False when the item had none. */
  remove(itemId: string): boolean;
  /**
   * Candidates for the `k` nearest of a game (of all games where it is null), nearest first: all whose quantized cosine is
   * within .004 of the k-th, at most 4,096, so that the exactly nearest are among them.
   */
  candidates(query: Int8Array, k: number, game: Game | null): string[];
};

/** Two megabytes of one game: a scan grows without copying. */
const CHUNK_ROWS = 4096;
/** Candidates of a chunk that the first look returns beyond `k`. */
const BEYOND = 16;
/** Cosines of quantized card descriptors are off by .0003 in the median, .0017 at p99.9 and at most .0026 (300,000 pairs). */
const MARGIN = 0.004;
const MOST_CANDIDATES = 4096;

type Chunk = { rows: Int8Array; itemIds: string[] };
type NearVector = { itemId: string; distance: number };

export function openScan(): VectorScan {
  const chunksOf = new Map<Game, Chunk[]>(GAMES.map((game) => [game, []]));
  const places = new Map<string, { game: Game; row: number }>();

  function chunkAt(game: Game, row: number): { chunk: Chunk; at: number } {
    const chunks = chunksOf.get(game)!;
    const index = Math.floor(row / CHUNK_ROWS);
    chunks[index] ??= { rows: new Int8Array(CHUNK_ROWS * VECTOR_LENGTH), itemIds: [] };
    return { chunk: chunks[index], at: row % CHUNK_ROWS };
  }

  function countOf(game: Game): number {
    const chunks = chunksOf.get(game)!;
    return chunks.length === 0 ? 0 : (chunks.length - 1) * CHUNK_ROWS + chunks.at(-1)!.itemIds.length;
  }

  function set(itemId: string, game: Game, row: number, vector: Int8Array): void {
    const { chunk, at } = chunkAt(game, row);
    chunk.rows.set(vector, at * VECTOR_LENGTH);
    chunk.itemIds[at] = itemId;
    places.set(itemId, { game, row });
  }

  return {
    size: () => places.size,
    put: (itemId, game, vector) => set(itemId, game, places.get(itemId)?.row ?? countOf(game), vector),
    remove(itemId) {
      const place = places.get(itemId);
      if (place === undefined) return false;
      const { game, row } = place;
      places.delete(itemId);
      // The last vector of the game takes its place.
      const last = countOf(game) - 1;
      const { chunk, at } = chunkAt(game, last);
      const moved = chunk.itemIds.pop()!;
      if (row !== last) set(moved, game, row, chunk.rows.subarray(at * VECTOR_LENGTH, (at + 1) * VECTOR_LENGTH));
      if (at === 0) chunksOf.get(game)!.pop();
      return true;
    },
    candidates(query, k, game) {
      const chunks = game === null ? [...chunksOf.values()].flat() : chunksOf.get(game)!;
      const first = chunks.map((chunk) => nearestIn(chunk, query, k + BEYOND));
      const found = inOrder(first.flat());
      const farthest = (found[Math.min(k, found.length) - 1]?.distance ?? 0) + MARGIN;
      // A chunk that returned nothing beyond the margin may have more within it.
      const complete = chunks.map((chunk, i) =>
        first[i]!.length < chunk.itemIds.length && first[i]!.at(-1)!.distance <= farthest
          ? nearestIn(chunk, query, CHUNK_ROWS)
          : first[i]!,
      );
      const within = inOrder(complete.flat()).filter(({ distance }) => distance <= farthest);
      return within.slice(0, MOST_CANDIDATES).map(({ itemId }) => itemId);
    },
  };
}

/** The `count` nearest of a chunk by their quantized cosines, nearest first. */
function nearestIn({ rows, itemIds }: Chunk, query: Int8Array, count: number): NearVector[] {
  const used = rows.subarray(0, itemIds.length * VECTOR_LENGTH);
  const { keys, distances } = exactSearch(
    used,
    query,
    VECTOR_LENGTH,
    Math.min(count, itemIds.length),
    MetricKind.Cos,
    1,
  );
  return Array.from(keys, (key, i) => ({ itemId: itemIds[Number(key)]!, distance: distances[i]! }));
}

function inOrder(candidates: NearVector[]): NearVector[] {
  return candidates.sort((a, b) => a.distance - b.distance || (a.itemId < b.itemId ? -1 : 1));
}

/** Scales a vector so that its largest component is ±127, and rounds it: its direction stays nearly the same. */
export function quantize(vector: Float32Array, to: Int8Array, at: number): void {
  let largest = 0;
  for (let i = 0; i < VECTOR_LENGTH; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  const factor = 127 / largest;
  for (let i = 0; i < VECTOR_LENGTH; i++) to[at + i] = Math.round(factor * vector[i]!);
}
