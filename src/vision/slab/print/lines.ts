import { groupBy } from '../../../lib/group-by.ts';
import { mean } from '../../../lib/stats.ts';
import { centerOf, distance, middleOf, type Point } from '../../quad.ts';
import type { Letter } from './letters.ts';

/** Letters in a row. */
export type TextLine = {
  letters: Letter[];
  /** Centers of the first and the last letter. */
  from: Point;
  to: Point;
  /** Median height of its letters, pixels. */
  height: number;
  /** Of the row against the horizontal, radians; clockwise is positive. */
  angle: number;
};

const MIN_LETTERS = 4;
const MAX_SLOPE = 0.7;

/** Rows of letters, by linking each letter to its next neighbor on the right of the same size. */
export function findLines(letters: readonly Letter[]): TextLine[] {
  const grid = gridOf(letters);
  const next = new Int32Array(letters.length).fill(-1);
  const taken = new Uint8Array(letters.length);
  const links: { from: number; to: number; cost: number }[] = [];
  for (let i = 0; i < letters.length; i++) {
    for (const j of near(grid, letters[i]!)) {
      const cost = linkCost(letters[i]!, letters[j]!);
      if (cost !== null) links.push({ from: i, to: j, cost });
    }
  }
  links.sort((a, b) => a.cost - b.cost);
  for (const { from, to } of links) {
    if (next[from] !== -1 || taken[to] === 1) continue;
    next[from] = to;
    taken[to] = 1;
  }
  const lines: TextLine[] = [];
  for (let i = 0; i < letters.length; i++) {
    if (taken[i] === 1) continue;
    const row: Letter[] = [];
    for (let at = i; at !== -1; at = next[at]!) row.push(letters[at]!);
    const line = lineOf(row);
    if (line !== null && isDistinct(line, grid, letters)) lines.push(line);
  }
  return lines;
}

/** Of the blots along a line, so many belong to it: on cloth and carpets there are blots everywhere. */
const OWN_SHARE = 0.6;

function isDistinct({ letters: own, from, to, height }: TextLine, grid: Grid, letters: readonly Letter[]): boolean {
  const length = distance(from, to);
  const [cos, sin] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const top = Math.min(from[1], to[1]) - height;
  const bottom = Math.max(from[1], to[1]) + height;
  let there = 0;
  for (const i of within(grid, from[0], top, to[0], bottom)) {
    const [x, y] = middleOf(letters[i]!);
    const [dx, dy] = [x - from[0], y - from[1]];
    const along = dx * cos + dy * sin;
    const aside = Math.abs(dy * cos - dx * sin);
    if (letters[i]!.height > 0.4 * height && along >= -1 && along <= length + 1 && aside < 0.9 * height) there++;
  }
  return own.length >= OWN_SHARE * there;
}

/** The distance of two letters in a row, in heights; null where they do not follow each other. */
function linkCost(a: Letter, b: Letter): number | null {
  const tall = Math.max(a.height, b.height);
  if (Math.min(a.height, b.height) < tall * 0.58) return null;
  const gap = b.x - (a.x + a.width);
  const [dx, dy] = [middleOf(b)[0] - middleOf(a)[0], middleOf(b)[1] - middleOf(a)[1]];
  if (dx <= 0 || gap < -0.3 * tall || gap > 1.1 * tall) return null;
  if (Math.abs(dy) > Math.min(0.45 * tall, MAX_SLOPE * dx + 0.12 * tall)) return null;
  return Math.max(0, gap) / tall + (1.5 * Math.abs(dy)) / tall + Math.abs(a.height - b.height) / tall;
}

function lineOf(row: Letter[]): TextLine | null {
  if (row.length < MIN_LETTERS) return null;
  const height = median(row.map((letter) => letter.height));
  const { slope, spread } = lineThrough(row);
  if (spread > 0.22 * height) return null;
  return { letters: row, from: middleOf(row[0]!), to: middleOf(row.at(-1)!), height, angle: Math.atan(slope) };
}

/** Least squares through the centers of the letters. */
function lineThrough(row: readonly Letter[]): { slope: number; spread: number } {
  const centers = row.map(middleOf);
  const [mx, my] = centerOf(centers);
  let [xx, xy] = [0, 0];
  for (const [x, y] of centers) {
    xx += (x - mx) ** 2;
    xy += (x - mx) * (y - my);
  }
  const slope = xy / xx;
  return { slope, spread: Math.sqrt(mean(centers.map(([x, y]) => (y - my - slope * (x - mx)) ** 2))) };
}

export function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

const CELL_PX = 40;
type Grid = Map<number, number[]>;

function gridOf(letters: readonly Letter[]): Grid {
  return groupBy(letters.keys(), (i) => {
    const { x, y, height } = letters[i]!;
    return Math.floor((y + height / 2) / CELL_PX) * 4096 + Math.floor(x / CELL_PX);
  });
}

function near(grid: Grid, { x, y, width, height }: Letter): Generator<number> {
  const reach = 1.7 * height;
  const middle = y + height / 2;
  return within(grid, x, middle - reach, x + width + 1.2 * reach, middle + reach);
}

/** Letters of the cells that a box covers. */
function* within(grid: Grid, left: number, top: number, right: number, bottom: number): Generator<number> {
  for (let cy = Math.floor(top / CELL_PX); cy <= bottom / CELL_PX; cy++)
    for (let cx = Math.floor(left / CELL_PX); cx <= right / CELL_PX; cx++) yield* grid.get(cy * 4096 + cx) ?? [];
}
