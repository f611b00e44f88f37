/**
 * What a collector means by "a blue card": the colors that fill its art. Shares are of the picture's area, weighted by
 * its place on a card and by how colorful it is.
 *
 * Colors are compared in OKLab, where equal distances look equal: Björn Ottosson, "A perceptual color space for image
 * processing" (2020), https://bottosson.github.io/posts/oklab/ (matrices as revised 2021-01-25).
 */

export const COLORS = [
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
  'brown',
  'black',
  'white',
  'gray',
] as const;

export type Color = (typeof COLORS)[number];

/** Rows of pixels, three bytes (sRGB) each. */
export type RgbPixels = { data: Uint8Array; width: number; height: number };

type ColorShare = { slug: Color /** 0 to 1. */; share: number };

const MAX_COLORS = 3;
/** A second or third color fills this share at least, and this much of what the first one fills. */
const MIN_SHARE = 0.16;
const MIN_OF_FIRST = 0.45;
/** Shadows, clouds and outlines are on most cards: without a hue it takes more to be a color of the card. */
const MIN_NEUTRAL_SHARE = 0.33;
const NEUTRAL_WEIGHT = 0.4;

/** Edges of the card (shares of its sides) that are frame on nearly all cards, and what the lower half counts: text. */
const FRAME = { side: 0.07, top: 0.1, bottom: 0.06 };
const ART_BOTTOM = 0.55;
const TEXT_WEIGHT = 0.25;

/** The one to three colors of a card's picture, most first. Empty only for a picture without pixels. */
export function dominantColors({ data, width, height }: RgbPixels): ColorShare[] {
  const sums = new Map<Color, number>();
  let total = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const place = placeWeight((x + 0.5) / width, (y + 0.5) / height);
      if (place === 0) continue;
      const at = 3 * (y * width + x);
      const lch = oklch(data[at]!, data[at + 1]!, data[at + 2]!);
      const color = colorOf(lch);
      const weight = place * (isNeutral(color) ? NEUTRAL_WEIGHT : 0.5 + Math.min(1, lch.chroma / 0.15));
      sums.set(color, (sums.get(color) ?? 0) + weight);
      total += weight;
    }
  }
  const shares = [...sums].map(([slug, sum]) => ({ slug, share: sum / total }));
  shares.sort((a, b) => b.share - a.share || COLORS.indexOf(a.slug) - COLORS.indexOf(b.slug));
  const enough = shares.filter(({ slug, share }) => share >= (isNeutral(slug) ? MIN_NEUTRAL_SHARE : MIN_SHARE));
  const chosen = enough.length > 0 ? enough : shares.slice(0, 1);
  return chosen.filter(({ share }) => share >= MIN_OF_FIRST * chosen[0]!.share).slice(0, MAX_COLORS);
}

function placeWeight(x: number, y: number): number {
  const isFrame = x < FRAME.side || x > 1 - FRAME.side || y < FRAME.top || y > 1 - FRAME.bottom;
  if (isFrame) return 0;
  return y <= ART_BOTTOM ? 1 : TEXT_WEIGHT;
}

type Oklch = {
  lightness: number;
  chroma: number /** Degrees, 0 to 360: red 29, yellow 110, green 142, blue 264. */;
  hue: number;
};

const isNeutral = (color: Color) => color === 'black' || color === 'white' || color === 'gray';

/** The name of one color. The bounds between hues are where people change the word, not where hues are equally far. */
export function colorOf({ lightness, chroma, hue }: Oklch): Color {
  if (lightness < 0.25 || (lightness < 0.38 && chroma < 0.06)) return 'black';
  // Cream and pale skin are warm whites, steel and haze bluish grays: only green shows at little chroma.
  const minChroma = hue > 115 && hue < 215 ? 0.04 : hue > 20 && hue < 325 ? 0.055 : 0.045;
  if (chroma < minChroma) return lightness > 0.82 ? 'white' : 'gray';
  if (hue < 20 || hue >= 345) return lightness > 0.68 ? 'pink' : 'red';
  if (hue < 42) return lightness > 0.76 && chroma < 0.12 ? 'pink' : lightness < 0.5 && chroma < 0.09 ? 'brown' : 'red';
  if (hue < 84) return lightness < 0.64 && chroma < 0.14 ? 'brown' : 'orange';
  if (hue < 111) return lightness < 0.6 ? (hue < 98 ? 'brown' : 'green') : 'yellow';
  if (hue < 168) return 'green';
  if (hue < 215) return 'teal';
  if (hue < 285) return 'blue';
  if (hue < 322) return 'purple';
  return lightness > 0.6 ? 'pink' : 'purple';
}

/** OKLab in polar form of an sRGB color (0 to 255 each). */
export function oklch(red: number, green: number, blue: number): Oklch {
  const [r, g, b] = [LINEAR[red]!, LINEAR[green]!, LINEAR[blue]!];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, bb),
    hue: (Math.atan2(bb, a) * (180 / Math.PI) + 360) % 360,
  };
}

/** sRGB bytes as linear light (IEC 61966-2-1). */
const LINEAR = Float64Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});
