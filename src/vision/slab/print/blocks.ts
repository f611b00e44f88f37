import { groupBy } from '../../../lib/group-by.ts';
import type { Point } from '../../quad.ts';
import type { GreyPixels } from './grey.ts';
import { median, type TextLine } from './lines.ts';

/** Lines of print that belong together, with the upright frame of their reading direction. */
export type TextBlock = {
  lines: TextLine[];
  /** Median of the lines' angles, radians. */
  angle: number;
  /** Median height of its letters, pixels. */
  height: number;
  /** The turned box around the lines: its center, and its sides along and across the lines, pixels. */
  center: Point;
  width: number;
  depth: number;
  letters: number;
};

const MAX_TURN = 0.12;
/** Gaps in heights of a letter: between lines above one another, between words of a line, and across bare paper. */
const STACKED_GAP = 2.6;
const WORD_GAP = 3.2;
const PAPER_GAP = 16;
/** Paper changes its brightness so much between two samples at most, a third of a letter from each other. */
const PAPER_STEP = 9;

/** Groups lines by their places; `paper` is the picture with its letters closed. */
export function findBlocks(lines: readonly TextLine[], paper: GreyPixels): TextBlock[] {
  const parent = lines.map((_, i) => i);
  const root = (i: number): number => {
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]!]!;
      i = parent[i]!;
    }
    return i;
  };
  for (let i = 0; i < lines.length; i++) {
    for (let j = i + 1; j < lines.length; j++) {
      if (root(i) !== root(j) && belongTogether(lines[i]!, lines[j]!, paper)) parent[root(i)] = root(j);
    }
  }
  const groups = groupBy(lines.keys(), root);
  return joined(
    [...groups.values()].map((group) => blockOf(group.map((i) => lines[i]!))),
    paper,
  );
}

/** Gaps between blocks of one label, along and across its lines, in heights of a letter; wider ones over bare paper. */
const BLOCK_GAP = { along: 8, down: 3.2 };
const BARE_GAP = { along: 18, down: 2.2 };
const MAX_JOINED = { width: 60, depth: 18 };

/** Joins blocks near each other, such as the corners of a label. */
function joined(blocks: TextBlock[], paper: GreyPixels): TextBlock[] {
  for (let i = 0; i < blocks.length; i++) {
    for (let j = i + 1; j < blocks.length; j++) {
      if (!areOne(blocks[i]!, blocks[j]!, paper)) continue;
      const both = blockOf([...blocks[i]!.lines, ...blocks[j]!.lines]);
      if (both.width > MAX_JOINED.width * both.height || both.depth > MAX_JOINED.depth * both.height) continue;
      return joined([...blocks.filter((_, k) => k !== i && k !== j), both], paper);
    }
  }
  return blocks;
}

function areOne(a: TextBlock, b: TextBlock, paper: GreyPixels): boolean {
  const [short, tall] = a.height < b.height ? [a.height, b.height] : [b.height, a.height];
  if (Math.abs(a.angle - b.angle) > MAX_TURN || short < 0.5 * tall) return false;
  const angle = a.letters > b.letters ? a.angle : b.angle;
  const ca = turned(a.center, angle);
  const cb = turned(b.center, angle);
  const along = Math.abs(ca.along - cb.along) - (a.width + b.width) / 2;
  const down = Math.abs(ca.down - cb.down) - (a.depth + b.depth) / 2;
  if (along < BLOCK_GAP.along * short && down < BLOCK_GAP.down * short) return true;
  if (along > BARE_GAP.along * short || down > BARE_GAP.down * short) return false;
  const [left, right] = ca.along < cb.along ? [a, b] : [b, a];
  return isBarePaper(paper, sideOf(left, 1), sideOf(right, -1), short);
}

/** The middle of the right side of a block, or of the left one. */
function sideOf({ center, width, angle }: TextBlock, side: 1 | -1): Point {
  const out = (side * width) / 2;
  return [center[0] + out * Math.cos(angle), center[1] + out * Math.sin(angle)];
}

function belongTogether(a: TextLine, b: TextLine, paper: GreyPixels): boolean {
  if (Math.abs(a.angle - b.angle) > MAX_TURN) return false;
  const tall = Math.max(a.height, b.height);
  const short = Math.min(a.height, b.height);
  if (short < tall * 0.4) return false;
  const angle = (a.angle + b.angle) / 2;
  const [a0, a1] = spanOf(a, angle);
  const [b0, b1] = spanOf(b, angle);
  const across = Math.abs(a0.down + a1.down - b0.down - b1.down) / 2;
  const gap = Math.max(a0.along, b0.along) - Math.min(a1.along, b1.along);
  if (across - (a.height + b.height) / 2 < STACKED_GAP * short && gap < -short) return true;
  if (across > 0.6 * tall || short < tall * 0.65) return false;
  if (gap < WORD_GAP * short) return true;
  if (gap > PAPER_GAP * short) return false;
  const [left, right] = a0.along < b0.along ? [a.to, b.from] : [b.to, a.from];
  return isBarePaper(paper, left, right, short);
}

/** Whether the paper goes on from one line to the next, with no edge between. */
function isBarePaper({ data, width, height }: GreyPixels, from: Point, to: Point, letterPx: number): boolean {
  const steps = Math.max(3, Math.round((3 * Math.hypot(to[0] - from[0], to[1] - from[1])) / letterPx));
  let last = -1;
  for (let step = 0; step <= steps; step++) {
    const x = Math.round(from[0] + ((to[0] - from[0]) * step) / steps);
    const y = Math.round(from[1] + ((to[1] - from[1]) * step) / steps);
    if (x < 0 || y < 0 || x >= width || y >= height) return false;
    const value = data[y * width + x]!;
    if (last !== -1 && Math.abs(value - last) > PAPER_STEP) return false;
    last = value;
  }
  return true;
}

type Turned = { along: number; down: number };

function turned([x, y]: Point, angle: number): Turned {
  return { along: x * Math.cos(angle) + y * Math.sin(angle), down: y * Math.cos(angle) - x * Math.sin(angle) };
}

function spanOf({ from, to }: TextLine, angle: number): [Turned, Turned] {
  return [turned(from, angle), turned(to, angle)];
}

function blockOf(lines: TextLine[]): TextBlock {
  const angle = median(lines.flatMap((line) => line.letters.map(() => line.angle)));
  const height = median(lines.flatMap((line) => line.letters.map(() => line.height)));
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const line of lines) {
    for (const { along, down } of spanOf(line, angle)) {
      left = Math.min(left, along - line.height / 2);
      right = Math.max(right, along + line.height / 2);
      top = Math.min(top, down - line.height / 2);
      bottom = Math.max(bottom, down + line.height / 2);
    }
  }
  const middle = turned([(left + right) / 2, (top + bottom) / 2], -angle);
  return {
    lines,
    angle,
    height,
    center: [middle.along, middle.down],
    width: right - left,
    depth: bottom - top,
    letters: lines.reduce((sum, line) => sum + line.letters.length, 0),
  };
}
