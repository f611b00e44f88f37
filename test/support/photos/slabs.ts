import sharp from 'sharp';
import type { RgbPixels } from '../../../src/vision/pictures/dominant-colors.ts';
import { boxOf, type Point, type Quad } from '../../../src/vision/quad.ts';
import { paintDropShadow } from './photo-cover.ts';
import { layGround } from './photo-ground.ts';
import { castShadow, develop, glare, type Lens, light } from './photo-lens.ts';
import { type Canvas, cornersOf, moved, type Paint, paintPlane, project, type View, viewOf } from './photo-plane.ts';
import { type Random, randomOf } from './photo-random.ts';
import { type DrawnLabel, drawLabel } from './slab-drawing.ts';
import { type LabelPrint, randomLabel } from './slab-label.ts';

/** Millimetres: the plastic, and where on it label and card begin. */
const SLAB = { width: 81, height: 132, radius: 3 };
const CARD_AT = { x: 9, y: 36, width: 63, height: 88 };
const LABEL_TOP = 4.6;
/** Pixels of the drawn slab for a millimetre; about as fine as the largest photo shows it. */
const FINE = 14;

export type SlabPhoto = {
  jpeg: Buffer;
  width: number;
  height: number;
  print: LabelPrint;
  /** Corners of the plastic. */
  quad: Quad;
  made: { ground: string; pitch: number; yaw: number; roll: number; share: number; lens: Lens; glares: number };
};

export type SlabOptions = {
  /** Long side of the photo, pixels. */
  longSidePx?: number;
  /** Pictures of cards; drawn ones without. */
  cards?: readonly Buffer[];
  textures?: readonly RgbPixels[];
  /** What the label says, where that is not left to chance. */
  print?: Partial<LabelPrint>;
};

/**
 * A photo of one slab, made up: the same for the same seed, company and options. Tilted by up to 20° in both directions
 * and turned by 12°, out of focus and moved a little, with mirrored light, shadows, JPEG 50 to 88. Light that mirrors in
 * the cert or the grade leaves them legible: at most half of their contrast goes.
 */
export async function photographSlab(
  seed: number,
  company: LabelPrint['company'],
  { longSidePx = 2000, cards = [], textures = [], print: given = {} }: SlabOptions = {},
): Promise<SlabPhoto> {
  const random = randomOf(seed);
  const print = { ...randomLabel(random, company), ...given };
  const label = drawLabel(print, random);
  const slab = await drawSlab(label, cards.length > 0 ? random.pick(cards) : await drawnCard(random), random);
  const shortPx = Math.round((longSidePx * random.pick([0.75, 0.75, 0.5625])) / 2) * 2;
  const canvas: Canvas = { data: new Float32Array(shortPx * longSidePx * 3), width: shortPx, height: longSidePx };
  const ground = await layGround(canvas, random, textures);
  const pose = {
    pitch: random.between(-20, 20),
    yaw: random.between(-20, 20),
    roll: random.between(-12, 12),
    focal: random.between(0.75, 1.1),
  };
  const share = random.between(0.62, 0.96);
  const centered = viewOf(pose, SLAB, canvas, share);
  const room = boxOf(cornersOf(centered, SLAB.width, SLAB.height));
  const view = moved(
    centered,
    canvas.width * 0.01 + random.next() * Math.max(0, canvas.width * 0.98 - room.width) - room.x,
    canvas.height * 0.01 + random.next() * Math.max(0, canvas.height * 0.98 - room.height) - room.y,
  );
  paintDropShadow(canvas, view, random, SLAB, random.between(1.5, 4));
  paintSlab(canvas, view, slab);
  if (random.chance(0.5)) castShadow(canvas, random, random.between(0.15, 0.5));
  light(canvas, random, random.between(0, 0.3), 0.1);
  const glares = random.whole(0, 3);
  for (let n = 0; n < glares; n++) mirrorLight(canvas, view, label, random);
  const lens = {
    focusPx: (random.between(0.4, 1.7) * longSidePx) / 2000,
    motionPx: random.chance(0.25) ? (random.between(2, 5) * longSidePx) / 2000 : 0,
    motionAngle: random.between(0, 180),
    noise: random.between(1, 5),
    quality: random.whole(50, 88),
  };
  const jpeg = await develop(canvas, random, lens);
  const { pitch, yaw, roll } = pose;
  const quad = cornersOf(view, SLAB.width, SLAB.height);
  return {
    jpeg,
    width: canvas.width,
    height: canvas.height,
    print,
    quad,
    made: { ground, pitch, yaw, roll, share, lens, glares },
  };
}

/** A lamp in the plastic. */
function mirrorLight(canvas: Canvas, view: View, label: DrawnLabel, random: Random): void {
  const [x, y] = [random.between(0.05, 0.95) * SLAB.width, random.between(0.02, 0.98) * SLAB.height];
  const sizeMm = random.between(4, 22);
  const keeps = [label.cert, label.grade].filter((spot) => spot !== null);
  const left = (SLAB.width - label.width / 10) / 2;
  const near = keeps.some((spot) => Math.hypot(left + spot.x / 10 - x, LABEL_TOP + spot.y / 10 - y) < 10 + 2 * sizeMm);
  const strength = near ? random.between(0.2, 0.5) : random.between(0.3, 0.95);
  const at = project(view, x - SLAB.width / 2, y - SLAB.height / 2);
  const [a, b]: Point[] = [project(view, 0, 0), project(view, 10, 0)];
  const pxPerMm = Math.hypot(b![0] - a![0], b![1] - a![1]) / 10;
  glare(canvas, random, at, sizeMm * pxPerMm, strength);
}

