import { CARD_PIXELS } from '../descriptor.ts';
import type { CV } from '../opencv.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { type Quad, rotateQuad, sidesOf } from '../quad.ts';
import { rectify } from '../rectify.ts';

/** A quad of the photo read as a card: which of its corners is the card's top left is a guess. */
export type CardLook = {
  /** From the card's own top-left corner. */
  quad: Quad;
  card: RgbPixels;
};

/** Perspective hardly makes a card look wider than high by more than this: beyond it, it is on its side. */
const SIDEWAYS = 1.15;
const UPRIGHT = 0.85;

/** The ways to read a quad as a card: upside down always, on its side unless it is clearly upright. */
export function looksAt(cv: CV, photo: RgbPixels, quad: Quad): CardLook[] {
  const [top, right, bottom, left] = sidesOf(quad);
  const aspect = (top + bottom) / (left + right);
  const looks: CardLook[] = [];
  if (aspect < SIDEWAYS) looks.push(...bothWays(cv, photo, quad));
  if (aspect > UPRIGHT) looks.push(...bothWays(cv, photo, rotateQuad(quad, 1)));
  return looks;
}

/** The card within a quad whose first corner is known to be its top left. */
export function lookAt(cv: CV, photo: RgbPixels, quad: Quad): CardLook {
  return { quad, card: rectify(cv, photo, quad, CARD_PIXELS.width, CARD_PIXELS.height) };
}

function bothWays(cv: CV, photo: RgbPixels, quad: Quad): CardLook[] {
  const upright = lookAt(cv, photo, quad);
  return [upright, { quad: rotateQuad(quad, 2), card: upsideDown(upright.card) }];
}

function upsideDown({ data, width, height }: RgbPixels): RgbPixels {
  const turned = new Uint8Array(data.length);
  for (let from = 0, to = data.length - 3; to >= 0; from += 3, to -= 3) {
    turned[to] = data[from]!;
    turned[to + 1] = data[from + 1]!;
    turned[to + 2] = data[from + 2]!;
  }
  return { data: turned, width, height };
}
