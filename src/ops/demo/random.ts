import { uniformOf } from '../../lib/seeded.ts';

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

/** The chance that belongs to a name. */
export function chanceOf(name: string): Chance {
  const uniform = uniformOf(name);
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
