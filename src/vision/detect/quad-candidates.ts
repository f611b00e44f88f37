import { areaOf, isConvex, orderQuad, type Point, type Quad, sidesOf } from '../quad.ts';
import { type EdgeLine, meeting, pointOn, supportOf } from './edge-lines.ts';
import { shapeOf } from './shape.ts';

/** Four lines that might be the sides of a card. */
export type QuadCandidate = { quad: Quad; score: number };

export type SearchLimits = {
  /** Long side of a card, as a share of the photo's long side. */
  least: number;
  most: number;
  /** How far a side may go on beyond the edges seen of it, as a share of their length. */
  reach: number;
  /** After so many quads no more are looked for; those of the longest lines are found first. */
  found: number;
};

/** Corners may be outside the photo by this share of its sides. */
const OUTSIDE = 0.03;
const MIN_SUPPORT = { each: 0.2, mean: 0.5 };
const MIN_OPPOSITE = 0.5;
/** Of the angle between neighboring sides. */
const MIN_SINE = 0.6;
const ASPECTS = { least: 0.5, most: 0.98 };

type Meeting = { other: number; t: number; otherT: number };

/** Quads whose sides are on the lines, the likeliest first. */
export function candidatesOf(
  lines: readonly EdgeLine[],
  photo: { width: number; height: number },
  limits: SearchLimits,
): QuadCandidate[] {
  const long = Math.max(photo.width, photo.height);
  const [leastPx, mostPx] = [limits.least * long, limits.most * long];
  const meetings = meetingsOf(lines, photo, limits.reach);
  const met = indexOf(meetings);
  const found: QuadCandidate[] = [];
  // Sides a and b face each other, and so do c and d; each pair of facing sides is tried once, a before b.
  for (let a = 0; a < lines.length; a++) {
    const ofA = meetings[a]!;
    for (let i = 0; i < ofA.length; i++) {
      const { other: c, t: ac, otherT: ca } = ofA[i]!;
      if (c < a) continue;
      let facing: Facing[] | null = null;
      // Meetings are in the order of the other lines: d is after c.
      for (let j = i + 1; j < ofA.length; j++) {
        const { other: d, t: ad, otherT: da } = ofA[j]!;
        const top = Math.abs(ac - ad);
        if (top < leastPx * 0.5 || top > mostPx) continue;
        const onA = supportOf(lines[a]!, ac, ad);
        if (onA < MIN_SUPPORT.each) continue;
        facing ??= facingOf(a, lines[c]!, ca, meetings[c]!);
        for (const { b, bc, left, onC } of facing) {
          if (left < top * 0.4 || left > top * 2.5 || Math.max(top, left) < leastPx || left > mostPx) continue;
          const last = met[d * lines.length + b]!;
          if (last === 0) continue;
          const { t: db, otherT: bd } = meetings[d]![last - 1]!;
          const onB = supportOf(lines[b]!, bc, bd);
          if (onB < MIN_SUPPORT.each) continue;
          const onD = supportOf(lines[d]!, da, db);
          if (onD < MIN_SUPPORT.each || onA + onB + onC + onD < 4 * MIN_SUPPORT.mean) continue;
          const corners: Quad = [
            pointOn(lines[a]!, ac),
            pointOn(lines[a]!, ad),
            pointOn(lines[b]!, bd),
            pointOn(lines[b]!, bc),
          ];
          if (isConvexEitherWay(corners) && !hasSidesOfCard(corners)) continue;
          const candidate = candidateOf(corners, [onA, onB, onC, onD], photo);
          if (candidate !== null && found.push(candidate) === limits.found) return found.sort(byScore);
        }
      }
    }
  }
  return found.sort(byScore);
}

function byScore(a: QuadCandidate, b: QuadCandidate): number {
  return b.score - a.score;
}

/** A line b that may face a: where it meets their common side c, how far from a, and the share of c that is on edges. */
type Facing = { b: number; bc: number; left: number; onC: number };

function facingOf(a: number, common: EdgeLine, ca: number, meetings: readonly Meeting[]): Facing[] {
  const facing: Facing[] = [];
  for (const { other: b, t: cb, otherT: bc } of meetings) {
    const onC = b > a ? supportOf(common, ca, cb) : 0;
    if (onC >= MIN_SUPPORT.each) facing.push({ b, bc, left: Math.abs(cb - ca), onC });
  }
  return facing;
}

/** For each pair of lines, where among the meetings of the first that with the second is: 1 for its first one, 0 for none. */
function indexOf(meetings: readonly (readonly Meeting[])[]): Uint16Array {
  const index = new Uint16Array(meetings.length ** 2);
  for (const [line, some] of meetings.entries())
    for (let at = 0; at < some.length; at++) index[line * meetings.length + some[at]!.other] = at + 1;
  return index;
}

/** Null for what no card can look like. */
function candidateOf(
  corners: readonly Point[],
  support: readonly number[],
  photo: { width: number; height: number },
): QuadCandidate | null {
  const quad = orderQuad(corners);
  if (!isConvex(quad) || !hasSidesOfCard(quad)) return null;
  const shape = shapeOf(quad, photo);
  if (shape.likeness < 0.08) return null;
  const mean = (support[0]! + support[1]! + support[2]! + support[3]!) / 4;
  const score = (mean + Math.min(...support)) * shape.likeness ** 0.5 * areaOf(quad) ** 0.15;
  return { quad, score };
}

/** Convex with its corners in this order, clockwise or not: ordering them takes long, and leaves its sides as they are. */
function isConvexEitherWay(quad: Quad): boolean {
  return isConvex(quad) || isConvex([quad[3], quad[2], quad[1], quad[0]]);
}

function hasSidesOfCard(quad: Quad): boolean {
  const [top, right, bottom, left] = sidesOf(quad);
  const [w, h] = [top + bottom, right + left];
  const aspect = Math.min(w, h) / Math.max(w, h);
  if (aspect < ASPECTS.least || aspect > ASPECTS.most) return false;
  if (Math.min(top, bottom) < MIN_OPPOSITE * Math.max(top, bottom)) return false;
  return Math.min(left, right) >= MIN_OPPOSITE * Math.max(left, right);
}

function meetingsOf(lines: readonly EdgeLine[], photo: { width: number; height: number }, reach: number): Meeting[][] {
  const meetings: Meeting[][] = lines.map(() => []);
  const within = (line: EdgeLine, t: number) => {
    const extra = reach * (line.high - line.low) + 8;
    return t > line.low - extra && t < line.high + extra;
  };
  for (let a = 0; a < lines.length; a++) {
    for (let b = a + 1; b < lines.length; b++) {
      const met = meeting(lines[a]!, lines[b]!, MIN_SINE);
      if (met === null || !within(lines[a]!, met.onA) || !within(lines[b]!, met.onB)) continue;
      const [x, y] = pointOn(lines[a]!, met.onA);
      if (x < -OUTSIDE * photo.width || x > (1 + OUTSIDE) * photo.width) continue;
      if (y < -OUTSIDE * photo.height || y > (1 + OUTSIDE) * photo.height) continue;
      meetings[a]!.push({ other: b, t: met.onA, otherT: met.onB });
      meetings[b]!.push({ other: a, t: met.onB, otherT: met.onA });
    }
  }
  return meetings;
}
