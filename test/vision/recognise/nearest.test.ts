import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Game } from '../../../src/catalog/games.ts';
import { bestOf, dot } from '../../../src/vision/vectors/best.ts';
import { type Nearest, openNearest } from '../../../src/vision/vectors/nearest.ts';
import { openScan, quantize } from '../../../src/vision/vectors/scan.ts';
import { bytesOf, dropVectors, unitVector, writeVectors } from '../../../src/vision/vectors/stored-vectors.ts';
import { compiledProgram } from '../../support/app.ts';
import { anItem, aSet } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { randomVectors } from '../../support/vectors.ts';

const log = pino({ level: 'silent' });

let database: FreshDatabase;
let number = 0;
let model: string;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await database.close();
});
beforeEach(() => {
  model = `model-${++number}`;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
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
const opened: Nearest[] = [];
async function open(compiled = compiledProgram()): Promise<Nearest> {
  const nearest = await openNearest({ db: database.db, log, compiled });
  opened.push(nearest);
  return nearest;
}

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

  test('of items with equal pictures come in one order, for every caller', async () => {
    const ids = await items(60);
    const [vector] = randomVectors(1, 4);
    await writeVectors(database.db, model, rowsOf(ids, Array(60).fill(vector)));
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

  test('a vector of another length, or none at all, is rejected', async () => {
    const nearest = await open();
    for (const bad of [new Float32Array(511), new Float32Array(512), new Float32Array(512).fill(Number.NaN)])
      await expect(nearest.nearest(model, bad, 1)).rejects.toThrow(RangeError);
  });
});

describe('in a game', () => {
  test('the exactly nearest are found, equal ones too, while its vectors change', async () => {
    const ids = await items(15, 'mtg');
    await writeVectors(database.db, model, rowsOf(ids, randomVectors(15, 18)));
    const equal = await items(40, 'mtg');
    const [vector, other] = randomVectors(2, 19);
    await writeVectors(database.db, model, rowsOf(equal, Array(40).fill(vector)));
    const nearest = await open();
    expect(await nearest.size(model)).toBe(55);
    await writeVectors(database.db, model, rowsOf(equal.slice(0, 8), Array(8).fill(other)));
    await nearest.refresh();
    const found = async (query: Float32Array, k: number) =>
      (await nearest.nearest(model, query, k, 'mtg')).map(({ itemId }) => itemId).sort();
    expect(await found(vector!, 32)).toEqual(equal.slice(8).sort());
    expect(await found(other!, 8)).toEqual(equal.slice(0, 8).sort());
    expect(await found(vector!, 100)).toEqual([...ids, ...equal].sort());
    expect(await nearest.nearest(model, vector!, 3, 'lorcana')).toEqual([]);
  });
});

test('the vectors of a backup that was restored are the ones that are found', async () => {
  const ids = await items(2);
  const [one, other, third] = randomVectors(3, 16);
  await writeVectors(database.db, model, rowsOf(ids, [one!, other!]));
  const before = await open();
  expect((await before.nearest(model, one!, 1))[0]!.itemId).toBe(ids[0]);
  // Under the same version, as a backup has it.
  await database.db.query('update item_vectors set vector = $2 where model = $1 and item_id = $3', [
    model,
    bytesOf(third!),
    ids[0],
  ]);
  const [first] = await (await open()).nearest(model, third!, 1);
  expect(first!.itemId).toBe(ids[0]);
  expect(first!.score).toBeCloseTo(1, 6);
});

test('when the thread that holds the vectors fails, queries under way fail with it and the next one loads them again', async () => {
  const ids = await items(3);
  const vectors = randomVectors(3, 21);
  await writeVectors(database.db, model, rowsOf(ids, vectors));
  // The thread of the program, which a query for an unknown game ends.
  const compiled = scratchFolder();
  mkdirSync(join(compiled, 'vision/vectors'), { recursive: true });
  writeFileSync(
    join(compiled, 'vision/vectors/scan-thread.js'),
    `const { parentPort } = require('node:worker_threads');
     const exit = ({ args }) => args[3] === 'nonsense' && process.exit();
     import('${new URL('vision/vectors/scan-thread.js', compiledProgram())}').then(() => parentPort.on('message', exit));`,
  );
  const nearest = await open(pathToFileURL(`${compiled}/`));
  await nearest.warm();
  const queries = ['nonsense' as Game, null, null].map((game) => nearest.nearest(model, vectors[1]!, 1, game));
  const outcomes = await Promise.allSettled(queries);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect((await nearest.nearest(model, vectors[1]!, 1))[0]!.itemId).toBe(ids[1]);
  const [added] = await items(1);
  await writeVectors(database.db, model, rowsOf([added!], randomVectors(1, 22)));
  await nearest.refresh();
  expect(await nearest.size(model)).toBe(4);
});

/** Every id by its exact cosine, best first. */
const exactly = (vectors: ReadonlyMap<string, Float32Array>, query: Float32Array) =>
  bestOf(
    [...vectors].map(([itemId, vector]) => ({ itemId, score: dot(query, vector, 0) })),
    vectors.size,
  );
const quantized = (vector: Float32Array) => {
  const row = new Int8Array(512);
  quantize(vector, row, 0);
  return row;
};

test('of vectors in clusters, the ten exactly nearest are among the candidates, and few others', () => {
  const centers = randomVectors(20, 8);
  const noise = randomVectors(9_970, 9);
  const near = (n: number) => unitVector(centers[n % 20]!.map((value, i) => value + 0.5 * noise[n]![i]!));
  const vectors = new Map(Array.from({ length: 9_950 }, (_, n) => [String(n), near(n)]));
  const scan = openScan();
  for (const [id, vector] of vectors) scan.put(id, Number(id) % 3 === 0 ? 'mtg' : 'pokemon', quantized(vector));
  for (let n = 9_950; n < 9_970; n++) {
    const candidates = scan.candidates(quantized(near(n)), 10, null);
    expect(candidates).toEqual(
      expect.arrayContaining(
        exactly(vectors, near(n))
          .slice(0, 10)
          .map(({ itemId }) => itemId),
      ),
    );
    expect(candidates.length).toBeLessThan(100);
  }
});

test('of more equal vectors than a first look returns, all are candidates, in the order of their ids', () => {
  const scan = openScan();
  const [equal, ...others] = randomVectors(51, 4);
  for (const [n, vector] of others.entries()) scan.put(`other-${n}`, 'mtg', quantized(vector));
  const ids = Array.from({ length: 300 }, (_, n) => `equal-${String((n * 7) % 300).padStart(3, '0')}`);
  for (const id of ids) scan.put(id, 'mtg', quantized(equal!));
  expect(scan.candidates(quantized(equal!), 4, null)).toEqual([...ids].sort());
});

test('a scan stays right through thousands of changes of two games', () => {
  const scan = openScan();
  const vectors = randomVectors(64, 6);
  const truth = new Map<string, Float32Array>();
  const gameOf = (itemId: string) => (itemId.endsWith('7') ? 'mtg' : 'pokemon');
  for (let step = 0; step < 15_000; step++) {
    const itemId = `item-${(step * 7919) % 9000}`;
    if (step % 5 === 4) expect(scan.remove(itemId)).toBe(truth.delete(itemId));
    else {
      const vector = unitVector(vectors[step % 64]!.map((value, i) => value + (i === step % 512 ? 0.5 : 0)));
      scan.put(itemId, gameOf(itemId), quantized(vector));
      truth.set(itemId, vector);
    }
  }
  expect(scan.size()).toBe(truth.size);
  const [query] = randomVectors(1, 7);
  const expected = exactly(truth, query!).map(({ itemId }) => itemId);
  expect(scan.candidates(quantized(query!), 10, null)).toEqual(expect.arrayContaining(expected.slice(0, 10)));
  const ofMtg = expected.filter((itemId) => gameOf(itemId) === 'mtg');
  expect(scan.candidates(quantized(query!), ofMtg.length, 'mtg').sort()).toEqual([...ofMtg].sort());
});
