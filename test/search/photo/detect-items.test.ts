import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Quad } from '../../../src/vision/quad.ts';
import { areaOf, cornerDistance, diagonalOf, overlapOf, sharedArea } from '../../../src/vision/quad.ts';
import { type CardPhoto, photographCard } from '../../support/photos/photos.ts';
import { photographSlab } from '../../support/photos/slabs.ts';
import { type ImageWorld, imageWorld } from './image-world.ts';

// A photo takes seconds of CPU, which a busy machine gives in minutes.
vi.setConfig({ testTimeout: 120_000 });

type Outline = { x: number; y: number; width: number; height: number; quad: Quad };
type Box = Outline & { score: number; kind: 'card' | 'slab'; card?: Outline };

let world: ImageWorld;
let photo: CardPhoto;
beforeAll(async () => {
  world = await imageWorld(1);
  photo = await photographCard(world.pictures[0]!, 2, 'easy');
});
afterAll(() => world.close());

const detect = (bytes: Buffer, path = '/v1/search/detect-items') => world.send(path, [bytes]);

describe('POST /v1/search/detect-items', () => {
  test('reports where the card is, in pixels of the photo', async () => {
    const { status, json } = await detect(photo.jpeg);
    expect([status, json.width, json.height]).toEqual([200, photo.width, photo.height]);
    const [box] = json.boxes as [Box];
    expect(cornerDistance(box.quad, photo.quad)).toBeLessThan(0.04 * diagonalOf(photo.quad));
    expect(box.score > 0 && box.score <= 1).toBe(true);
    expect([box.kind, 'card' in box]).toEqual(['card', false]);
  });

  test('a slab is one box of its kind, with its card inside', async () => {
    const slab = await photographSlab(1035, 'PSA', { longSidePx: 1600 });
    const boxes = (await detect(slab.jpeg)).json.boxes as Box[];
    expect(boxes.map(({ kind }) => kind)).toEqual(['slab']);
    const [{ card, ...box }] = boxes as [Box];
    expect(overlapOf(box.quad, slab.quad)).toBeGreaterThan(0.85);
    expect(card!.y).toBeGreaterThan(box.y + 0.15 * box.height);
    expect(sharedArea(card!.quad, box.quad)).toBeGreaterThan(0.97 * areaOf(card!.quad));
  });

  test('in pixels of the photo as it was sent, when it is larger than what is processed', async () => {
    const large = await sharp(photo.jpeg)
      .resize(photo.width * 2)
      .jpeg()
      .toBuffer();
    const { json } = await detect(large);
    expect([json.width, json.height]).toEqual([photo.width * 2, photo.height * 2]);
    const [box] = json.boxes as [Box];
    const quad = photo.quad.map(([x, y]) => [2 * x, 2 * y]) as unknown as Quad;
    expect(cornerDistance(box.quad, quad)).toBeLessThan(0.04 * diagonalOf(quad));
  });

  test('in pixels of the photo as it is seen, when it has to be turned', async () => {
    const lying = await sharp(photo.jpeg).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { json } = await detect(lying);
    expect([json.width, json.height]).toEqual([photo.width, photo.height]);
    expect(cornerDistance((json.boxes as [Box])[0].quad, photo.quad)).toBeLessThan(0.04 * diagonalOf(photo.quad));
  });

  test('boxes are whole pixels within the photo and hold their quads', async () => {
    const cut = await sharp(photo.jpeg).extract({ left: 0, top: 0, width: 1000, height: 1100 }).toBuffer();
    for (const bytes of [photo.jpeg, cut]) {
      const { width, height, boxes } = (await detect(bytes)).json;
      for (const { x, y, width: w, height: h } of boxes as Box[]) {
        for (const value of [x, y, w, h]) expect(Number.isInteger(value) && value >= 0).toBe(true);
        expect([x + w <= width, y + h <= height]).toEqual([true, true]);
      }
    }
  });

  test('a card that fills the photo is found', async () => {
    const [left, top] = [0, 1].map((axis) => Math.min(...photo.quad.map((corner) => corner[axis]!)));
    const [right, bottom] = [0, 1].map((axis) => Math.max(...photo.quad.map((corner) => corner[axis]!)));
    const margin = 0.06 * (bottom! - top!);
    const region = {
      left: Math.max(0, Math.round(left! - margin)),
      top: Math.max(0, Math.round(top! - margin)),
      width: Math.round(right! - left! + 2 * margin),
      height: Math.round(bottom! - top! + 2 * margin),
    };
    region.width = Math.min(region.width, photo.width - region.left);
    region.height = Math.min(region.height, photo.height - region.top);
    const { json } = await detect(await sharp(photo.jpeg).extract(region).jpeg().toBuffer());
    expect(json.boxes.length).toBe(1);
    const [box] = json.boxes as [Box];
    const quad = photo.quad.map(([x, y]) => [x - region.left, y - region.top]) as unknown as Quad;
    expect(cornerDistance(box.quad, quad)).toBeLessThan(0.04 * diagonalOf(quad));
  });

  test('a photo without a card has no boxes', async () => {
    const plain = { width: 800, height: 600, channels: 3, background: { r: 120, g: 110, b: 100 } } as const;
    const { json } = await detect(await sharp({ create: plain }).jpeg().toBuffer());
    expect(json).toEqual({ width: 800, height: 600, boxes: [] });
  });

  test('needs no pictures in the catalog, and answers the old name with Deprecation', async () => {
    await world.database.db.query('update item_vectors set vector = null, digest = null');
    const { status, json, headers } = await detect(photo.jpeg, '/v1/search/detect-cards');
    expect([status, json.boxes.length > 0]).toEqual([200, true]);
    expect(headers.deprecation).toMatch(/^@\d+$/);
    expect((await detect(photo.jpeg)).headers.deprecation).toBeUndefined();
  });

  test('what is not a photo is upload_malformed; an unknown parameter is ignored', async () => {
    expect((await detect(Buffer.from('x'))).json.error).toBe('upload_malformed');
    expect((await detect(photo.jpeg, '/v1/search/detect-items?limit=3')).json.boxes).toHaveLength(1);
  });
});
