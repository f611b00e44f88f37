/** Chance from a seed: the same seed gives the same sequence on every machine. */
export type Random = {
  /** 0 ≤ x < 1. */
  next(): number;
  below(n: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
};

/** mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for one request. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (n: number) => Math.floor(next() * n);
  return { next, below, chance: (share) => next() < share, pick: (list) => list[below(list.length)]! };
}
