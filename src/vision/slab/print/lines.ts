import { groupBy } from '../../../lib/group-by.ts';
import type { Letter } from './letters.ts';

/** Letters in a row. */
export type TextLine = {
  letters: Letter[];
  /** Centres of the first and the last letter. */
  from: readonly [x: number, y: number];
  to: readonly [x: number, y: number];
  /** Median height of its letters, pixels. */
  height: number;
  /** Of the row against the horizontal, radians; clockwise is positive. */
  angle: number;
  /** Tall thin bars rather than letters. */
  isBarcode: boolean;
};

const MIN_LETTERS = 4;
const MIN_BARS = 9;
const MAX_SLOPE = 0.7;

/** Rows of letters, by linking each letter to its next neighbour on the right of the same size. */
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
    if (line !== null && standsAlone(line, grid, letters)) lines.push(line);
  }
  return lines;
}

/** Of the blots along a line, so many belong to it: on cloth and carpets there are blots everywhere. */
const OWN_SHARE = 0.6;

function standsAlone({ letters: own, from, to, height }: TextLine, grid: Grid, letters: readonly Letter[]): boolean {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const [cos, sin] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const top = Math.min(from[1], to[1]) - height;
  const bottom = Math.max(from[1], to[1]) + height;
  let there = 0;
  for (const i of within(grid, from[0], top, to[0], bottom)) {
    const { x, y, width, height: h } = letters[i]!;
    const [dx, dy] = [x + width / 2 - from[0], y + h / 2 - from[1]];
    const along = dx * cos + dy * sin;
    const aside = Math.abs(dy * cos - dx * sin);
    if (h > 0.4 * height && along >= -1 && along <= length + 1 && aside < 0.9 * height) there++;
  }
  return own.length >= OWN_SHARE * there;
}

/** How far apart two letters are in a row, in heights; null where they do not follow each other. */
function linkCost(a: Letter, b: Letter): number | null {
  const tall = Math.max(a.height, b.height);
  if (Math.min(a.height, b.height) < tall * 0.58) return null;
  const gap = b.x - (a.x + a.width);
  const dx = b.x + b.width / 2 - (a.x + a.width / 2);
  if (dx <= 0 || gap < -0.3 * tall || gap > 1.1 * tall) return null;
  const dy = b.y + b.height / 2 - (a.y + a.height / 2);
  if (Math.abs(dy) > Math.min(0.45 * tall, MAX_SLOPE * dx + 0.12 * tall)) return null;
  return Math.max(0, gap) / tall + (1.5 * Math.abs(dy)) / tall + Math.abs(a.height - b.height) / tall;
}

function lineOf(row: Letter[]): TextLine | null {
  if (row.length < MIN_LETTERS) return null;
  const height = median(row.map((letter) => letter.height));
  const isBarcode = row.length >= MIN_BARS && median(row.map((letter) => letter.width / letter.height)) < 0.28;
  const { slope, spread } = lineThrough(row);
  if (spread > 0.22 * height) return null;
  const first = row[0]!;
  const last = row.at(-1)!;
  return {
    letters: row,
    from: [first.x + first.width / 2, first.y + first.height / 2],
    to: [last.x + last.width / 2, last.y + last.height / 2],
    height,
    angle: Math.atan(slope),
    isBarcode,
  };
}

/** Least squares through the centres of the letters. */
function lineThrough(row: readonly Letter[]): { slope: number; spread: number } {
  let sx = 0;
  let sy = 0;
  for (const { x, y, width, height } of row) {
    sx += x + width / 2;
    sy += y + height / 2;
  }
  const mx = sx / row.length;
  const my = sy / row.length;
  let xx = 0;
  let xy = 0;
  for (const { x, y, width, height } of row) {
    const dx = x + width / 2 - mx;
    xx += dx * dx;
    xy += dx * (y + height / 2 - my);
  }
  const slope = xy / xx;
  let squares = 0;
  for (const { x, y, width, height } of row) squares += (y + height / 2 - my - slope * (x + width / 2 - mx)) ** 2;
  return { slope, spread: Math.sqrt(squares / row.length) };
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

/** Letters of the cells that a box touches. */
function* within(grid: Grid, left: number, top: number, right: number, bottom: number): Generator<number> {
  for (let cy = Math.floor(top / CELL_PX); cy <= bottom / CELL_PX; cy++) {
    for (let cx = Math.floor(left / CELL_PX); cx <= right / CELL_PX; cx++) {
      const there = grid.get(cy * 4096 + cx);
      if (there !== undefined) yield* there;
    }
  }
}
