/** Numbers that one seed always gives in one order. */
export type Random = {
  /** 0 up to 1. */
  next: () => number;
  between: (least: number, most: number) => number;
  /** Whole, both ends included. */
  whole: (least: number, most: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(choices: readonly T[]) => T;
  /** Mean 0, deviation 1, by the sum of four even draws: quick, and bounded. */
  normal: () => number;
};

/** Mulberry32 by Tommy Ettinger, public domain. */
export function randomOf(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const between = (least: number, most: number) => least + (most - least) * next();
  return {
    next,
    between,
    whole: (least, most) => Math.floor(between(least, most + 1)),
    chance: (probability) => next() < probability,
    pick: (choices) => choices[Math.floor(next() * choices.length)]!,
    normal: () => (next() + next() + next() + next() - 2) * Math.sqrt(3),
  };
}
