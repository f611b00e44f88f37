import type { RgbPixels } from '../pictures/dominant-colors.ts';

/** Side of the encoder's input, pixels. */
export const INPUT_SIDE = 256;

/** The steps before the encoder, in the words that are published; `encoderInput` does them. */
export const PREPROCESSING = {
  resize: { shortSide: INPUT_SIDE, filter: 'bilinear', antialias: true },
  crop: { width: INPUT_SIDE, height: INPUT_SIDE, position: 'center' },
  channels: 'RGB',
  layout: 'NCHW',
  scale: 1 / 255,
  mean: [0, 0, 0],
  std: [1, 1, 1],
  output: 'L2-normalised',
} as const;

/**
 * A picture as MobileCLIP-S2 takes it: the short side brought to 256 by a triangle filter, which is as wide as the source
 * pixels that fall on one (Pillow's BILINEAR), the middle 256 × 256 cut out (half of an odd rest is rounded to even),
 * values 0 to 1 without mean or deviation. All of red, then green, then blue: 3 × 256 × 256.
 * Source: apple/ml-mobileclip, transforms of `mobileclip_s2`: torchvision's Resize(256), CenterCrop(256), ToTensor.
 */
export function encoderInput({ data, width, height }: RgbPixels): Float32Array {
  const short = Math.min(width, height);
  const across = taps(width, Math.floor((width * INPUT_SIDE) / short));
  const down = taps(height, Math.floor((height * INPUT_SIDE) / short));
  const first = down[0]!.from;
  const rows = down.at(-1)!.from + down.at(-1)!.weights.length - first;
  const input = new Float32Array(3 * INPUT_SIDE * INPUT_SIDE);
  const narrow = new Float32Array(rows * INPUT_SIDE);
  for (let channel = 0; channel < 3; channel++) {
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < INPUT_SIDE; x++) {
        const { from, weights } = across[x]!;
        let at = 3 * ((first + y) * width + from) + channel;
        let sum = 0;
        for (let i = 0; i < weights.length; i++, at += 3) sum += weights[i]! * data[at]!;
        narrow[y * INPUT_SIDE + x] = sum / 255;
      }
    }
    for (let y = 0; y < INPUT_SIDE; y++) {
      const { from, weights } = down[y]!;
      for (let x = 0; x < INPUT_SIDE; x++) {
        let sum = 0;
        for (let i = 0; i < weights.length; i++) sum += weights[i]! * narrow[(from - first + i) * INPUT_SIDE + x]!;
        input[(channel * INPUT_SIDE + y) * INPUT_SIDE + x] = sum;
      }
    }
  }
  return input;
}

/** Which source pixels make one of the new ones, and with what weights (their sum is 1). */
type Tap = { from: number; weights: Float32Array };

/** Of the middle `INPUT_SIDE` of `newLength` pixels along one side of `length`. */
function taps(length: number, newLength: number): Tap[] {
  const scale = length / newLength;
  const support = Math.max(1, scale);
  const half = (newLength - INPUT_SIDE) / 2;
  const cut = Number.isInteger(half) ? half : 2 * Math.round(half / 2);
  return Array.from({ length: INPUT_SIDE }, (_, i) => {
    const center = (cut + i + 0.5) * scale;
    const from = Math.max(0, Math.floor(center - support + 0.5));
    const to = Math.min(length, Math.floor(center + support + 0.5));
    const weights = Float32Array.from({ length: to - from }, (_, k) =>
      Math.max(0, 1 - Math.abs((from + k + 0.5 - center) / support)),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { from, weights: weights.map((weight) => weight / sum) };
  });
}
