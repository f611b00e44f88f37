import type { RgbPixels } from '../../../src/vision/pictures/dominant-colors.ts';
import { type Random, randomOf } from './photo-random.ts';

/** Where a card is printed on foil: in its picture, all around it, everywhere. */
export const FOILS = ['art', 'reverse', 'whole'] as const;
export type Foil = (typeof FOILS)[number];

/** How its surface is broken: not at all, in pieces of some millimetres, in specks. */
const SURFACES = { smooth: 0, pieces: 0.09, specks: 0.025 } as const;

/** The picture on a card of usual layout, and the border around everything, as shares of the width and height. */
const ART = { left: 0.08, right: 0.92, top: 0.1, bottom: 0.52 };
const BORDER = { x: 0.045, y: 0.033 };

/**
 * A card as it looks under one light where it is printed on foil: ink that light shines through, over a mirror that breaks
 * it into colors. Away from the reflection the foil is darker than paper, in it brighter, in one color after the other;
 * a broken surface has a direction for each piece. The same for the same picture, foil and seed.
 */
export function asFoil({ data, width, height }: RgbPixels, foil: Foil, seed: number): RgbPixels {
  const random = randomOf(seed * 31 + 11);
  const surface = random.pick(Object.keys(SURFACES) as (keyof typeof SURFACES)[]);
  const phaseOf = SURFACES[surface] === 0 ? () => 0 : brokenInto(SURFACES[surface], random);
  const angle = random.between(0, Math.PI);
  const bands = random.between(0.6, 2.5);
  const start = random.next();
  const dark = random.between(0.35, 0.65);
  const bright = random.between(0.5, 1.2);
  const spread = random.between(0.12, 0.25);
  const shown = new Uint8Array(data);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [(x + 0.5) / width, (y + 0.5) / height];
      if (!isFoil(foil, u, v)) continue;
      const across = u * Math.cos(angle) + v * 1.4 * Math.sin(angle);
      const phase = bands * across + start + phaseOf(u, v * 1.4);
      for (let k = 0; k < 3; k++) {
        const away = Math.abs((((phase - k / 3) % 1) + 1.5) % 1) - 0.5;
        const light = dark + bright * Math.exp(-((away / spread) ** 2));
        const at = 3 * (y * width + x) + k;
        shown[at] = Math.min(255, Math.round(data[at]! * light));
      }
    }
  }
  return { data: shown, width, height };
}

function isFoil(foil: Foil, u: number, v: number): boolean {
  const isArt = u > ART.left && u < ART.right && v > ART.top && v < ART.bottom;
  if (foil === 'art') return isArt;
  const isBorder = Math.min(u, 1 - u) < BORDER.x || Math.min(v, 1 - v) < BORDER.y;
  return foil === 'whole' || !(isArt || isBorder);
}

/** A phase for each place: that of the nearest of points strewn one a cell of a grid. */
function brokenInto(size: number, random: Random): (u: number, v: number) => number {
  const columns = Math.ceil(1 / size) + 2;
  const rows = Math.ceil(1.4 / size) + 2;
  const points = Array.from({ length: columns * rows }, (_, i) => ({
    x: ((i % columns) - 1 + random.next()) * size,
    y: (Math.floor(i / columns) - 1 + random.next()) * size,
    phase: random.between(-0.3, 0.3),
  }));
  return (u, v) => {
    let best = { distance: Number.POSITIVE_INFINITY, phase: 0 };
    const [column, row] = [Math.floor(u / size) + 1, Math.floor(v / size) + 1];
    for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++) {
      for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c++) {
        const { x, y, phase } = points[r * columns + c]!;
        const distance = (x - u) ** 2 + (y - v) ** 2;
        if (distance < best.distance) best = { distance, phase };
      }
    }
    return best.phase;
  };
}
