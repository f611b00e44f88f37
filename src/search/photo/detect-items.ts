import { type Static, Type } from 'typebox';
import { onlyPart } from '../../http/body/upload.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { VisionContext } from '../../vision/context.ts';
import { boxOf, type Quad } from '../../vision/quad.ts';
import { inWords } from './photo-search.ts';

const pixels = Type.Integer({ minimum: 0 });
const corner = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });

const outline = {
  x: pixels,
  y: pixels,
  width: pixels,
  height: pixels,
  quad: Type.Array(corner, {
    minItems: 4,
    maxItems: 4,
    description:
      'Corners [x, y], clockwise from the one that shows as top left; outside of the photo where the card is cut off.',
  }),
};

const found = Type.Object({
  ...outline,
  score: Type.Number({ description: 'How sure it is that this is a card, 0 to 1.' }),
  kind: Type.Enum(['card', 'slab'], { description: 'A slab is one box, around its plastic.' }),
  card: Type.Optional(Type.Object(outline, { description: 'Of a slab: the card in it.' })),
});

export const detectItems = endpoint({
  id: 'detectItems',
  reads: 'replica',
  summary: 'Where cards and slabs are in a photo, without looking for them in the catalog',
  upload: { part: 'file', maxParts: 1 },
  response: Type.Object({
    width: Type.Integer({ description: 'Of the upright photo, pixels.' }),
    height: Type.Integer(),
    boxes: Type.Array(found, { description: 'The likeliest first; within the photo, in its pixels.' }),
  }),
  policy: 'image',
  maxAgeSeconds: 'no-store',
  async handle({ vision }: VisionContext, { upload, disconnectSignal }) {
    const bytes = await onlyPart(upload());
    const run = vision.run('detect', { bytes }, { signal: disconnectSignal() });
    const { width, height, cards } = await run.catch(inWords);
    const outlineOf = (quad: Quad) => ({ ...within(quad, width, height), quad: rounded(quad) });
    const boxes = cards.map(({ quad, score, kind, card }) => ({
      ...outlineOf(quad),
      score,
      kind,
      ...(card && { card: outlineOf(card) }),
    }));
    return { body: { width, height, boxes } };
  },
});

/** The bounding box of the visible part of the card, in whole pixels of the photo. */
function within(quad: Quad, width: number, height: number): Pick<Static<typeof found>, 'x' | 'y' | 'width' | 'height'> {
  const box = boxOf(quad);
  const x = Math.max(0, Math.floor(box.x));
  const y = Math.max(0, Math.floor(box.y));
  const right = Math.min(width, Math.ceil(box.x + box.width));
  const bottom = Math.min(height, Math.ceil(box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** To a tenth of a pixel: no edge is found finer. */
function rounded(quad: Quad): number[][] {
  return quad.map((point) => point.map((value) => Math.round(value * 10) / 10));
}
