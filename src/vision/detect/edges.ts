import type { RgbPixels } from '../pictures/dominant-colors.ts';

/** How steeply color changes at each pixel, and along which direction an edge runs there. */
export type EdgeMap = {
  width: number;
  height: number;
  /** Of 255 per pixel, the steepest of the three channels. */
  strength: Float32Array;
  /** Unit vector along the edge, the brighter side to its right. */
  alongX: Float32Array;
  alongY: Float32Array;
  /** What is steeper than the texture of this photo. */
  threshold: number;
};

/** Weaker changes are noise in any photo; stronger ones are edges in any. */
const THRESHOLD = { least: 2, most: 9 };
/** The texture of a photo is what the steepness is at this share of its pixels. */
const TEXTURE_SHARE = 0.6;
const TEXTURE_FACTOR = 1.6;

/** Where a line is known, weaker edges along it count, as shares of the threshold; cosine of the most they turn off. */
const WEAK = 0.6;
const MIN_COSINE = Math.cos((15 * Math.PI) / 180);

/** Sobel's gradient of the channel that changes most: colors of equal brightness have an edge between them as well. */
export function edgesOf({ data, width, height }: RgbPixels): EdgeMap {
  const strength = new Float32Array(width * height);
  const alongX = new Float32Array(width * height);
  const alongY = new Float32Array(width * height);
  const row = width * 3;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * row + x * 3;
      let most = 0;
      let gx = 0;
      let gy = 0;
      for (let c = at; c < at + 3; c++) {
        const nw = data[c - row - 3]!;
        const ne = data[c - row + 3]!;
        const sw = data[c + row - 3]!;
        const se = data[c + row + 3]!;
        const dx = ne + 2 * data[c + 3]! + se - nw - 2 * data[c - 3]! - sw;
        const dy = sw + 2 * data[c + row]! + se - nw - 2 * data[c - row]! - ne;
        const squared = dx * dx + dy * dy;
        if (squared > most) {
          most = squared;
          gx = dx;
          gy = dy;
        }
      }
      const i = y * width + x;
      const length = Math.sqrt(most);
      if (length === 0) continue;
      strength[i] = length / 8;
      alongX[i] = gy / length;
      alongY[i] = -gx / length;
    }
  }
  return { width, height, strength, alongX, alongY, threshold: thresholdOf(strength) };
}

function thresholdOf(strength: Float32Array): number {
  const counts = new Uint32Array(256);
  for (let i = 0; i < strength.length; i += 3) {
    const bin = Math.min(255, strength[i]! * 4) | 0;
    counts[bin] = counts[bin]! + 1;
  }
  let rest = (strength.length / 3) * TEXTURE_SHARE;
  let bin = 0;
  while (bin < 255 && rest > 0) rest -= counts[bin++]!;
  return Math.min(THRESHOLD.most, Math.max(THRESHOLD.least, (bin / 4) * TEXTURE_FACTOR));
}

/** Whether an edge runs through a place along the unit vector (ux, uy), give or take two pixels and 15°. */
export function isOnEdge(edges: EdgeMap, x: number, y: number, ux: number, uy: number): boolean {
  const { width, height, strength, alongX, alongY } = edges;
  const weak = edges.threshold * WEAK;
  for (let off = -1.5; off <= 1.5; off += 1) {
    const px = Math.round(x - uy * off);
    const py = Math.round(y + ux * off);
    if (px < 1 || py < 1 || px >= width - 1 || py >= height - 1) continue;
    const i = py * width + px;
    if (strength[i]! >= weak && Math.abs(alongX[i]! * ux + alongY[i]! * uy) > MIN_COSINE) return true;
  }
  return false;
}
