import sharp from 'sharp';
import type { RgbPixels } from '../../../src/vision/pictures/dominant-colors.ts';
import { testData } from '../test-data.ts';
import type { Canvas } from './photo-plane.ts';
import type { Random } from './photo-random.ts';

/** Parts of real photos without a card: table tops, cloths, mats. Shares of width and height. */
const CARDLESS: readonly [file: string, x: number, y: number, width: number, height: number][] = [
  ['real-cards/mtg-alpha-dragon-whelp.jpg', 0, 0, 0.19, 1],
  ['real-cards/mtg-alpha-dragon-whelp.jpg', 0.83, 0, 0.17, 1],
  ['real-cards/mtg-alpha-instill-energy.jpg', 0, 0, 1, 0.19],
  ['real-cards/mtg-alpha-instill-energy.jpg', 0, 0.78, 1, 0.22],
  ['real-cards/mtg-alpha-mox-ruby.jpg', 0, 0, 0.19, 1],
  ['real-cards/mtg-alpha-mox-ruby.jpg', 0.85, 0, 0.15, 1],
  ['real-cards/xy12-20-magmar-a.jpg', 0, 0, 1, 0.25],
  ['real-cards/xy12-20-magmar-a.jpg', 0, 0.72, 1, 0.28],
  ['real-cards/professor-sadas-vitality.jpg', 0, 0, 1, 0.29],
  ['real-cards/dipplin.jpg', 0.7, 0, 0.3, 1],
];

/** The real textures, or none where the test data is absent. */
export async function realTextures(): Promise<RgbPixels[]> {
  const textures: RgbPixels[] = [];
  for (const [file, x, y, width, height] of CARDLESS) {
    const path = testData('images', ...file.split('/'));
    if (path === null) return [];
    const image = sharp(path).removeAlpha();
    const { width: w, height: h } = await image.metadata();
    const part = {
      left: Math.round(x * w),
      top: Math.round(y * h),
      width: Math.floor(width * w),
      height: Math.floor(height * h),
    };
    const { data, info } = await image.extract(part).raw().toBuffer({ resolveWithObject: true });
    textures.push({ data, width: info.width, height: info.height });
  }
  return textures;
}

/** Fills a canvas with a background, and returns its name. */
export async function layGround(canvas: Canvas, random: Random, textures: readonly RgbPixels[]): Promise<string> {
  if (textures.length > 0 && random.chance(0.5)) {
    const at = random.whole(0, textures.length - 1);
    await layTexture(canvas, random, textures[at]!);
    return `texture ${at}`;
  }
  const kind = random.pick(['plain', 'wood', 'cloth', 'speckle', 'busy'] as const);
  if (kind === 'plain') layPlain(canvas, random);
  else if (kind === 'wood') layWood(canvas, random);
  else if (kind === 'cloth') layCloth(canvas, random);
  else if (kind === 'speckle') laySpeckle(canvas, random);
  else layBusy(canvas, random);
  return kind;
}

async function layTexture(canvas: Canvas, random: Random, texture: RgbPixels): Promise<void> {
  const { width, height } = canvas;
  let image = sharp(texture.data, { raw: { width: texture.width, height: texture.height, channels: 3 } });
  if (random.chance(0.5)) image = image.flop();
  if (texture.width > texture.height !== width > height) image = sharp(await image.rotate(90).png().toBuffer());
  const data = await image.resize({ width, height, fit: 'cover', kernel: 'cubic' }).raw().toBuffer();
  const gain = random.between(0.8, 1.15);
  for (let i = 0; i < data.length; i++) canvas.data[i] = data[i]! * gain;
}

type Color = readonly [r: number, g: number, b: number];

function groundColor(random: Random): Color {
  const light = random.pick([random.between(15, 70), random.between(70, 170), random.between(170, 245)]);
  const tint = random.between(0, 0.35);
  return [0, 1, 2].map(() => Math.min(255, light * (1 + tint * random.between(-1, 1)))) as unknown as Color;
}

/** A color whose channels are multiplied, and then added to, differently at each pixel. */
function layTones(
  { data, width, height }: Canvas,
  [r, g, b]: Color,
  tone: { times: (x: number, y: number) => number } | { plus: (x: number, y: number) => number },
): void {
  const [isFactor, valueAt] = 'times' in tone ? [true, tone.times] : [false, tone.plus];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const value = valueAt(x, y);
      data[at] = isFactor ? r * value : r + value;
      data[at + 1] = isFactor ? g * value : g + value;
      data[at + 2] = isFactor ? b * value : b + value;
    }
  }
}

