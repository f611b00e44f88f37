import type { Chance } from './random.ts';

/** The look of a demo drawing, and its `mood` tag. Percents of HSL; weights of circles, bars and triangles. */
export type Mood = {
  slug: string;
  name: string;
  saturation: number;
  light: readonly [least: number, most: number];
  shapes: readonly [circles: number, bars: number, triangles: number];
};

export const MOODS: readonly Mood[] = [
  { slug: 'cheerful', name: 'Cheerful', saturation: 85, light: [50, 75], shapes: [4, 1, 1] },
  { slug: 'calm', name: 'Calm', saturation: 35, light: [55, 80], shapes: [1, 4, 0] },
  { slug: 'fierce', name: 'Fierce', saturation: 80, light: [30, 55], shapes: [0, 1, 4] },
  { slug: 'gloomy', name: 'Gloomy', saturation: 20, light: [15, 40], shapes: [1, 2, 2] },
];

export function moodOf(chance: Chance): Mood {
  return chance.pick(MOODS.map((mood) => [mood, 1] as const));
}
