import { exactSearch, MetricKind } from 'usearch';
import { GAMES, type Game } from '../../catalog/games.ts';
import { VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';

/**
 * Vectors of one model, quantized to a byte a number, all compared for each query. A vector is named by its version, a
 * number that no other has. Pure state: no I/O.
 */
export type VectorScan = {
  size(): number;
  /** Adds a vector: 512 values, of length 1. */
  add(version: number, game: Game, vector: Float32Array): void;
  /** Removes the vectors whose versions are gone. */
  remove(isGone: (version: number) => boolean): void;
  /**
   * Candidates for the `k` nearest of a game (of all games where it is null), nearest first: all whose quantized cosine is
   * so near to the k-th that the exactly nearest are among them, at most 4,096.
   */
  candidates(query: Float32Array, k: number, game: Game | null): number[];
};

/**
 * What a component is multiplied by before it is rounded to a byte: the largest of these at which the vector's largest
 * component still fits. Vectors of one scale are compared by their inner products alone, in 70% of the time of cosines;
 * a scale for each vector would need the cosine.
 */
const SCALES = [1016, 508, 254, 127];
/** Rows of a chunk, so that a scan grows without copying: each is as large as those before it together, within these limits. */
const LEAST_ROWS = 4096;
const MOST_ROWS = 32_768;
/** Candidates of a chunk that the first look returns beyond `k`. */
const BEYOND = 4;
/**
 * Times the size of a rounding step: how far beyond the k-th a candidate may be. Cosines of quantized card descriptors, nearly
 * all of scale 508, are off by .0004 in the median, .0023 at p99.9 and at most .0037 (300,000 pairs); this is .0059 there.
 */
const MARGIN_STEPS = 3;
const MOST_CANDIDATES = 4096;

/** Vectors of one game and scale; all chunks but the last are full. */
type Group = { scale: number; chunks: Chunk[] };
/** A chunk has a buffer of its own: the search reads a buffer from its beginning, whatever the offset of the view. */
type Chunk = { rows: Int8Array; versions: Float64Array; size: number };
/** A chunk that is searched. `unit` is the inner product of the query and a row that has its direction. */
type Searched = Chunk & { unit: number; margin: number };
type NearVector = { version: number; distance: number };

export function openScan(): VectorScan {
  const groupsOf = new Map<Game, Group[]>(GAMES.map((game) => [game, SCALES.map((scale) => ({ scale, chunks: [] }))]));
  const allGroups = [...groupsOf.values()].flat();

  return {
    size: () => allGroups.reduce((sum, group) => sum + sizeOf(group), 0),
    add(version, game, vector) {
      const scale = scaleOf(vector);
      const chunk = openChunk(groupsOf.get(game)!.find((group) => group.scale === scale)!);
      quantize(vector, scale, rowAt(chunk, chunk.size));
      chunk.versions[chunk.size++] = version;
    },
    remove(isGone) {
      // From the end: the group's last vector takes the place of the removed one.
      for (const { chunks } of allGroups)
        for (const chunk of chunks.toReversed())
          for (let at = chunk.size - 1; at >= 0; at--)
            if (isGone(chunk.versions[at]!)) replaceByLast(chunk, at, chunks);
    },
    candidates(query, k, game) {
      const scale = scaleOf(query);
      const quantized = new Int8Array(VECTOR_LENGTH);
      quantize(query, scale, quantized);
      const groups = game === null ? allGroups : groupsOf.get(game)!;
      const searched = groups.flatMap(({ scale: own, chunks }) =>
        chunks.map((chunk): Searched => ({ ...chunk, unit: own * scale, margin: MARGIN_STEPS / own })),
      );
      const first = searched.map((chunk) => nearestIn(chunk, quantized, k + BEYOND));
      const found = inOrder(first.flat());
      const kth = found[Math.min(k, found.length) - 1]?.distance ?? 0;
      const within = searched.flatMap((chunk, i) => {
        const farthest = kth + chunk.margin;
        // A chunk that returned nothing beyond the margin may have more within it.
        const hasMore = first[i]!.length < chunk.size && first[i]!.at(-1)!.distance <= farthest;
        const near = hasMore ? nearestIn(chunk, quantized, MOST_CANDIDATES) : first[i]!;
        return near.filter(({ distance }) => distance <= farthest);
      });
      return inOrder(within)
        .slice(0, MOST_CANDIDATES)
        .map(({ version }) => version);
    },
  };
}

function sizeOf({ chunks }: Group): number {
  return chunks.reduce((sum, chunk) => sum + chunk.size, 0);
}

/** The last chunk, or a new one where that is full. */
function openChunk(group: Group): Chunk {
  const last = group.chunks.at(-1);
  if (last !== undefined && last.size < last.versions.length) return last;
  const rows = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, sizeOf(group)));
  const chunk = { rows: new Int8Array(rows * VECTOR_LENGTH), versions: new Float64Array(rows), size: 0 };
  group.chunks.push(chunk);
  return chunk;
}

function replaceByLast(chunk: Chunk, at: number, chunks: Chunk[]): void {
  const last = chunks.at(-1)!;
  last.size--;
  chunk.rows.set(rowAt(last, last.size), at * VECTOR_LENGTH);
  chunk.versions[at] = last.versions[last.size]!;
  if (last.size === 0) chunks.pop();
}

function rowAt({ rows }: Chunk, at: number): Int8Array {
  return rows.subarray(at * VECTOR_LENGTH, (at + 1) * VECTOR_LENGTH);
}

/** The `count` nearest of a chunk, nearest first. */
function nearestIn({ rows, versions, size, unit }: Searched, query: Int8Array, count: number): NearVector[] {
  const used = rows.subarray(0, size * VECTOR_LENGTH);
  const { keys, distances } = exactSearch(used, query, VECTOR_LENGTH, Math.min(count, size), MetricKind.IP, 1);
  // The distance is 1 - the inner product.
  return Array.from(keys, (key, i) => ({ version: versions[Number(key)]!, distance: 1 - (1 - distances[i]!) / unit }));
}

function inOrder(candidates: NearVector[]): NearVector[] {
  return candidates.sort((a, b) => a.distance - b.distance || a.version - b.version);
}

function scaleOf(vector: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < VECTOR_LENGTH; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  return SCALES.find((scale) => scale * largest < 127.5) ?? SCALES.at(-1)!;
}

function quantize(vector: Float32Array, scale: number, to: Int8Array): void {
  // A sixth of the time of Math.round.
  for (let i = 0; i < VECTOR_LENGTH; i++) to[i] = Math.floor(scale * vector[i]! + 0.5);
}
