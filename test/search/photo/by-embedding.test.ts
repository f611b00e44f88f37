import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESCRIPTOR } from '../../../src/vision/descriptor.ts';
import { EMBEDDING_MODEL } from '../../../src/vision/encoder/models.ts';
import { keepMeasured } from '../../../src/vision/impostors.ts';
import { unitVector, writeVectors } from '../../../src/vision/vectors/stored-vectors.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSet } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { randomVectors } from '../../support/vectors.ts';

const PATH = '/v1/search/by-embedding';
/** As many as it takes to know impostors. */
const CARDS = 520;

let database: FreshDatabase;
let dataDir: string;
let api: TestApp;
let ids: string[];
const vectors = randomVectors(CARDS, 41);

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  dataDir = await mkdtemp(join(tmpdir(), 'mintmark-embeddings-'));
  const set = await aSet(db);
  ids = [];
  for (let n = 0; n < CARDS; n++) ids.push(await anItem(db, { set, number: String(n), name: `Card ${n}` }));
  await writeVectors(db, DESCRIPTOR.name, [{ itemId: ids[0]!, imageHash: null, vector: vectors[0]! }]);
  api = await testApp(db, { env: { MINTMARK_DATA: dataDir, LIMITS: 'on', IMAGE_PUBLIC: '1000', BURST_PUBLIC: '0' } });
});
afterAll(async () => {
  await api.app.close();
  await database.close();
  await rm(dataDir, { recursive: true });
});

const list = (vector: ArrayLike<number>) => Array.from(vector);
const search = (embedding: unknown, more: object = {}, query = '') =>
  api.post(`${PATH}${query}`, { embedding, ...more });
/** A vector with this cosine to another. */
function near(vector: Float32Array, cosine: number, seed: number): number[] {
  const [noise] = randomVectors(1, seed);
  const along = noise!.reduce((sum, value, i) => sum + value * vector[i]!, 0);
  const across = unitVector(noise!.map((value, i) => value - along * vector[i]!));
  return list(vector.map((value, i) => cosine * value + Math.sqrt(1 - cosine * cosine) * across[i]!));
}

test('503 while the catalog has no vector of the model, never an empty success', async () => {
  const { status, json, headers } = await search(list(vectors[0]!));
  expect([status, json.error]).toEqual([503, 'unavailable']);
  expect(json.detail).toContain('mintmark models add <file.onnx>');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
});

