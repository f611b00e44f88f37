import sharp from 'sharp';
import type { RgbPixels } from '../dominant-colors.ts';
import { boxOf, type Quad } from '../quad.ts';

/** How far the card reaches beside and below the label, in widths of the label's print: that may be one side of it only. */
const ASIDE = 0.4;
const DOWN = 1.9;

/** The part of a photo below a label, in which the slab's card lies, as a JPEG. */
export function cardBelow(photo: RgbPixels, label: Quad): Promise<Buffer> {
  const box = boxOf(label);
  const left = Math.max(0, Math.round(box.x - ASIDE * box.width));
  const right = Math.min(photo.width, Math.round(box.x + (1 + ASIDE) * box.width));
  // A label at the very bottom has no card below it: then it is the whole photo.
  const top = box.y + box.height < photo.height * 0.8 ? Math.max(0, Math.round(box.y + box.height * 0.5)) : 0;
  const bottom = Math.min(photo.height, Math.round(box.y + box.height + DOWN * box.width));
  const { data, width, height } = photo;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: right - left, height: bottom - top })
    .jpeg({ quality: 92 })
    .toBuffer();
}
