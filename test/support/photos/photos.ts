import sharp from 'sharp';
import type { RgbPixels } from '../../../src/vision/pictures/dominant-colors.ts';
import { boxOf, orderQuad, type Quad, sidesOf } from '../../../src/vision/quad.ts';
import { CARD, COVERS, type Cover, paintBack, paintCover, paintDropShadow } from './photo-cover.ts';
import { layGround } from './photo-ground.ts';
import { castShadow, develop, glare, type Lens, light } from './photo-lens.ts';
import {
  type Canvas,
  cornersOf,
  moved,
  type Paint,
  paintPlane,
  placed,
  project,
  roundedEdge,
  type View,
  viewOf,
} from './photo-plane.ts';
import { type Random, randomOf } from './photo-random.ts';

export type Level = 'easy' | 'hard';

export type PhotoOptions = {
  /** Long side of the photo. */
  longSidePx?: number;
  /** Pictures of what cards lie on (`realTextures` of photo-ground.ts); else drawn grounds only. */
  textures?: readonly RgbPixels[];
};

export type CardPhoto = {
  jpeg: Buffer;
  width: number;
  height: number;
  /** Corners of the card, round ones made sharp, from the one that shows as top-left. */
  quad: Quad;
  /** The same from the card's own top-left corner. */
  upright: Quad;
  /** What was done, to group failures by. */
  made: { ground: string; cover: Cover; pitch: number; yaw: number; roll: number; share: number; lens: Lens };
};

/**
 * A photo of one card, made up from a picture of it: the same bytes for the same picture, seed, level and options.
 * `easy`: tilted by 10° at most, little blur, JPEG 75 to 90. `hard`: tilted by 35° in both directions, turned sideways
 * or upside down in a third, blurred, mirrored light, sleeves and top loaders, shadows, JPEG 45 to 75.
 */
export async function photographCard(
  image: RgbPixels | Buffer,
  seed: number,
  level: Level,
  { longSidePx = 1600, textures = [] }: PhotoOptions = {},
): Promise<CardPhoto> {
  const random = randomOf(seed);
  const hard = level === 'hard';
  const canvas = blank(longSidePx, random);
  const ground = await layGround(canvas, random, textures);
  const cover = random.chance(hard ? 0.45 : 0.15) ? random.pick(COVERS.slice(1)) : 'none';
  const tilt = hard ? 35 : 10;
  const turn = hard && random.chance(0.33) ? random.pick([90, 180, 270]) : 0;
  const pose = {
    pitch: random.between(-tilt, tilt),
    yaw: random.between(-tilt, tilt),
    roll: random.between(-1, 1) * (hard ? 25 : 10) + turn,
    focal: random.between(0.75, 1.1),
  };
  const share = hard ? random.between(0.42, 0.92) : random.between(0.6, 0.92);
  const size = cover === 'top loader' ? { width: 76.5, height: 101.5 } : CARD;
  const centered = viewOf(pose, size, canvas, share);
  const room = boxOf(cornersOf(centered, size.width, size.height));
  const spare = [canvas.width * 0.98 - room.width, canvas.height * 0.98 - room.height].map((one) => Math.max(0, one));
  const view = moved(
    centered,
    canvas.width * 0.01 + random.next() * spare[0]! - room.x,
    canvas.height * 0.01 + random.next() * spare[1]! - room.y,
  );
  const body = { ...CARD, ...size };
  paintDropShadow(canvas, view, random, body, random.between(0.6, hard ? 3 : 1.5));
  paintBack(canvas, view, cover, random);
  await paintCard(canvas, view, image);
  paintCover(canvas, view, cover, random);
  if (hard && random.chance(0.6)) castShadow(canvas, random, random.between(0.2, 0.6));
  light(canvas, random, hard ? random.between(0, 0.35) : 0.1, hard ? 0.15 : 0.05);
  const upright = cornersOf(view, CARD.width, CARD.height);
  for (let n = hard ? random.whole(0, 2) : random.whole(0, 1); n > 0; n--) {
    const at = project(view, random.between(-32, 32), random.between(-44, 44));
    const long = Math.max(...sidesOf(upright));
    glare(canvas, random, at, long * random.between(0.05, hard ? 0.22 : 0.1), random.between(0.3, hard ? 0.95 : 0.5));
  }
  const lens = lensOf(random, hard, longSidePx / 1600);
  const jpeg = await develop(canvas, random, lens);
  const made = { ground, cover, pitch: pose.pitch, yaw: pose.yaw, roll: pose.roll, share, lens };
  return { jpeg, width: canvas.width, height: canvas.height, quad: orderQuad(upright), upright, made };
}

export function blank(longSidePx: number, random: Random): Canvas {
  const shortPx = Math.round((longSidePx * random.pick([0.75, 0.75, 0.5625, 1])) / 2) * 2;
  const [width, height] = random.chance(0.75) ? [shortPx, longSidePx] : [longSidePx, shortPx];
  return { data: new Float32Array(width * height * 3), width, height };
}

