/**
 * What a card looks like as a vector of unit length, made by rules alone: nothing is learned, so nothing has to be
 * supplied or trained and equal pixels give equal vectors everywhere. Three parts, each of unit length before its weight:
 *
 * 1. light: the discrete cosine transform (Ahmed, Natarajan, Rao 1974) of the card's luma, its lowest frequencies;
 * 2. colour: two color differences averaged over a grid, after evening out the color of the light (gray world);
 * 3. edges: histograms of gradient directions over a grid of cells (Dalal, Triggs 2005), unsigned.
 *
 * Amplitudes go in as signed square roots: glare and shadow then weigh little against the picture. Vectors of two
 * descriptors that have different names are never compared.
 */
import type { RgbPixels } from './pictures/dominant-colors.ts';
import { type GreyPlane, resized } from './plane.ts';
import { lengthOf } from './quad.ts';

export const DESCRIPTOR = { name: 'mintmark-d1', length: 512 } as const;

/** Size a card is rectified to, upright, corner to corner. */
export const CARD_PIXELS = { width: 240, height: 336 } as const;

/** Size that the card is averaged down to first; its edges are found at this size. */
const FINEST = { width: 80, height: 112 } as const;
const LIGHT = { width: 32, height: 44, length: 216, weight: 1 };
const COLOR = { width: 6, height: 8, weight: 0.75 };
const EDGES = { columns: 5, rows: 5, directions: 8, weight: 0.6 };

/** Strength of the grey-world correction: 1 would take the color out of cards that have only one. */
const GRAY_WORLD = 0.6;
/** Differences of luma (0 to 255) below this are noise. */
const MIN_GRADIENT = 2;

/**
 * The descriptor of a rectified card (of `CARD_PIXELS`; any other size is averaged down all the same): 512 numbers, unit
 * norm, compared by their dot product. A card without any contrast is all zeros but the first.
 */
export function describeCard(card: RgbPixels): Float32Array {
  const { luma, blue, red } = evenLight(card);
  const parts = [
    [lightPart(luma), LIGHT.weight],
    [colorPart(blue, red), COLOR.weight],
    [edgePart(luma), EDGES.weight],
  ] as const;
  const vector = new Float32Array(DESCRIPTOR.length);
  let at = 0;
  for (const [part, weight] of parts) {
    unit(part);
    for (const value of part) vector[at++] = value * weight;
  }
  if (vector.every((value) => value === 0)) vector[0] = 1;
  unit(vector);
  return vector;
}

/**
 * Luma (Rec. 601) and the differences of blue and red to it, under light made neutral, averaged down to `FINEST`: each
 * pixel goes to the cell of its center.
 */
function evenLight({ data, width, height }: RgbPixels): { luma: GreyPlane; blue: GreyPlane; red: GreyPlane } {
  const cells = FINEST.width * FINEST.height;
  const sums = new Float64Array(3 * cells);
  const counts = new Uint32Array(cells);
  const column = Uint32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) / width) * FINEST.width));
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) / height) * FINEST.height) * FINEST.width;
    for (let x = 0; x < width; x++) {
      const cell = row + column[x]!;
      counts[cell]!++;
      for (let k = 3 * cell; k < 3 * cell + 3; k++) sums[k]! += data[at++]!;
    }
  }
  const means = sums.map((sum, i) => sum / Math.max(1, counts[Math.floor(i / 3)]!));
  const light = [0, 1, 2].map((k) => means.reduce((sum, value, i) => (i % 3 === k ? sum + value : sum), 0) / cells);
  const mean = (light[0]! + light[1]! + light[2]!) / 3;
  const [r, g, b] = light.map((one) => (mean / (one + 1)) ** GRAY_WORLD) as [number, number, number];
  const plane = (): GreyPlane => ({ data: new Float32Array(cells), ...FINEST });
  const [luma, blue, red] = [plane(), plane(), plane()];
  for (let i = 0; i < cells; i++) {
    const redLight = means[3 * i]! * r;
    const blueLight = means[3 * i + 2]! * b;
    const y = 0.299 * redLight + 0.587 * means[3 * i + 1]! * g + 0.114 * blueLight;
    luma.data[i] = y;
    blue.data[i] = blueLight - y;
    red.data[i] = redLight - y;
  }
  return { luma, blue, red };
}

