import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ImageWorld, imageWorld } from './image-world.ts';

// A photo takes seconds of CPU, which a busy machine gives in minutes.
vi.setConfig({ testTimeout: 120_000 });

let world: ImageWorld;
beforeAll(async () => {
  world = await imageWorld(4);
});
afterAll(() => world.close());

const search = (photos: readonly (Buffer | string)[], { query = '', name = 'items' } = {}) =>
  world.send(`/v1/search/by-image/bulk${query}`, photos, name);

describe('POST /v1/search/by-image/bulk', () => {
  test('each photo has its own result or problem, in their order', async () => {
    const [first, second] = world.pictures as [Buffer, Buffer];
    const large = Buffer.concat([first, Buffer.alloc(15 * 2 ** 20)]);
    const { status, json } = await search([second, 'no photo', large, first]);
    expect(status).toBe(200);
    const [a, b, c, d] = json.results;
    expect([a.ids[0], d.ids[0]]).toEqual([world.ids[1], world.ids[0]]);
    expect(b).toMatchObject({ status: 400, error: 'upload_malformed' });
    expect(c).toMatchObject({ status: 413, error: 'upload_too_large' });
  });

  test('shipped clients call the parts cards', async () => {
    const { json } = await search([world.pictures[2]!], { name: 'cards' });
    expect(json.results[0].ids[0]).toBe(world.ids[2]);
  });

  test('hydrate and limit hold for each', async () => {
    const { json } = await search(world.pictures.slice(0, 2), { query: '?hydrate=1&limit=1' });
    expect(json.results.map((one: { items: { name: string }[] }) => one.items.map(({ name }) => name))).toEqual([
      ['Card 1'],
      ['Card 2'],
    ]);
  });

  test('more than twelve photos, and none, are rejected', async () => {
    expect((await search(Array.from({ length: 13 }, () => 'x'))).json.error).toBe('upload_malformed');
    expect((await search([])).json.error).toBe('upload_malformed');
    expect((await search(['x'], { name: 'file' })).json.error).toBe('upload_malformed');
  });

  test('where none of them can be processed it is unavailable', async () => {
    const { json, status } = await search(['x']);
    expect([status, json.results[0].error]).toEqual([200, 'upload_malformed']);
    await world.api.context.vision.close();
    const rejected = await search([world.pictures[0]!]);
    expect([rejected.status, rejected.json.error]).toEqual([503, 'unavailable']);
    expect(rejected.headers['retry-after']).toBe('2');
  });
});

test('however many photos it carries, it is one unit of the image budget', async () => {
  const limited = await imageWorld(1, { LIMITS: 'on', IMAGE_PUBLIC: '2', BURST_PUBLIC: '0' });
  try {
    const bulk = () => limited.send('/v1/search/by-image/bulk', Array(12).fill('no photo'), 'items');
    const answer = await bulk();
    expect(answer.headers['ratelimit-policy']).toBe('"image";q=2;w=86400');
    expect(answer.headers['x-ratelimit-remaining']).toBe('1');
    const damaged = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
    expect((await limited.send('/v1/search/by-image', [damaged])).headers['x-ratelimit-remaining']).toBe('0');
    const spent = await bulk();
    expect([spent.status, spent.json.error]).toEqual([429, 'rate_limited']);
  } finally {
    await limited.close();
  }
});
