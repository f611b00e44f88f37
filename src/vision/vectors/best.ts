import { VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';

/** An item whose vector was found: `score` is the cosine, 1 for the same picture. */
export type VectorHit = { itemId: string; score: number };

/** The `k` best by score; equal scores are ordered by id, so that every process answers alike. */
export function bestOf(hits: VectorHit[], k: number): VectorHit[] {
  return hits.sort((a, b) => b.score - a.score || (a.itemId < b.itemId ? -1 : 1)).slice(0, k);
}

/** The cosine of a query and the vector that begins at `at`, both of length 1. */
export function dot(query: Float32Array, vectors: Float32Array, at: number): number {
  // Four independent sums, which the processor adds in parallel.
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < VECTOR_LENGTH; i += 4) {
    a += query[i]! * vectors[at + i]!;
    b += query[i + 1]! * vectors[at + i + 1]!;
    c += query[i + 2]! * vectors[at + i + 2]!;
    d += query[i + 3]! * vectors[at + i + 3]!;
  }
  return a + b + c + d;
}
