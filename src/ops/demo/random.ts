/** A seeded source of chance: the same name gives the same numbers on every machine. */
export type Chance = {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Standard normal, by Box and Muller. */
  normal(): number;
  /** True with probability p. */
  happens(p: number): boolean;
  /** One of the choices, by its weight. */
  pick<Choice>(choices: readonly (readonly [choice: Choice, weight: number])[]): Choice;
};

/** The chance that belongs to a name (FNV-1a of it seeds mulberry32). */
export function chanceOf(name: string): Chance {
  let state = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) state = Math.imul(state ^ name.charCodeAt(i), 0x01000193);
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    happens: (p) => uniform() < p,
    pick(choices) {
      let left = uniform() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [choice, weight] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      return choices.at(-1)![0];
    },
  };
}
