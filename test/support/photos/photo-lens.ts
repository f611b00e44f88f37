import sharp from 'sharp';
import type { Point } from '../../../src/vision/quad.ts';
import type { Canvas } from './photo-plane.ts';
import type { Random } from './photo-random.ts';

/** Soft dark of a hand or a phone over a part of the photo; `depth` is what it takes away, 0 to 1. */
export function castShadow(canvas: Canvas, random: Random, depth: number): void {
  const { data, width, height } = canvas;
  const angle = random.between(0, Math.PI * 2);
  const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
  const [cx, cy] = [random.between(0.25, 0.75) * width, random.between(0.25, 0.75) * height];
  const softness = random.between(0.02, 0.2) * width;
  const bend = random.between(-0.6, 0.6) / width;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const along = (x - cx) * -ny + (y - cy) * nx;
      const off = (x - cx) * nx + (y - cy) * ny + bend * along * along;
      const share = 1 - depth / (1 + Math.exp(-off / softness));
      data[at] = data[at]! * share;
      data[at + 1] = data[at + 1]! * share;
      data[at + 2] = data[at + 2]! * share;
    }
  }
}

/** Uneven light of one colour: brighter towards one side, by `unevenness` at the ends. */
export function light(canvas: Canvas, random: Random, unevenness: number, tint: number): void {
  const { data, width, height } = canvas;
  const angle = random.between(0, Math.PI * 2);
  const [gx, gy] = [(Math.cos(angle) * 2 * unevenness) / width, (Math.sin(angle) * 2 * unevenness) / height];
  const level = random.between(0.85, 1.08);
  const warm = random.between(-tint, tint);
  const [red, green, blue] = [1 + warm, 1 + random.between(-tint, tint) * 0.3, 1 - warm];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const gain = level * (1 + gx * (x - width / 2) + gy * (y - height / 2));
      data[at] = data[at]! * gain * red;
      data[at + 1] = data[at + 1]! * gain * green;
      data[at + 2] = data[at + 2]! * gain * blue;
    }
  }
}

/** A lamp mirrored in a card: a white spot that fades out, `size` in pixels, `strength` at its middle. */
export function glare(canvas: Canvas, random: Random, at: Point, size: number, strength: number): void {
  const { data, width, height } = canvas;
  const angle = random.between(0, Math.PI);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const narrow = random.between(0.25, 0.9);
  const reach = Math.ceil(size * 2.5);
  for (let y = Math.max(0, Math.floor(at[1] - reach)); y < Math.min(height, at[1] + reach); y++) {
    for (let x = Math.max(0, Math.floor(at[0] - reach)); x < Math.min(width, at[0] + reach); x++) {
      const u = ((x - at[0]) * c + (y - at[1]) * s) / size;
      const v = ((y - at[1]) * c - (x - at[0]) * s) / (size * narrow);
      const share = strength * Math.exp(-(u * u + v * v));
      if (share < 0.004) continue;
      const i = (y * width + x) * 3;
      for (let k = 0; k < 3; k++) data[i + k] = data[i + k]! + (255 - data[i + k]!) * Math.min(1, share);
    }
  }
}

export type Lens = {
  /** Deviation of the blur of a lens out of focus, pixels. */
  focusPx: number;
  /** Way that the hand moved, pixels, and where to, degrees. */
  motionPx: number;
  motionAngle: number;
  /** Deviation of the sensor's noise, of 255. */
  noise: number;
  quality: number;
};

/** What a camera makes of the canvas. */
export async function develop(canvas: Canvas, random: Random, lens: Lens): Promise<Buffer> {
  const { width, height } = canvas;
  const pixels = Buffer.from(new Uint8ClampedArray(canvas.data).buffer);
  let image = sharp(pixels, { raw: { width, height, channels: 3 } });
  if (lens.focusPx >= 0.3) image = image.blur({ sigma: lens.focusPx, precision: 'float' });
  if (lens.motionPx >= 1.5) image = image.convolve(motionKernel(lens.motionPx, lens.motionAngle));
  const blurred = await image.raw().toBuffer();
  addNoise(blurred, random, lens.noise);
  return sharp(blurred, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: lens.quality })
    .toBuffer();
}

/** Drawn for a part of the photo and used again from another place on, which nobody sees and is much quicker. */
function addNoise(pixels: Buffer, random: Random, deviation: number): void {
  const drawn = Float32Array.from({ length: 1 << 14 }, () => random.normal() * deviation);
  const sums = new Uint8ClampedArray(1);
  for (let from = 0; from < pixels.length; from += 4096) {
    let at = random.whole(0, drawn.length - 1);
    for (let i = from; i < Math.min(from + 4096, pixels.length); i++) {
      sums[0] = pixels[i]! + drawn[at++ & 16383]!;
      pixels[i] = sums[0];
    }
  }
}

function motionKernel(length: number, angle: number): { width: number; height: number; kernel: number[] } {
  const side = Math.ceil(length / 2) * 2 + 1;
  const kernel = new Array<number>(side * side).fill(0);
  const [dx, dy] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  for (let t = -length / 2; t <= length / 2; t += 0.1) {
    const at = Math.round(side / 2 - 0.5 + dy * t) * side + Math.round(side / 2 - 0.5 + dx * t);
    kernel[at] = kernel[at]! + 1;
  }
  return { width: side, height: side, kernel };
}
