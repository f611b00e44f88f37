import { unitVector } from '../../src/vision/vectors/stored-vectors.ts';

/** Vectors in any direction, the same for the same seed. */
export function randomVectors(count: number, seed: number): Float32Array[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => unitVector(Array.from({ length: 512 }, () => random() - 0.5)));
}

/** Numbers from 0 to 1 (mulberry32, Tommy Ettinger). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
