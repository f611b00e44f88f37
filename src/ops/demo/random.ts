import { uniformOf } from '../../lib/seeded.ts';

/** A seeded source of chance: the same name gives the same numbers on every machine. */
export type Chance = {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Standard normal, by Marsaglia's polar method. */
  normal(): number;
  /** True with probability p. */
  happens(p: number): boolean;
  /** One of the choices, by its weight. */
  pick<Choice>(choices: readonly (readonly [choice: Choice, weight: number])[]): Choice;
};

/** The chance that belongs to a name. */
export function chanceOf(name: string): Chance {
  const uniform = uniformOf(name);
  let spare = Number.NaN;
  return {
    uniform,
    normal() {
      if (!Number.isNaN(spare)) {
        const normal = spare;
        spare = Number.NaN;
        return normal;
      }
      for (;;) {
        const x = 2 * uniform() - 1;
        const y = 2 * uniform() - 1;
        const square = x * x + y * y;
        if (square === 0 || square >= 1) continue;
        const scale = Math.sqrt((-2 * Math.log(square)) / square);
        spare = y * scale;
        return x * scale;
      }
    },
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
