import type { RgbPixels } from '../../../src/vision/pictures/dominant-colors.ts';
import { boxOf, orderQuad, type Point, type Quad } from '../../../src/vision/quad.ts';
import { CARD, paintBack, paintCover, paintDropShadow } from './photo-cover.ts';
import { layGround } from './photo-ground.ts';
import { develop, light } from './photo-lens.ts';
import { cornersOf, placed, viewOf } from './photo-plane.ts';
import { randomOf } from './photo-random.ts';
import { blank, lensOf, type PhotoOptions, paintCard } from './photos.ts';

export type FanPhoto = {
  jpeg: Buffer;
  width: number;
  height: number;
  /** Whole outlines, the lowest card first; of all but the last only a part shows. */
  quads: Quad[];
};

/**
 * A photo of fanned cards, made up from pictures of them, the lowest first: each is turned and shifted a little
 * further than the one below it, about a hand below the cards or laid out on a table. As `photographCard`.
 */
export async function photographFan(
  images: readonly (RgbPixels | Buffer)[],
  seed: number,
  { longSidePx = 1600, textures = [] }: PhotoOptions = {},
): Promise<FanPhoto> {
  const random = randomOf(seed ^ 0x2fa91);
  const toward = random.pick([-1, 1]);
  const isHeld = random.chance(0.5);
  const turn = toward * (isHeld ? random.between(7, 14) : random.between(0, 6));
  const pivot = random.between(50, 120);
  const [stepX, stepY] = [toward * random.between(12, 24), random.between(-14, 14)];
  const poses = images.map((_, i) => {
    const at = i - (images.length - 1) / 2;
    const angle = at * turn + random.between(-1.5, 1.5);
    const radians = (angle * Math.PI) / 180;
    const loose: Point = [random.between(-2, 2), random.between(-2, 2)];
    return isHeld
      ? { x: Math.sin(radians) * pivot + loose[0], y: pivot - Math.cos(radians) * pivot + loose[1], angle }
      : { x: at * stepX + loose[0], y: at * stepY + loose[1], angle };
  });
  const flat = poses.flatMap(({ x, y, angle }) =>
    cornersOf(placed([1, 0, 0, 0, 1, 0, 0, 0, 1], x, y, angle), CARD.width, CARD.height),
  );
  const box = boxOf(flat);
  const canvas = blank(longSidePx, random);
  await layGround(canvas, random, textures);
  const isWide = canvas.width > canvas.height !== box.width > box.height;
  const pose = {
    pitch: random.between(-14, 14),
    yaw: random.between(-14, 14),
    roll: random.between(-8, 8) + (isWide ? 90 : 0),
    focal: random.between(0.75, 1.1),
  };
  const whole = viewOf(pose, { width: box.width + 6, height: box.height + 6 }, canvas, random.between(0.7, 0.95));
  const cover = random.pick(['none', 'none', 'sleeve', 'backed sleeve'] as const);
  const quads: Quad[] = [];
  for (const [i, image] of images.entries()) {
    const { x, y, angle } = poses[i]!;
    const view = placed(whole, x - box.x - box.width / 2, y - box.y - box.height / 2, angle);
    paintDropShadow(canvas, view, random, CARD, random.between(0.4, 1.2));
    paintBack(canvas, view, cover, random);
    await paintCard(canvas, view, image);
    paintCover(canvas, view, cover, random);
    quads.push(orderQuad(cornersOf(view, CARD.width, CARD.height)));
  }
  light(canvas, random, random.between(0, 0.2), 0.08);
  const jpeg = await develop(canvas, random, lensOf(random, false, longSidePx / 1600));
  return { jpeg, width: canvas.width, height: canvas.height, quads };
}