describe('POST /v1/search/by-embedding', () => {
  beforeAll(async () => {
    const { db } = database;
    const rows = ids.map((itemId, i) => ({ itemId, imageHash: null, vector: vectors[i]! }));
    await writeVectors(db, EMBEDDING_MODEL, rows);
    await keepMeasured(db, EMBEDDING_MODEL);
    await api.context.nearest.refresh();
  });

  test('has no band while wrong cards were not measured, for a vector of the catalog as for any other', async () => {
    const { db } = database;
    await db.query('delete from vector_spaces where model = $1', [EMBEDDING_MODEL]);
    for (const vector of [vectors[7]!, randomVectors(1, 44)[0]!])
      expect((await search(list(vector))).json).toMatchObject({ confidence: null, measured: false });
    await keepMeasured(db, EMBEDDING_MODEL);
    expect((await search(list(vectors[7]!))).json).toMatchObject({ confidence: 'high', measured: true });
  });

  test('finds the card, with certainty where no impostor comes as near', async () => {
    const { status, json, headers } = await search(near(vectors[7]!, 0.9, 1));
    expect(status).toBe(200);
    expect([json.ids[0], json.confidence, json.model]).toEqual([ids[7], 'high', EMBEDDING_MODEL]);
    expect(json.scores[0]).toBeCloseTo(0.9, 4);
    expect(json.ids).toHaveLength(10);
    expect(json.items).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['ratelimit-policy']).toContain('image');
  });

  test('a card that is not there is never found with certainty', async () => {
    for (const vector of randomVectors(50, 43)) {
      const { json } = await search(list(vector));
      expect(json.confidence).not.toBe('high');
      if (json.confidence === 'none') expect([json.ids, json.scores]).toEqual([[], []]);
    }
  });

  test.each<[string, object, string]>([
    ['the query', {}, '?hydrate=1&limit=3'],
    ['the body', { hydrate: true, limit: 3 }, ''],
    ['the query, in words', { hydrate: null }, '?hydrate=true&limit=3'],
    ['the body, as the query has it', { hydrate: '1', limit: 3 }, '?limit=5'],
    ['the body, in words', { hydrate: 'true', limit: 3 }, '?hydrate=false'],
    ['the body, as a number', { hydrate: 1, limit: 3 }, '?hydrate=0'],
  ])('hydrate and limit are taken from %s', async (_, more, query) => {
    const { json } = await search(near(vectors[3]!, 0.9, 2), more, query);
    expect(json.items.map(({ id }: { id: string }) => id)).toEqual(json.ids);
    expect(json.ids).toHaveLength(3);
    expect(json.items[0].name).toBe('Card 3');
  });

  test.each<[unknown, string]>([
    [undefined, ''],
    [false, ''],
    [null, ''],
    [0, ''],
    ['0', ''],
    ['false', ''],
    [undefined, '?hydrate=0'],
    [undefined, '?hydrate=false'],
    [null, '?hydrate=false'],
  ])('without hydrate (%j in the body, “%s” as query) there are ids without cards', async (hydrate, query) => {
    const { status, json } = await search(near(vectors[3]!, 0.9, 2), { hydrate }, query);
    expect([status, json.ids[0], json.items]).toEqual([200, ids[3], undefined]);
  });

  test.each([
    [{ hydrate: 'yes' }, ''],
    [{ hydrate: 2 }, ''],
    [{}, '?hydrate=null'],
  ])('hydrate is rejected in other words: %j, “%s”', async (body, query) => {
    const { status, json } = await search(near(vectors[3]!, 0.9, 2), body, query);
    expect([status, json.error]).toEqual([400, 'invalid_parameter']);
  });

  test('printings that a picture does not distinguish come together, and the band says so', async () => {
    const { db } = database;
    const [set] = await db.query<{ id: number }>('select id from sets');
    const foil = await anItem(db, {
      set: { id: set!.id, game: 'pokemon' },
      number: '9',
      name: 'Card 9',
      variation: 'Foil',
    });
    const { json } = await search(near(vectors[9]!, 0.9, 3));
    expect(json.ids.slice(0, 2)).toEqual([ids[9], foil]);
    expect(json.scores[0]).toBe(json.scores[1]);
    expect(json.confidence).toBe('medium');
    await db.query('delete from items where id = $1', [foil]);
  });

  test('what left the catalog is not found', async () => {
    await database.db.query('update items set removed_at = now() where id = $1', [ids[11]]);
    const { json } = await search(near(vectors[11]!, 0.95, 4));
    expect(json.ids).not.toContain(ids[11]);
    expect(json.confidence).not.toBe('high');
    await database.db.query('update items set removed_at = null where id = $1', [ids[11]]);
  });

  test('game narrows to one game', async () => {
    expect((await search(list(vectors[0]!), {}, '?game=mtg')).json).toMatchObject({ ids: [], confidence: 'none' });
  });

  const good = list(vectors[0]!);
  test.each<[string, unknown, object]>([
    ['is missing', undefined, {}],
    ['is a text', 'x', {}],
    ['has 511 numbers', good.slice(1), {}],
    ['has 513 numbers', [...good, 0], {}],
    ['contains a text', [...good.slice(1), '0.1'], {}],
    ['contains null', [...good.slice(1), null], {}],
    ['is all zeros', good.map(() => 0), {}],
    ['is longer than 1', good.map((value) => value * 1.0011), {}],
    ['is shorter than 1', good.map((value) => value * 0.9989), {}],
    ['comes with a limit of 51', good, { limit: 51 }],
    ['comes with an unknown field', good, { k: 3 }],
  ])('an embedding that %s is rejected with 400', async (_, embedding, more) => {
    const { status, json } = await search(embedding, more);
    expect([status, json.error]).toEqual([400, 'invalid_parameter']);
    expect(json.errors[0].pointer).toMatch(/^\/(embedding|limit|k)/);
  });

  test('a number beyond all bounds is rejected with 400', async () => {
    const { status } = await api.post(PATH, `{"embedding":[1e999,${good.slice(1).join()}]}`);
    expect(status).toBe(400);
  });

  test('a length within a thousandth of 1 is taken', async () => {
    for (const factor of [0.9992, 1.0008])
      expect((await search(good.map((value) => value * factor))).json.ids[0]).toBe(ids[0]);
  });
});
