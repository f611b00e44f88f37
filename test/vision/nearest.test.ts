import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Game } from '../../src/catalog/games.ts';
import { type Nearest, openNearest } from '../../src/vision/nearest.ts';
import { openScan } from '../../src/vision/nearest-scan.ts';
import { dropVectors, unitVector, writeVectors } from '../../src/vision/vectors.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { randomVectors } from '../support/vectors.ts';

const log = pino({ level: 'silent' });

let database: FreshDatabase;
let number = 0;
let model: string;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  model = `model-${++number}`;
});

async function items(count: number, game: Game = 'pokemon'): Promise<string[]> {
  const { db } = database;
  const set = await aSet(db, { game, name: `Set ${++number}`, code: `s${number}` });
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await anItem(db, { set, number: String(n) }));
  return ids;
}

const rowsOf = (ids: readonly string[], vectors: readonly Float32Array[]) =>
  ids.map((itemId, i) => ({ itemId, imageHash: null, vector: vectors[i]! }));
const open = (): Promise<Nearest> => openNearest({ db: database.db, log });

describe('the nearest vectors', () => {
  test('are found by cosine, the same vector first with a score of 1', async () => {
    const ids = await items(20);
    const vectors = randomVectors(20, 1);
    await writeVectors(database.db, model, rowsOf(ids, vectors));
    const hits = await (await open()).nearest(model, vectors[7]!, 5);
    expect(hits).toHaveLength(5);
    expect(hits[0]!.itemId).toBe(ids[7]);
    expect(hits[0]!.score).toBeCloseTo(1, 6);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
  });

  test('are of one model alone', async () => {
    const ids = await items(2);
    const [one, other] = randomVectors(2, 2);
    await writeVectors(database.db, model, rowsOf(ids.slice(0, 1), [one!]));
    await writeVectors(database.db, `${model}-other`, rowsOf(ids.slice(1), [other!]));
    const nearest = await open();
    expect((await nearest.nearest(model, other!, 5)).map(({ itemId }) => itemId)).toEqual([ids[0]]);
    expect(await nearest.nearest('nothing-of-it', one!, 5)).toEqual([]);
  });

  test('are of one game where it is given', async () => {
    const ids = [...(await items(5)), ...(await items(5, 'mtg'))];
    const vectors = randomVectors(10, 3);
    await writeVectors(database.db, model, rowsOf(ids, vectors));
    const hits = await (await open()).nearest(model, vectors[0]!, 10, 'mtg');
    expect(hits.map(({ itemId }) => itemId).sort()).toEqual(ids.slice(5).sort());
  });

  test('of items with equal pictures come in one order, whoever asks', async () => {
    const ids = await items(6);
    const [vector] = randomVectors(1, 4);
    await writeVectors(database.db, model, rowsOf(ids, Array(6).fill(vector)));
    const hits = await (await open()).nearest(model, vector!, 4);
    expect(hits.map(({ itemId }) => itemId)).toEqual([...ids].sort().slice(0, 4));
  });

  test('follow what other processes add, replace and take away', async () => {
    const ids = await items(4);
    const [first, second, third] = randomVectors(3, 5);
    await writeVectors(database.db, model, rowsOf(ids, [first!, second!]).slice(0, 2));
    const [nearest, elsewhere] = [await open(), await open()];
    for (const one of [nearest, elsewhere]) expect(await one.size(model)).toBe(2);
    await writeVectors(database.db, model, rowsOf([ids[0]!, ids[2]!], [third!, first!]));
    await dropVectors(database.db, model, [ids[1]!]);
    for (const one of [nearest, elsewhere])
      await expect.poll(async () => (await one.nearest(model, third!, 1))[0]!.itemId).toBe(ids[0]);
    for (const one of [nearest, elsewhere]) {
      expect((await one.nearest(model, first!, 1))[0]!.itemId).toBe(ids[2]);
      expect(await one.size(model)).toBe(2);
    }
  });

  test('a vector of another length, or none at all, is refused', async () => {
    const nearest = await open();
    for (const bad of [new Float32Array(511), new Float32Array(512), new Float32Array(512).fill(Number.NaN)])
      await expect(nearest.nearest(model, bad, 1)).rejects.toThrow(RangeError);
  });
});

test('a scan stays right through thousands of changes', () => {
  const scan = openScan();
  const vectors = randomVectors(64, 6);
  const truth = new Map<string, Float32Array>();
  for (let step = 0; step < 5000; step++) {
    const itemId = `item-${(step * 7919) % 3000}`;
    if (step % 5 === 4) expect(scan.remove(itemId)).toBe(truth.delete(itemId));
    else {
      const vector = unitVector(vectors[step % 64]!.map((value, i) => value + (i === step % 512 ? 0.5 : 0)));
      scan.put(itemId, 'pokemon', vector);
      truth.set(itemId, vector);
    }
  }
  expect(scan.size()).toBe(truth.size);
  const [query] = randomVectors(1, 7);
  const expected = [...truth]
    .map(([itemId, vector]) => ({ itemId, score: vector.reduce((sum, value, i) => sum + value * query![i]!, 0) }))
    .sort((a, b) => b.score - a.score);
  const hits = scan.search(query!, 10, null);
  for (const [i, hit] of hits.entries()) expect(hit.score).toBeCloseTo(expected[i]!.score, 5);
});
