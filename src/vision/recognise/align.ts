/**
 * Lays a picture of the catalog over a rectified card and says how alike they are, block by block. The corners of a card
 * found in a photo are a few pixels off: the perspective that remains is found by the inverse compositional algorithm
 * (Baker, Matthews, "Lucas-Kanade 20 years on", 2004, section 3.2), whose costly part depends on the photo alone and
 * serves all candidates. Both pictures are first reduced to their local contrast: light does not count.
 */

import { type Homography, IDENTITY, inverseOf, movement, times } from '../perspective.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { type GreyPlane, localContrast, lumaOf, resized } from '../plane.ts';
import { BLOCKS, likenessOf } from './likeness.ts';

/** Sizes that the alignment runs at; the coarse one forgives corners that are far off. */
const LEVELS = [
  { width: 48, height: 67, steps: 15 },
  { width: 120, height: 168, steps: 8 },
] as const;
/** Neighborhood that a pixel is compared with, as a share of the width, and the deviation (of 255) counted as noise. */
const NEIGHBOURHOOD = 0.07;
const NOISE = 6;
/** Luma above which a photo is blown out. */
const CLIPPED = 250;
/** Corners that move less than this (of half a side) in a step have arrived. */
const ARRIVED = 0.0005;

/** A picture that is less alike than this on the coarse level is another card: see `Likeness.most`. */
const WORTHWHILE = 0.3;

/** Mean square of the local contrast below which a block shows nothing, and the share of its pixels that must count. */
const MIN_ENERGY = 0.05;
const MIN_SHARE = 0.4;

/** A picture of the catalog, ready to be laid over photos: at each of `LEVELS`, made when it is needed. */
export type Levels = readonly (() => GreyPlane)[];

/** A rectified card of a photo, ready to have pictures laid over it. */
export type Ground = readonly (() => GroundLevel)[];

type GroundLevel = {
  plane: GreyPlane;
  /** 1 where a pixel counts, 0 where the photo is blown out. */
  counts: Uint8Array;
  /** Change of each pixel by each of the eight numbers of a perspective, and the inverse of their products' sums. */
  descent: Float32Array;
  inverse: Float64Array;
};

type Alignment = {
  /** From the card to the picture. */
  homography: Homography;
  /** Correlation of each of `BLOCKS`, -1 to 1, row by row; NaN where the photo is blown out or the picture plain. */
  blocks: Float32Array;
};

export function prepareLevels(picture: RgbPixels): Levels {
  const luma = lumaOf(picture);
  return LEVELS.map((size) => once(() => prepared(luma, size)));
}

export function prepareGround(card: RgbPixels): Ground {
  const luma = lumaOf(card);
  return LEVELS.map((size) =>
    once(() => {
      const { width, height } = size;
      const counts = Uint8Array.from(resized(luma, width, height).data, (value) => (value < CLIPPED ? 1 : 0));
      const plane = prepared(luma, size);
      const descent = steepestDescent(plane, counts);
      return { plane, counts, descent, inverse: invert(productSums(descent)) };
    }),
  );
}

/** Lays `picture` over `ground`, from corner on corner; no closer than coarsely where they have little in common. */
export function align(ground: Ground, picture: Levels): Alignment {
  let found: Alignment = { homography: IDENTITY, blocks: new Float32Array() };
  for (const [i, { width, height, steps }] of LEVELS.entries()) {
    const [level, plane] = [ground[i]!(), picture[i]!()];
    const laid = new Float32Array(width * height);
    let homography = found.homography;
    for (let step = 0; step < steps; step++) {
      const next = improved(level, plane, homography, laid);
      const moved = movement(homography, next);
      // Lost: a perspective that turns the card over or sends a corner to infinity.
      if (!Number.isFinite(moved) || moved > 1) break;
      homography = next;
      if (moved < ARRIVED) break;
    }
    lay(plane, homography, laid);
    found = { homography, blocks: correlations(level, laid) };
    if (likenessOf(found.blocks).most < WORTHWHILE) break;
  }
  return found;
}

function prepared(luma: GreyPlane, { width, height }: { width: number; height: number }): GreyPlane {
  return localContrast(resized(luma, width, height), Math.round(NEIGHBOURHOOD * width), NOISE);
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

const PARAMS = 8;

/** What each pixel changes by with each parameter around the identity: gradient times Jacobian, eight a pixel. */
function steepestDescent({ data, width, height }: GreyPlane, counts: Uint8Array): Float32Array {
  const descent = new Float32Array(width * height * PARAMS);
  for (let y = 1; y < height - 1; y++) {
    const v = ((y + 0.5) * 2) / height - 1;
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      if (counts[at] === 0) continue;
      const u = ((x + 0.5) * 2) / width - 1;
      const gu = ((data[at + 1]! - data[at - 1]!) * width) / 4;
      const gv = ((data[at + width]! - data[at - width]!) * height) / 4;
      const along = u * gu + v * gv;
      descent.set([u * gu, v * gu, gu, u * gv, v * gv, gv, -u * along, -v * along], at * PARAMS);
    }
  }
  return descent;
}

