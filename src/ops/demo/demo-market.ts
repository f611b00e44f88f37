import type { Game } from '../../catalog/games.ts';
import { parseDay } from '../../lib/day.ts';
import type { DemoItem } from './items.ts';
import { chanceOf } from './random.ts';

/** Three years, up to the requested day. */
export const DEMO_DAYS = 1096;

type Temper = {
  /** Yearly drift of the whole game, in log units. */
  drift: number;
  /** Daily standard deviation of the whole game. */
  swing: number;
  /** Mean sales a day of all of its cards together. */
  salesPerDay: number;
};

/** How each simulated market behaves. */
export const TEMPERS: Record<Game, Temper> = {
  pokemon: { drift: 0.2, swing: 0.006, salesPerDay: 8.5 },
  'one-piece': { drift: 0.14, swing: 0.009, salesPerDay: 5 },
  sports: { drift: 0.02, swing: 0.005, salesPerDay: 5.5 },
  riftbound: { drift: -0.15, swing: 0.011, salesPerDay: 9 },
  mtg: { drift: 0.03, swing: 0.004, salesPerDay: 2.4 },
  yugioh: { drift: 0.05, swing: 0.005, salesPerDay: 2.2 },
  lorcana: { drift: -0.1, swing: 0.008, salesPerDay: 1.4 },
  digimon: { drift: 0.06, swing: 0.006, salesPerDay: 0.9 },
  gundam: { drift: 0.1, swing: 0.01, salesPerDay: 1.6 },
};

/** The log level of a game's market on each day of the window: a random walk with drift. */
export function marketWalk(game: Game): Float64Array {
  const { drift, swing } = TEMPERS[game];
  const chance = chanceOf(`market ${game}`);
  const walk = new Float64Array(DEMO_DAYS);
  // A slow wave on top of the walk: markets have seasons.
  const phase = chance.uniform() * 2 * Math.PI;
  let level = 0;
  for (let offset = 0; offset < DEMO_DAYS; offset++) {
    level += drift / 365 + swing * chance.normal();
    walk[offset] = level + 0.08 * Math.sin((2 * Math.PI * offset) / 420 + phase);
  }
  return walk;
}

const RELEASE_DAYS: Record<string, string> = { OGN: '2025-10-31', SFD: '2026-02-27' };

/** The first day of the window on which a card can be sold: none before it was published. */
export function firstOffset(item: DemoItem, firstDay: number): number {
  const released = parseDay(RELEASE_DAYS[item.setKey] ?? `${item.year}-07-01`)!;
  return Math.max(0, released - firstDay);
}

/** A grade that is simulated: its company and wire grade, its price as a multiple of the raw card, how often it sells. */
export type DemoGrade = { company: string; grade: string; times: number; weight: number };

type Row = [company: string, grade: string, times: number, weight: number];

const MODERN: Row[] = [
  ['RAW', 'A', 1, 34],
  ['RAW', 'B', 0.78, 8],
  ['PSA', '10', 2.6, 30],
  ['PSA', '9', 1.25, 16],
  ['PSA', '8', 0.9, 3],
  ['BGS', '9.5', 1.7, 3],
  ['BGS', '10 Pristine', 4.8, 1],
  ['CGC', '10', 1.9, 4],
  ['CGC', '9.5', 1.3, 1],
];
const VINTAGE: Row[] = [
  ['RAW', 'A', 1, 24],
  ['RAW', 'B', 0.6, 14],
  ['RAW', 'C', 0.4, 5],
  ['RAW', 'D', 0.24, 2],
  ['PSA', '10', 13, 9],
  ['PSA', '9', 3.2, 17],
  ['PSA', '8', 1.6, 14],
  ['PSA', '7', 1.1, 7],
  ['PSA', '6', 0.85, 3],
  ['BGS', '9.5', 6, 2],
  ['BGS', '9', 2.7, 1],
  ['CGC', '9', 2.6, 2],
];
const PRE_WAR: Row[] = [
  ['RAW', 'C', 0.5, 4],
  ['PSA', '1', 0.35, 14],
  ['PSA', '2', 0.5, 14],
  ['PSA', '3', 0.7, 15],
  ['PSA', '4', 0.95, 15],
  ['PSA', '5', 1.3, 14],
  ['PSA', '6', 1.9, 10],
  ['PSA', '7', 3.1, 8],
  ['PSA', '8', 7, 4],
];

/** The grades a card sells in. Grading costs money, so a cheap card's slab is worth more than its multiple. */
export function gradesOf(item: DemoItem): DemoGrade[] {
  const rows = item.year < 1970 ? PRE_WAR : item.year < 2004 ? VINTAGE : MODERN;
  const slabUsd = 9;
  return rows.map(([company, grade, times, weight]) => ({
    company,
    grade,
    times: company === 'RAW' ? times : times + slabUsd / Math.max(item.rawUsd, 1),
    weight,
  }));
}
