import sharp from 'sharp';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { type Box, boxOf, grown, type Quad } from '../quad.ts';

/** How far the card reaches to the sides of the label and below it, in widths of the label's print: that may be one side of it only. */
const ASIDE = 0.4;
const DOWN = 1.9;
/** Around a card whose outline is known, in widths of its box: the search for it needs some ground. */
const ROOM = 0.15;

/** The part of a photo that shows a slab's card, as a JPEG: around its outline, or else below the label. */
export function cardBelow(photo: RgbPixels, label: Quad, card: Quad | null): Promise<Buffer> {
  if (card !== null) return partOf(photo, grown(boxOf(card), ROOM * boxOf(card).width));
  const box = boxOf(label);
  // A label at the very bottom has no card below it: then it is the whole photo.
  const top = box.y + box.height < photo.height * 0.8 ? box.y + box.height * 0.5 : 0;
  const width = (1 + 2 * ASIDE) * box.width;
  return partOf(photo, {
    x: box.x - ASIDE * box.width,
    y: top,
    width,
    height: box.y + box.height + DOWN * box.width - top,
  });
}

function partOf({ data, width, height }: RgbPixels, box: Box): Promise<Buffer> {
  const left = Math.max(0, Math.round(box.x));
  const top = Math.max(0, Math.round(box.y));
  const right = Math.min(width, Math.round(box.x + box.width));
  const bottom = Math.min(height, Math.round(box.y + box.height));
  return sharp(data, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: right - left, height: bottom - top })
    .jpeg({ quality: 92 })
    .toBuffer();
}
