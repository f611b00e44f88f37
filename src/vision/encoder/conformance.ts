import type { RgbPixels } from '../pictures/dominant-colors.ts';

/** Two vectors of one picture agree from this cosine on; rounding in other arithmetic stays far above it. */
export const LEAST_COSINE = 0.999;

/** Pictures that anybody can draw again: by rule, in whole numbers. One needs no resizing, one is made smaller, one larger. */
const PICTURES = [
  { name: 'square', width: 256, height: 256, color: rings },
  { name: 'portrait', width: 500, height: 700, color: stripes },
  { name: 'landscape', width: 180, height: 120, color: blocks },
] as const;

type Rgb8 = readonly [red: number, green: number, blue: number];

/** The pictures that vectors are compared by, always the same pixels. */
export function conformancePictures(): { name: string; pixels: RgbPixels }[] {
  return PICTURES.map(({ name, width, height, color }) => {
    const data = new Uint8Array(3 * width * height);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) data.set(color(x, y, width, height), 3 * (y * width + x));
    return { name, pixels: { data, width, height } };
  });
}

function rings(x: number, y: number): Rgb8 {
  const square = (x - 100) * (x - 100) + (y - 140) * (y - 140);
  return (square >> 10) % 2 === 0 ? [230, x >> 1, 60] : [20, 90, 255 - y];
}

function stripes(x: number, y: number, width: number, height: number): Rgb8 {
  const isFrame = Math.min(x, y, width - 1 - x, height - 1 - y) < 24;
  if (isFrame) return [250, 210, 40];
  return (x + 2 * y) % 160 < 80 ? [40, 120, Math.trunc((200 * y) / height)] : [200, Math.trunc((180 * x) / width), 90];
}

function blocks(x: number, y: number): Rgb8 {
  const block = (x >> 4) * 7 + (y >> 4) * 13;
  return [(block * 37) % 256, (block * 71) % 256, (block * 113) % 256];
}
