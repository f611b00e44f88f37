import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DESCRIPTOR } from '../../../src/vision/descriptor.ts';
import { anItem } from '../../support/builders.ts';
import { drawnCard } from '../../support/photos/drawn-cards.ts';
import { type ImageWorld, imageWorld } from './image-world.ts';

// A photo takes seconds of CPU, which a busy machine gives in minutes.
vi.setConfig({ testTimeout: 120_000 });

let world: ImageWorld;
beforeAll(async () => {
  world = await imageWorld(12);
});
afterAll(() => world.close());

const search = (photo: Buffer | string, query = '') => world.send(`/v1/search/by-image${query}`, [photo]);

describe('POST /v1/search/by-image', () => {
  test('a picture of the catalog is found, with certainty', async () => {
    const { status, json, headers } = await search(world.pictures[3]!);
    expect(status).toBe(200);
    expect([json.ids[0], json.confidence, json.model]).toEqual([world.ids[3], 'high', DESCRIPTOR.name]);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('scores come with the ids, the best first, 0 to 1', async () => {
    const { ids, scores, items } = (await search(world.pictures[5]!)).json;
    expect(scores).toHaveLength(ids.length);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
    expect(items).toBeUndefined();
  });

  test('hydrate=1 adds the cards in the order of the ids', async () => {
    const { ids, items } = (await search(world.pictures[7]!, '?hydrate=1')).json;
    expect(items.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(items[0].name).toBe('Card 8');
  });

  test('limit says how many at most, 10 by default', async () => {
    expect((await search(world.pictures[0]!)).json.ids.length).toBeLessThanOrEqual(10);
    expect((await search(world.pictures[0]!, '?limit=2')).json.ids).toHaveLength(2);
  });

  test('printings that a photo does not distinguish come together, and the band says so', async () => {
    const set = {
      id: (await world.database.db.query<{ id: number }>('select id from sets'))[0]!.id,
      game: 'pokemon',
    } as const;
    const foil = await anItem(world.database.db, { set, number: '9', name: 'Card 9', variation: 'Reverse Holo' });
    const { ids, confidence, scores } = (await search(world.pictures[8]!)).json;
    expect(new Set(ids.slice(0, 2))).toEqual(new Set([world.ids[8], foil]));
    expect(scores[0]).toBe(scores[1]);
    expect(confidence).not.toBe('high');
    await world.database.db.query('delete from items where id = $1', [foil]);
  });

  test('a card that the catalog does not have is not found with certainty', async () => {
    for (const seed of [900, 901, 902]) expect((await search(await drawnCard(seed))).json.confidence).not.toBe('high');
  });

  test('game narrows to one game', async () => {
    const { json } = await search(world.pictures[0]!, '?game=lorcana');
    expect(json).toMatchObject({ ids: [], confidence: 'none', scores: [] });
  });

  test.each(['limit=0', 'limit=51', 'limit=x', 'hydrate=yes', 'game=chess', 'limit=1&limit=2'])(
    '?%s is rejected',
    async (query) => {
      const { status, json } = await search('x', `?${query}`);
      expect([status, json.error]).toEqual([400, 'invalid_parameter']);
      expect(json.errors[0].parameter).toBe(query.split('=')[0]);
    },
  );

  test.each([
    ['text', 'hello'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="500" height="700"/>'],
  ])('%s is upload_malformed', async (_what, bytes) => {
    const { status, json } = await search(bytes);
    expect([status, json.error]).toEqual([400, 'upload_malformed']);
    expect(json.detail).toBe('The photo cannot be used: not a JPEG, PNG, WebP or AVIF picture.');
  });

  test('without a body, with JSON, and by GET it is rejected', async () => {
    const path = '/v1/search/by-image';
    expect((await world.api.post(path, {})).json.error).toBe('upload_malformed');
    expect((await world.api.post(path, '', { headers: { 'content-type': '' } })).json.error).toBe('upload_malformed');
    expect((await world.api.get(path)).status).toBe(405);
  });
});

test('a catalog without pictures says what makes them', async () => {
  const bare = await imageWorld(0);
  try {
    const { status, json, headers } = await bare.send('/v1/search/by-image', [await drawnCard(1)]);
    expect([status, json.error]).toEqual([503, 'unavailable']);
    expect(json.detail).toContain('mintmark import images');
    expect(headers['retry-after']).toBeDefined();
  } finally {
    await bare.close();
  }
});