/** DCT-II of the averaged luma at the frequencies nearest to zero, the mean itself left out. */
function lightPart(luma: GreyPlane): Float32Array {
  const { width, height } = LIGHT;
  const { data } = resized(luma, width, height);
  const rows = new Float64Array(height * MOST_ACROSS);
  for (let y = 0; y < height; y++) {
    for (let u = 0; u < MOST_ACROSS; u++) {
      let sum = 0;
      for (let x = 0; x < width; x++) sum += ACROSS[u * width + x]! * data[y * width + x]!;
      rows[y * MOST_ACROSS + u] = sum;
    }
  }
  return Float32Array.from(FREQUENCIES, ({ u, v }) => {
    let sum = 0;
    for (let y = 0; y < height; y++) sum += DOWN[v * height + y]! * rows[y * MOST_ACROSS + u]!;
    return signedRoot(sum);
  });
}

function colorPart(blue: GreyPlane, red: GreyPlane): Float32Array {
  const cells = [blue, red].map((plane) => resized(plane, COLOR.width, COLOR.height).data);
  return Float32Array.from([...cells[0]!, ...cells[1]!], signedRoot);
}

/** Root of the gradients by direction and cell, shared between neighboring cells and directions, less their mean. */
function edgePart({ data, width, height }: GreyPlane): Float32Array {
  const { columns, rows, directions } = EDGES;
  const part = new Float32Array(columns * rows * directions);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const dx = data[at + 1]! - data[at - 1]!;
      const dy = data[at + width]! - data[at - width]!;
      const size = lengthOf(dx, dy);
      if (size < MIN_GRADIENT) continue;
      const turn = ((Math.atan2(dy, dx) / Math.PI + 1) % 1) * directions;
      const cell = { x: ((x + 0.5) / width) * columns - 0.5, y: ((y + 0.5) / height) * rows - 0.5 };
      spread(part, cell, turn, Math.sqrt(size));
    }
  }
  for (let at = 0; at < part.length; at += directions) unit(part.subarray(at, at + directions), 1e-3);
  const mean = part.reduce((sum, value) => sum + value, 0) / part.length;
  return part.map((value) => value - mean);
}

function spread(part: Float32Array, cell: { x: number; y: number }, turn: number, weight: number): void {
  const { columns, rows, directions } = EDGES;
  const left = Math.floor(cell.x);
  const top = Math.floor(cell.y);
  const direction = Math.floor(turn) % directions;
  const between = turn - Math.floor(turn);
  for (let y = Math.max(0, top); y <= Math.min(rows - 1, top + 1); y++) {
    for (let x = Math.max(0, left); x <= Math.min(columns - 1, left + 1); x++) {
      const share = weight * (1 - Math.abs(cell.x - x)) * (1 - Math.abs(cell.y - y));
      const at = (y * columns + x) * directions;
      part[at + direction]! += share * (1 - between);
      part[at + ((direction + 1) % directions)]! += share * between;
    }
  }
}

function unit(values: Float32Array, floor = 0): void {
  const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)) + floor;
  if (norm > 0) for (let i = 0; i < values.length; i++) values[i]! /= norm;
}

function signedRoot(value: number): number {
  return Math.sign(value) * Math.sqrt(Math.abs(value));
}

/** Cosines of the transform: row `k` is the wave of frequency `k` over `length` samples. */
function waves(length: number): Float64Array {
  return Float64Array.from({ length: length * length }, (_, i) => {
    const k = Math.floor(i / length);
    const n = i % length;
    return Math.cos((Math.PI * (n + 0.5) * k) / length) * Math.sqrt((k === 0 ? 1 : 2) / length);
  });
}

const ACROSS = waves(LIGHT.width);
const DOWN = waves(LIGHT.height);

/** Waves across and down the card, longest first by their length on a card of 63 × 88 mm. */
const FREQUENCIES = Array.from({ length: 24 * 32 }, (_, i) => ({ u: i % 24, v: Math.floor(i / 24) }))
  .filter(({ u, v }) => u + v > 0)
  .sort((a, b) => Math.hypot(a.u / 63, a.v / 88) - Math.hypot(b.u / 63, b.v / 88) || a.u - b.u)
  .slice(0, LIGHT.length);
const MOST_ACROSS = 1 + Math.max(...FREQUENCIES.map(({ u }) => u));
