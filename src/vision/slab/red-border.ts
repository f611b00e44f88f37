import type { RgbPixels } from '../dominant-colors.ts';
import { type Frame, onPhoto } from './frame.ts';

const STEPS = { along: 60, down: 30 };
/** Share of the frame that is red: PSA's border is a seventh of its label. */
const MIN_SHARE = 0.03;
const MAX_SHARE = 0.6;

/** Whether the frame holds the red border of PSA's labels, and not only a red ground. */
export function hasRedBorder({ data, width, height }: RgbPixels, frame: Frame): boolean {
  let red = 0;
  let all = 0;
  for (let i = 0; i <= STEPS.along; i++) {
    for (let j = 0; j <= STEPS.down; j++) {
      const [u, v] = [(i / STEPS.along - 0.5) * frame.width, (j / STEPS.down - 0.5) * frame.height];
      const [x, y] = onPhoto(frame, u, v).map(Math.round) as [number, number];
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const at = (y * width + x) * 3;
      all++;
      if (isRed(data[at]!, data[at + 1]!, data[at + 2]!)) red++;
    }
  }
  return red > MIN_SHARE * all && red < MAX_SHARE * all;
}

function isRed(r: number, g: number, b: number): boolean {
  return r > 70 && r > 1.45 * g && r > 1.3 * b;
}
