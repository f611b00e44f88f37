import type { Game } from '../../catalog/games.ts';
import { parseDay } from '../../lib/day.ts';
import type { DemoItem } from './items.ts';
import { deviationPath, levelPath, marketPath, releasePremium } from './price-process.ts';
import { chanceOf } from './random.ts';

/** Three years, up to the requested day. */
export const DEMO_DAYS = 1096;

/** Mean simulated sales a day of all cards of a game together. */
export const SALES_PER_DAY: Record<Game, number> = {
  pokemon: 8.5,
  'one-piece': 5,
  sports: 5.5,
  riftbound: 9,
  mtg: 2.4,
  yugioh: 2.2,
  lorcana: 1.4,
  digimon: 0.9,
  gundam: 1.6,
};

/** The log level of a game's market on each day of the window. */
export function marketWalk(game: Game): Float32Array {
  return marketPath(game, DEMO_DAYS, chanceOf(`market ${game}`));
}

/** The value of a card in a grade on a day of the window, in US dollars, by auction and without noise. */
export type DemoValue = (grade: DemoGrade, offset: number) => number;

/** The value of each card, computed at its first use. */
export type DemoValues = (item: DemoItem) => DemoValue;

/** What sales and listings are generated from; `endDay` is the UTC day number of the last day. */
export type DemoMarket = { endDay: number; items: readonly DemoItem[]; values: DemoValues };

/** What the cards are worth in the window that ends on `endDay` (UTC day number): sales and asks agree on it. */
export function demoValues(endDay: number): DemoValues {
  const walks = new Map<Game, Float32Array>();
  const values = new Map<string, DemoValue>();
  return (item) => {
    const known = values.get(item.demoId);
    if (known !== undefined) return known;
    const walk = walks.get(item.game) ?? marketWalk(item.game);
    walks.set(item.game, walk);
    const value = valuePath(item, walk, releaseDay(item) - (endDay - DEMO_DAYS + 1));
    values.set(item.demoId, value);
    return value;
  };
}

/** `released` is the offset of the card's release, below 0 before the window. */
function valuePath(item: DemoItem, walk: Float32Array, released: number): DemoValue {
  // Printings of a card, whose id goes on with what they are, rise and fall together.
  const cardId = item.demoId.split('/').slice(0, 4).join('/');
  const path = levelPath(DEMO_DAYS, chanceOf(`level ${cardId}`));
  const deviations = new Map<string, Float32Array>();
  return ({ company, grade, times }, offset) => {
    const name = `${company} ${grade}`;
    const deviation = deviations.get(name) ?? deviationPath(path, chanceOf(`deviation ${item.demoId} ${name}`));
    deviations.set(name, deviation);
    const log = walk[offset]! + path.level[offset]! + deviation[offset]! + releasePremium(offset - released);
    return item.rawUsd * times * Math.exp(log);
  };
}

const RELEASE_DAYS: Record<string, string> = { OGN: '2025-10-31', SFD: '2026-02-27' };

/** The first day of the window on which a card can be sold: none before it was published. */
export function firstOffset(item: DemoItem, firstDay: number): number {
  return Math.max(0, releaseDay(item) - firstDay);
}

function releaseDay(item: DemoItem): number {
  return parseDay(RELEASE_DAYS[item.setKey] ?? `${item.year}-07-01`)!;
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