function productSums(descent: Float32Array): Float64Array {
  const sums = new Float64Array(PARAMS * PARAMS);
  for (let at = 0; at < descent.length; at += PARAMS) {
    for (let i = 0; i < PARAMS; i++) {
      const value = descent[at + i]!;
      for (let j = i; j < PARAMS; j++) sums[i * PARAMS + j]! += value * descent[at + j]!;
    }
  }
  for (let i = 0; i < PARAMS; i++) {
    for (let j = 0; j < i; j++) sums[i * PARAMS + j] = sums[j * PARAMS + i]!;
    // Keeps a card without any picture from dividing by nothing.
    sums[i * PARAMS + i]! += 1;
  }
  return sums;
}

/** One step: the perspective that better explains what differs between the ground and the picture laid over it. */
function improved(ground: GroundLevel, picture: GreyPlane, homography: Homography, laid: Float32Array): Homography {
  lay(picture, homography, laid);
  const { plane, descent, inverse } = ground;
  // One by one: an array of sums would take twice as long, and most of the time of a comparison is spent here.
  let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let at = 0, k = 0; at < laid.length; at++, k += PARAMS) {
    const value = laid[at]!;
    if (Number.isNaN(value)) continue;
    const error = value - plane.data[at]!;
    a += descent[k]! * error;
    b += descent[k + 1]! * error;
    c += descent[k + 2]! * error;
    d += descent[k + 3]! * error;
    e += descent[k + 4]! * error;
    f += descent[k + 5]! * error;
    g += descent[k + 6]! * error;
    h += descent[k + 7]! * error;
  }
  const sums = [a, b, c, d, e, f, g, h];
  const p = new Float64Array(PARAMS);
  for (let i = 0; i < PARAMS; i++) {
    for (let j = 0; j < PARAMS; j++) p[i]! += inverse[i * PARAMS + j]! * sums[j]!;
  }
  const change = Float64Array.of(1 + p[0]!, p[1]!, p[2]!, p[3]!, 1 + p[4]!, p[5]!, p[6]!, p[7]!, 1);
  return times(homography, inverseOf(change));
}

/** The picture seen through the perspective, bilinear, NaN beyond its edges; written into `laid`. */
function lay({ data, width, height }: GreyPlane, h: Homography, laid: Float32Array): void {
  for (let y = 0, at = 0; y < height; y++) {
    const v = ((y + 0.5) * 2) / height - 1;
    for (let x = 0; x < width; x++, at++) {
      const u = ((x + 0.5) * 2) / width - 1;
      const depth = h[6]! * u + h[7]! * v + h[8]!;
      const px = (((h[0]! * u + h[1]! * v + h[2]!) / depth + 1) * width) / 2 - 0.5;
      const py = (((h[3]! * u + h[4]! * v + h[5]!) / depth + 1) * height) / 2 - 0.5;
      const left = Math.floor(px);
      const top = Math.floor(py);
      if (!(left >= 0 && top >= 0 && left < width - 1 && top < height - 1 && depth > 0)) {
        laid[at] = Number.NaN;
        continue;
      }
      const fx = px - left;
      const fy = py - top;
      const k = top * width + left;
      const above = data[k]! + fx * (data[k + 1]! - data[k]!);
      const below = data[k + width]! + fx * (data[k + width + 1]! - data[k + width]!);
      laid[at] = above + fy * (below - above);
    }
  }
}

function correlations({ plane, counts }: GroundLevel, laid: Float32Array): Float32Array {
  const { data, width, height } = plane;
  const cells = BLOCKS.columns * BLOCKS.rows;
  const sums = Array.from({ length: cells }, () => ({ n: 0, all: 0, a: 0, b: 0, aa: 0, bb: 0, ab: 0 }));
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) / height) * BLOCKS.rows) * BLOCKS.columns;
    for (let x = 0; x < width; x++, at++) {
      const sum = sums[row + Math.floor(((x + 0.5) / width) * BLOCKS.columns)]!;
      sum.all++;
      const a = data[at]!;
      const b = laid[at]!;
      if (counts[at] === 0 || Number.isNaN(b)) continue;
      sum.n++;
      sum.a += a;
      sum.b += b;
      sum.aa += a * a;
      sum.bb += b * b;
      sum.ab += a * b;
    }
  }
  return Float32Array.from(sums, ({ n, all, a, b, aa, bb, ab }) => {
    if (n < MIN_SHARE * all || bb / n < MIN_ENERGY) return Number.NaN;
    return (ab - (a * b) / n) / Math.sqrt(Math.max(1e-9, (aa - (a * a) / n) * (bb - (b * b) / n)));
  });
}

/** Inverse of a positive definite matrix of eight rows, by Gauss and Jordan. */
function invert(matrix: Float64Array): Float64Array {
  const n = PARAMS;
  const m = Float64Array.from(matrix);
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i++) inverse[i * n + i] = 1;
  for (let i = 0; i < n; i++) {
    const pivot = m[i * n + i]!;
    for (let k = 0; k < n; k++) {
      m[i * n + k]! /= pivot;
      inverse[i * n + k]! /= pivot;
    }
    for (let r = 0; r < n; r++) {
      const factor = m[r * n + i]!;
      if (r === i || factor === 0) continue;
      for (let k = 0; k < n; k++) {
        m[r * n + k]! -= factor * m[i * n + k]!;
        inverse[r * n + k]! -= factor * inverse[i * n + k]!;
      }
    }
  }
  return inverse;
}