/** The slab as a picture with clear parts: plastic, label, card. */
async function drawSlab(label: DrawnLabel, card: Buffer, random: Random): Promise<RgbPixels & { alpha: Uint8Array }> {
  const [width, height] = [SLAB.width * FINE, SLAB.height * FINE];
  const left = ((SLAB.width - label.width / 10) / 2) * FINE;
  const haze = random.between(0.06, 0.3);
  const rim = random.between(0.15, 0.5);
  const well = `<rect x="${(CARD_AT.x - 1.5) * FINE}" y="${(CARD_AT.y - 1.5) * FINE}" width="${(CARD_AT.width + 3) * FINE}" height="${(CARD_AT.height + 3) * FINE}" rx="10" fill="none" stroke="#fff" stroke-opacity="${rim}" stroke-width="5"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" rx="${SLAB.radius * FINE}" fill="#e9edf2" fill-opacity="${haze}"/>
    <rect x="5" y="5" width="${width - 10}" height="${height - 10}" rx="${SLAB.radius * FINE}" fill="none" stroke="#fff" stroke-opacity="${rim}" stroke-width="9"/>
    <rect x="${3 * FINE}" y="${3 * FINE}" width="${width - 6 * FINE}" height="${height - 6 * FINE}" rx="14" fill="none" stroke="#fff" stroke-opacity="${rim * 0.7}" stroke-width="4"/>
    ${well}
    <svg x="${left}" y="${LABEL_TOP * FINE}" width="${(label.width / 10) * FINE}" height="${(label.height / 10) * FINE}" viewBox="0 0 ${label.width} ${label.height}">${label.svg}</svg>
  </svg>`;
  const [cardWidth, cardHeight] = [Math.round(CARD_AT.width * FINE), Math.round(CARD_AT.height * FINE)];
  const { data: picture, info: raw } = await sharp(card)
    .resize(cardWidth, cardHeight, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { data } = await sharp(Buffer.from(svg))
    .composite([{ input: picture, raw, left: Math.round(CARD_AT.x * FINE), top: Math.round(CARD_AT.y * FINE) }])
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  for (let i = 0; i < alpha.length; i++) {
    for (let k = 0; k < 3; k++) pixels[i * 3 + k] = data[i * 4 + k]!;
    alpha[i] = data[i * 4 + 3]!;
  }
  return { data: pixels, width, height, alpha };
}

function paintSlab(
  canvas: Canvas,
  view: View,
  { data, alpha, width, height }: RgbPixels & { alpha: Uint8Array },
): void {
  const paint: Paint = (x, y, mmPerPx, out) => {
    if (Math.abs(x) > SLAB.width / 2 || Math.abs(y) > SLAB.height / 2) return;
    const u = (x / SLAB.width + 0.5) * width - 0.5;
    const v = (y / SLAB.height + 0.5) * height - 0.5;
    // Means over all that one pixel of the photo covers: the drawing is finer than the photo, and thin strokes would be skipped.
    const half = Math.max(0, (mmPerPx * FINE - 1) / 2);
    const [reach, steps] = half > 0.3 ? [half, Math.ceil(2 * half) + 1] : [0, 1];
    const offset = (step: number) => (steps === 1 ? 0 : ((2 * step) / (steps - 1) - 1) * reach);
    let r = 0;
    let g = 0;
    let b = 0;
    let a = 0;
    for (let m = 0; m < steps; m++) {
      const left = Math.min(width - 1, Math.max(0, Math.round(u + offset(m))));
      for (let n = 0; n < steps; n++) {
        const i = left + Math.min(height - 1, Math.max(0, Math.round(v + offset(n)))) * width;
        const share = alpha[i]! / 255;
        r += data[i * 3]! * share;
        g += data[i * 3 + 1]! * share;
        b += data[i * 3 + 2]! * share;
        a += share;
      }
    }
    if (a === 0) return;
    out.r = r / a;
    out.g = g / a;
    out.b = b / a;
    out.a = a / steps ** 2;
  };
  paintPlane(canvas, view, SLAB, paint);
}

/** A card with a picture and lines of print, where no real one is at hand. */
async function drawnCard(random: Random): Promise<Buffer> {
  const color = () => `hsl(${random.whole(0, 359)} ${random.whole(30, 80)}% ${random.whole(30, 75)}%)`;
  const shapes = Array.from(
    { length: 25 },
    () =>
      `<circle cx="${random.whole(60, 570)}" cy="${random.whole(120, 470)}" r="${random.whole(10, 90)}" fill="${color()}"/>`,
  ).join('');
  const rows = Array.from(
    { length: 6 },
    (_, n) =>
      `<text x="60" y="${560 + n * 44}" font-family="Arimo" font-size="28">Once during your turn, draw a card</text>`,
  ).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="630" height="880"><rect width="630" height="880" fill="${color()}"/><rect x="30" y="30" width="570" height="820" fill="#f3ead0"/><text x="50" y="90" font-family="Arimo" font-weight="700" font-size="44">Some Creature</text><rect x="50" y="110" width="530" height="380" fill="${color()}"/>${shapes}${rows}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