function layPlain(canvas: Canvas, random: Random): void {
  layTones(canvas, groundColor(random), { plus: () => 0 });
}

/** Long stripes that waver along the grain, and gaps between boards. */
function layWood(canvas: Canvas, random: Random): void {
  const base: Color = random.pick([
    [176, 130, 84],
    [110, 72, 44],
    [205, 175, 135],
    [70, 48, 36],
  ]);
  const noise = smoothNoise(random, 64, 64);
  const board = random.between(0.16, 0.4) * canvas.height;
  const slant = random.between(-0.15, 0.15);
  const isUpright = random.chance(0.5);
  const shadeAt = (px: number, py: number) => {
    const [x, y] = isUpright ? [py, px] : [px, py];
    const v = y + slant * x;
    const wave = noise(x / 420, v / 30) * 14 + noise(x / 60 + 7, v / 5) * 7;
    const ring = Math.sin(v / 9 + noise(x / 300 + 3, v / 60) * 9) * 5;
    const seam = Math.abs((((v % board) + board) % board) - board / 2) > board / 2 - 2 ? -45 : 0;
    return 1 + (wave + ring + seam) / 128;
  };
  layTones(canvas, base, { times: shadeAt });
}

function layCloth(canvas: Canvas, random: Random): void {
  const base = groundColor(random);
  const noise = smoothNoise(random, 48, 48);
  const thread = random.between(4, 9);
  const weave = Float64Array.from({ length: Math.max(canvas.width, canvas.height) }, (_, at) =>
    Math.sin((at * Math.PI * 2) / thread),
  );
  const plus = (x: number, y: number) =>
    weave[x]! * weave[y]! * 9 + (noise(x / 260, y / 260) * 16 + noise(x / 70, y / 70) * 5);
  layTones(canvas, base, { plus });
}

/** Stone, carpet, a rough table. */
function laySpeckle(canvas: Canvas, random: Random): void {
  const base = groundColor(random);
  const strength = random.between(6, 30);
  const fine = smoothNoise(random, 128, 128);
  const grain = random.between(2, 7);
  const plus = (x: number, y: number) =>
    fine(x / grain, y / grain) * strength + fine(x / 90 + 5, y / 90) * strength * 0.5;
  layTones(canvas, base, { plus });
}

/** A printed mat or a desk full of things: boxes, discs and bars of every color. */
function layBusy(canvas: Canvas, random: Random): void {
  layPlain(canvas, random);
  const { width, height } = canvas;
  for (let n = random.whole(15, 45); n > 0; n--) {
    const [cx, cy] = [random.between(0, width), random.between(0, height)];
    const [w, h] = [random.between(0.01, 0.16) * width, random.between(0.01, 0.16) * width];
    const angle = random.between(0, Math.PI);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const color = groundColor(random);
    const isDisc = random.chance(0.4);
    const reach = Math.ceil(Math.hypot(w, h));
    for (let y = Math.max(0, Math.floor(cy - reach)); y < Math.min(height, cy + reach); y++) {
      for (let x = Math.max(0, Math.floor(cx - reach)); x < Math.min(width, cx + reach); x++) {
        const u = ((x - cx) * c + (y - cy) * s) / w;
        const v = ((y - cy) * c - (x - cx) * s) / h;
        if (isDisc ? u * u + v * v > 1 : Math.max(Math.abs(u), Math.abs(v)) > 1) continue;
        for (let k = 0; k < 3; k++) canvas.data[(y * width + x) * 3 + k] = color[k]!;
      }
    }
  }
}

/** Even noise of -1 to 1 on a grid, repeated, smooth between its points. */
function smoothNoise(random: Random, columns: number, rows: number): (x: number, y: number) => number {
  const grid = Float32Array.from({ length: columns * rows }, () => random.between(-1, 1));
  const wrap = (value: number, size: number) => {
    const rest = value % size;
    return rest < 0 ? rest + size : rest;
  };
  return (x, y) => {
    const [x0, y0] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [smooth(x - x0), smooth(y - y0)];
    const [a, b] = [wrap(x0, columns), wrap(x0 + 1, columns)];
    const [c, d] = [wrap(y0, rows) * columns, wrap(y0 + 1, rows) * columns];
    const top = grid[c + a]! + (grid[c + b]! - grid[c + a]!) * fx;
    const bottom = grid[d + a]! + (grid[d + b]! - grid[d + a]!) * fx;
    return top + (bottom - top) * fy;
  };
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}
