import { mean } from '../../lib/stats.ts';
import { areaOf, type Quad } from '../quad.ts';
import { shapeOf } from './shape.ts';
import { difference, type Rgb, type SampledSide } from './sides.ts';

/** What speaks for a quad being the outline of a card, and against it: each about 0 to 1, in the order of `WEIGHTS`. */
export type QuadEvidence = readonly number[];

/** How much each piece of evidence counts: fitted to made-up photos by bench/vision/detect-fit.ts. */
const WEIGHTS = [
  2.12, 5.5, 2.06, 2.04, 3.19, -2.46, 3.19, -0.92, -1.59, -0.97, 3.44, -6.07, -4.27, 1.18, -2, 1.68, -4.73, -1.65, 0.54,
  0.9, 2.22, 3.77,
];
const BIAS = -8;
/** Differences of color (of 255) that count half. */
const HALF_CONTRAST = 20;

/** 0 to 1. */
export function scoreOf(evidence: QuadEvidence): number {
  return 1 / (1 + Math.exp(-evidence.reduce((total, value, i) => total + value * WEIGHTS[i]!, BIAS)));
}

export function evidenceOf(
  quad: Quad,
  sides: readonly SampledSide[],
  photo: { width: number; height: number },
): QuadEvidence {
  const support = sides.map((side) => side.support).sort((a, b) => a - b);
  const contrast = sides.map((side) => saturated(side.contrast)).sort((a, b) => a - b);
  const shape = shapeOf(quad, photo);
  const area = areaOf(quad) / (photo.width * photo.height);
  return [
    mean(support),
    support[0]!,
    support[1]!,
    mean(contrast),
    contrast[0]!,
    mean(sides.map((side) => saturated(side.outward))),
    mean(sides.map((side) => saturated(side.inward))),
    Math.min(1, (shape.broader / 0.15) ** 2),
    Math.max(-1, Math.min(1, shape.broader / 0.15)),
    Math.min(1, shape.skew / 0.3),
    Math.max(-1, Math.log(area) / 4),
    mean(sides.map((side) => side.beyond)),
    saturated(unlike(sides.map((side) => side.outer))),
    saturated(unlike(sides.map((side) => side.inner))),
    mean(sides.map((side) => side.out.support)),
    Math.min(...sides.map((side) => side.out.support)),
    mean(sides.map((side) => saturated(side.out.contrast))),
    Math.min(...sides.map((side) => saturated(side.out.contrast))),
    mean(sides.map((side) => side.in.support)),
    Math.min(...sides.map((side) => side.in.support)),
    mean(sides.map((side) => saturated(side.in.contrast))),
    Math.min(...sides.map((side) => saturated(side.in.contrast))),
  ];
}

/** The most that two of the colors differ. */
function unlike(colors: readonly Rgb[]): number {
  let most = 0;
  for (let i = 0; i < colors.length; i++) {
    for (let j = i + 1; j < colors.length; j++) most = Math.max(most, difference(colors[i]!, colors[j]!));
  }
  return most;
}

function saturated(value: number): number {
  return value / (value + HALF_CONTRAST);
}
