import type { Ocr } from './ocr.ts';
import type { CV } from './opencv.ts';
import { ontoQuad, project } from './perspective.ts';
import type { RgbPixels } from './pictures/dominant-colors.ts';
import { lumaOf } from './plane.ts';
import type { Quad } from './quad.ts';
import { rectify } from './rectify.ts';

/** Where games print the number of a card, shares of its height; most of them at the foot. */
const BANDS = [
  [0.92, 0.995],
  [0, 0.06],
  [0.68, 0.76],
] as const;
/** Pixels across a card at which its smallest print is as high as the reader likes it. */
const CARD_WIDTH_PX = 1600;
const CARD_ASPECT = 88 / 63;

/**
 * Reads a card for its printed number: the one of `numbers` (as the catalog has them) that is printed on the card, or
 * null where none of them or several can be read. `quad` begins at the card's own top left.
 */
export async function readNumber(
  cv: CV,
  ocr: Ocr,
  photo: RgbPixels,
  quad: Quad,
  numbers: readonly string[],
): Promise<string | null> {
  for (const band of BANDS) {
    const words = await ocr.read(bandOf(cv, photo, quad, band), { layout: 'block' });
    const found = numbers.filter((number) => words.some(({ text }) => isPrintedAs(number, text)));
    if (found.length > 0) return found.length === 1 ? found[0]! : null;
  }
  return null;
}

/**
 * Whether a word that was read is a number of the catalog: `16` as `016/198`, `ST02-010` as it is. A bare numeral is no
 * number: cards are full of them.
 */
export function isPrintedAs(number: string, word: string): boolean {
  const [wanted, wantedTotal] = partsOf(number);
  const [read, total] = partsOf(word);
  if (!/\d/.test(wanted!) || read !== wanted) return false;
  if (wantedTotal !== undefined) return total === wantedTotal;
  return total !== undefined ? /\d/.test(total) : /[A-Z]/.test(wanted!);
}

/** Upper case without dashes, dots and leading zeros, before and behind the slash. */
function partsOf(text: string): string[] {
  const parts = text.toUpperCase().split('/');
  return parts.map((part) => part.replace(/[^A-Z0-9]/g, '').replace(/^0+(?=\d)/, ''));
}

/** Across the card from one share of its height to another, upright and gray. */
function bandOf(cv: CV, photo: RgbPixels, quad: Quad, [from, to]: readonly [number, number]) {
  const onto = ontoQuad(quad);
  const [top, bottom] = [2 * from - 1, 2 * to - 1];
  const band = [project(onto, -1, top), project(onto, 1, top), project(onto, 1, bottom), project(onto, -1, bottom)];
  const height = Math.round(CARD_WIDTH_PX * CARD_ASPECT * (to - from));
  const luma = lumaOf(rectify(cv, photo, band as unknown as Quad, CARD_WIDTH_PX, height));
  return { data: Uint8Array.from(luma.data), width: luma.width, height: luma.height };
}
