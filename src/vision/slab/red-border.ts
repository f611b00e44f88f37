import type { RgbPixels } from '../pictures/dominant-colors.ts';

const STEPS = { along: 60, down: 30 };
/** Share of the picture that is red: PSA's border is a seventh of its label. */
const MIN_SHARE = 0.03;
const MAX_SHARE = 0.6;

/** Whether a picture of a label has the red border of PSA's, and not only a red ground. */
export function hasRedBorder({ data, width, height }: RgbPixels): boolean {
  let red = 0;
  let all = 0;
  for (let i = 0; i <= STEPS.along; i++) {
    for (let j = 0; j <= STEPS.down; j++) {
      const [x, y] = [Math.round((i / STEPS.along) * (width - 1)), Math.round((j / STEPS.down) * (height - 1))];
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