/** Paints a picture of a card where the view has the card's middle. */
export async function paintCard(canvas: Canvas, view: View, image: RgbPixels | Buffer): Promise<void> {
  const corners = cornersOf(view, CARD.width, CARD.height);
  const [top, right, bottom, left] = sidesOf(corners);
  // About as large as it will show, so that no pixel of it is skipped; a card with a landscape picture is rotated.
  const [width, height] = [Math.ceil(Math.max(top, bottom)), Math.ceil(Math.max(left, right))];
  const source = 'data' in image ? sharp(image.data, { raw: { ...image, channels: 3 } }) : sharp(image);
  const meta = await source.metadata();
  const turned = meta.width > meta.height ? sharp(await source.rotate(90).png().toBuffer()) : source;
  const pixels = await turned
    .flatten({ background: '#888' })
    .toColourspace('srgb')
    .resize(width, height, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();
  const paint: Paint = (x, y, mmPerPx, out) => {
    out.a = 0.5 - roundedEdge(x, y, CARD.width, CARD.height, CARD.radius) / mmPerPx;
    if (out.a <= 0) return;
    const u = Math.max(0, Math.min(width - 1.001, (x / CARD.width + 0.5) * width - 0.5));
    const v = Math.max(0, Math.min(height - 1.001, (y / CARD.height + 0.5) * height - 0.5));
    const [x0, y0] = [Math.floor(u), Math.floor(v)];
    const [fx, fy] = [u - x0, v - y0];
    const at = (y0 * width + x0) * 3;
    const below = at + width * 3;
    const mix = (k: number) => {
      const upper = pixels[at + k]! + (pixels[at + 3 + k]! - pixels[at + k]!) * fx;
      const lower = pixels[below + k]! + (pixels[below + 3 + k]! - pixels[below + k]!) * fx;
      return upper + (lower - upper) * fy;
    };
    out.r = mix(0);
    out.g = mix(1);
    out.b = mix(2);
  };
  paintPlane(canvas, view, { width: CARD.width + 1, height: CARD.height + 1 }, paint);
}

/** Blur is given for a photo of 1600 pixels and grows with the photo. */
export function lensOf(random: Random, hard: boolean, scale: number): Lens {
  const isMoved = random.chance(hard ? 0.35 : 0.1);
  return {
    focusPx: random.between(0.4, hard ? 2.6 : 1.1) * scale,
    motionPx: isMoved ? random.between(2, hard ? 11 : 4) * scale : 0,
    motionAngle: random.between(0, 180),
    noise: random.between(1, hard ? 7 : 3),
    quality: hard ? random.whole(45, 75) : random.whole(75, 90),
  };
}

export type PageOptions = PhotoOptions & {
  /** `page`: pockets of a binder page, the cards in rows; `table`: cards laid out by hand. */
  layout?: 'page' | 'table';
  columns?: number;
};

export type PagePhoto = {
  jpeg: Buffer;
  width: number;
  height: number;
  /** Of the cards, in the order of the pictures, without the empty places. */
  quads: Quad[];
  /** Pockets, or places on the table, that hold no card. */
  empty: Quad[];
};

/** A photo of several cards, made up from pictures of them, row by row; null is an empty place. As `photographCard`. */
export async function photographPage(
  images: readonly (RgbPixels | Buffer | null)[],
  seed: number,
  { longSidePx = 1600, textures = [], layout = 'page', columns = 3 }: PageOptions = {},
): Promise<PagePhoto> {
  const random = randomOf(seed ^ 0x51ed27);
  const rows = Math.ceil(images.length / columns);
  const isPage = layout === 'page';
  const [stepX, stepY] = isPage ? [POCKET.width + 4, POCKET.height + 4] : [76, 102];
  const size = { width: columns * stepX + 6, height: rows * stepY + 6, radius: 2 };
  const canvas = blank(longSidePx, random);
  await layGround(canvas, random, textures);
  const isWide = canvas.width > canvas.height !== size.width > size.height;
  const pose = {
    pitch: random.between(-14, 14),
    yaw: random.between(-14, 14),
    roll: random.between(-5, 5) + (isWide ? 90 : 0),
    focal: random.between(0.75, 1.1),
  };
  const view = viewOf(pose, size, canvas, random.between(0.85, 0.97));
  if (isPage) paintSheet(canvas, view, size, random);
  const quads: Quad[] = [];
  const empty: Quad[] = [];
  for (const [i, image] of images.entries()) {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const loose = isPage ? 1 : 4;
    const x = (column - (columns - 1) / 2) * stepX + random.between(-loose, loose);
    const y = (row - (rows - 1) / 2) * stepY + random.between(-loose, loose);
    const place = placed(view, x, y, random.between(-loose, loose) * (isPage ? 1 : 1.5));
    if (image === null) {
      empty.push(orderQuad(cornersOf(place, CARD.width, CARD.height)));
    } else {
      if (!isPage) paintDropShadow(canvas, place, random, CARD, 1);
      await paintCard(canvas, place, image);
      quads.push(orderQuad(cornersOf(place, CARD.width, CARD.height)));
    }
    if (isPage)
      paintCover(
        canvas,
        placed(view, (column - (columns - 1) / 2) * stepX, (row - (rows - 1) / 2) * stepY, 0),
        'sleeve',
        random,
      );
  }
  light(canvas, random, random.between(0, 0.2), 0.08);
  for (let n = random.whole(0, 3); n > 0; n--) {
    const at = project(view, random.between(-0.5, 0.5) * size.width, random.between(-0.5, 0.5) * size.height);
    glare(canvas, random, at, longSidePx * random.between(0.02, 0.05), random.between(0.3, 0.9));
  }
  const jpeg = await develop(canvas, random, lensOf(random, false, longSidePx / 1600));
  return { jpeg, width: canvas.width, height: canvas.height, quads, empty };
}

const POCKET = { width: 66, height: 92 };

/** The sheet that the pockets are welded on: black, white or clear. */
function paintSheet(canvas: Canvas, view: View, size: typeof CARD, random: Random): void {
  const [tone, a] = random.pick([
    [24, 1],
    [228, 1],
    [215, 0.2],
  ] as const);
  const paint: Paint = (x, y, mmPerPx, out) => {
    out.r = out.g = out.b = tone;
    out.a = a * Math.min(1, 0.5 - roundedEdge(x, y, size.width, size.height, size.radius) / mmPerPx);
  };
  paintPlane(canvas, view, { width: size.width + 1, height: size.height + 1 }, paint);
}
