import type { RgbPixels } from './pictures/dominant-colors.ts';

/** One number a pixel, row by row. */
export type GreyPlane = { data: Float32Array; width: number; height: number };

/** Luma of Rec. 601, 0 to 255. */
export function lumaOf({ data, width, height }: RgbPixels): GreyPlane {
  const luma = new Float32Array(width * height);
  for (let i = 0; i < luma.length; i++) {
    luma[i] = 0.299 * data[3 * i]! + 0.587 * data[3 * i + 1]! + 0.114 * data[3 * i + 2]!;
  }
  return { data: luma, width, height };
}

/** The plane at another size: every new pixel is the mean of the area it covers, shares of pixels included. */
export function resized(plane: GreyPlane, width: number, height: number): GreyPlane {
  const across = along(plane.data, plane.height, plane.width, plane.width, 1, width);
  // Columns now: `width` lines of the old height, with a step of `width`.
  const data = new Float32Array(width * height);
  const column = along(across, width, plane.height, 1, width, height);
  for (let x = 0; x < width; x++) for (let y = 0; y < height; y++) data[y * width + x] = column[x * height + y]!;
  return { data, width, height };
}

/** Means over equal shares of each of `lines` lines of `length` numbers with that `step`; line after line. */
function along(data: Float32Array, lines: number, length: number, nextLine: number, step: number, count: number) {
  const means = new Float32Array(lines * count);
  const share = length / count;
  for (let i = 0; i < count; i++) {
    const from = i * share;
    const to = Math.min(length, from + share);
    const first = Math.floor(from);
    const last = Math.min(length - 1, Math.ceil(to) - 1);
    for (let line = 0; line < lines; line++) {
      let sum = 0;
      for (let k = first; k <= last; k++) {
        sum += data[line * nextLine + k * step]! * (Math.min(to, k + 1) - Math.max(from, k));
      }
      means[line * count + i] = sum / share;
    }
  }
  return means;
}

/**
 * How each pixel differs from its neighborhood, a square of `2 radius + 1` pixels: the difference to the mean
 * there in standard deviations, of which `floor` are added so that noise on a plain ground stays small. Light, shadow
 * and contrast of a photo fall away.
 */
export function localContrast(plane: GreyPlane, radius: number, floor: number): GreyPlane {
  const { data, width, height } = plane;
  const mean = boxMean(data, width, height, radius);
  const square = boxMean(
    data.map((value) => value * value),
    width,
    height,
    radius,
  );
  const out = new Float32Array(data.length);
  for (let i = 0; i < out.length; i++) {
    const deviation = Math.sqrt(Math.max(0, square[i]! - mean[i]! * mean[i]!));
    out[i] = (data[i]! - mean[i]!) / (deviation + floor);
  }
  return { data: out, width, height };
}

/** Mean over squares cut off at the borders, by running sums. */
function boxMean(data: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(data.length);
  for (let y = 0; y < height; y++) {
    let sum = 0;
    let count = 0;
    for (let x = -radius; x < width; x++) {
      if (x + radius < width) {
        sum += data[y * width + x + radius]!;
        count++;
      }
      if (x - radius - 1 >= 0) {
        sum -= data[y * width + x - radius - 1]!;
        count--;
      }
      if (x >= 0) rows[y * width + x] = sum / count;
    }
  }
  const means = new Float32Array(data.length);
  const sums = new Float64Array(width);
  let count = 0;
  for (let y = -radius; y < height; y++) {
    const enters = y + radius;
    const leaves = y - radius - 1;
    if (enters < height) count++;
    if (leaves >= 0) count--;
    for (let x = 0; x < width; x++) {
      if (enters < height) sums[x]! += rows[enters * width + x]!;
      if (leaves >= 0) sums[x]! -= rows[leaves * width + x]!;
      if (y >= 0) means[y * width + x] = sums[x]! / count;
    }
  }
  return means;
}
