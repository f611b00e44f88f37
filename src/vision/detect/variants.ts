import { diagonalOf, distance, isConvex, orderQuad, type Point, type Quad } from '../quad.ts';
import { crossing, type QuadSide as Line } from './settle.ts';
import { shapeOf } from './shape.ts';
import type { SampledSide } from './sides.ts';

/** An edge parallel to a side is another side when that much of it is there. */
const MIN_SUPPORT = 0.45;
const MOST = 10;

/**
 * The quad with one or more sides moved to the edges parallel to them, the likeliest shapes first: a card has an
 * inner frame, and a sleeve or a top loader around it, and the lines found first may belong to different ones.
 */
export function variantsOf(
  quad: Quad,
  sides: readonly SampledSide[],
  photo: { width: number; height: number },
): Quad[] {
  const choices = sides.map((side, i) => {
    const [from, to] = [quad[i]!, quad[(i + 1) % 4]!];
    const lines = [{ line: [from, to] as Line, support: side.support }];
    if (side.out.support >= MIN_SUPPORT)
      lines.push({ line: shifted(from, to, -side.out.offset), support: side.out.support });
    if (side.in.support >= MIN_SUPPORT)
      lines.push({ line: shifted(from, to, side.in.offset), support: side.in.support });
    return lines;
  });
  const found: { quad: Quad; score: number }[] = [];
  for (const top of choices[0]!) {
    for (const right of choices[1]!) {
      for (const bottom of choices[2]!) {
        for (const left of choices[3]!) {
          const chosen = [top, right, bottom, left];
          const corners = chosen.map(({ line }, i) => crossing(chosen[(i + 3) % 4]!.line, line));
          if (corners.some((corner) => corner === null)) continue;
          const variant = orderQuad(corners as Point[]);
          if (!isConvex(variant) || diagonalOf(variant) < 0.7 * diagonalOf(quad)) continue;
          const support = chosen.reduce((sum, { support }) => sum + support, 0) / 4;
          found.push({ quad: variant, score: support * shapeOf(variant, photo).likeness });
        }
      }
    }
  }
  found.sort((a, b) => b.score - a.score);
  return found.slice(0, MOST).map((one) => one.quad);
}

/** The side moved towards the inside. */
function shifted(from: Point, to: Point, offset: number): Line {
  const length = distance(from, to);
  const [nx, ny] = [(-(to[1] - from[1]) / length) * offset, ((to[0] - from[0]) / length) * offset];
  return [
    [from[0] + nx, from[1] + ny],
    [to[0] + nx, to[1] + ny],
  ];
}
