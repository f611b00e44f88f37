import type { RgbPixels } from '../../../src/vision/pictures/dominant-colors.ts';
import { randomOf } from './photo-random.ts';

const WIDTH = 300;
const HEIGHT = 419;

type Color = readonly [number, number, number];

/** A picture of a card that nobody printed: a border, a title, a picture, lines of text. The same for the same seed. */
export function drawnCard(seed: number): RgbPixels {
  const random = randomOf(seed * 7 + 3);
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  const color = (): Color => [random.whole(20, 235), random.whole(20, 235), random.whole(20, 235)];
  const fill = (x0: number, y0: number, x1: number, y1: number, [r, g, b]: Color) => {
    for (let y = Math.max(0, Math.round(y0)); y < Math.min(HEIGHT, y1); y++) {
      for (let x = Math.max(0, Math.round(x0)); x < Math.min(WIDTH, x1); x++) data.set([r, g, b], (y * WIDTH + x) * 3);
    }
  };
  const border: Color = random.pick([
    [245, 220, 70],
    [25, 25, 28],
    [235, 235, 235],
    [150, 155, 165],
  ]);
  const ground = color();
  fill(0, 0, WIDTH, HEIGHT, border);
  fill(16, 16, WIDTH - 16, HEIGHT - 16, ground);
  const art = { x0: 28, y0: 58, x1: WIDTH - 28, y1: 225 };
  fill(art.x0, art.y0, art.x1, art.y1, color());
  for (let n = 0; n < 14; n++) {
    const [x, y] = [random.between(art.x0, art.x1), random.between(art.y0, art.y1)];
    const [w, h] = [random.between(8, 60), random.between(8, 60)];
    fill(Math.max(art.x0, x), Math.max(art.y0, y), Math.min(art.x1, x + w), Math.min(art.y1, y + h), color());
  }
  const ink: Color = ground[0] + ground[1] + ground[2] > 380 ? [20, 20, 20] : [240, 240, 240];
  for (const [y, size] of [[28, 20], ...[0, 1, 2, 3, 4, 5].map((line) => [245 + line * 24, 9])] as [number, number][]) {
    for (let x = 30; x < WIDTH - random.between(40, 140); ) {
      const w = random.between(4, 12);
      fill(x, y, x + w, y + size, ink);
      x += w + random.between(2, 7);
    }
  }
  return { data, width: WIDTH, height: HEIGHT };
}
