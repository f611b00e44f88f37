import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Game } from '../../../src/catalog/games.ts';
import { bestOf, dot } from '../../../src/vision/vectors/best.ts';
import { type Nearest, openNearest } from '../../../src/vision/vectors/nearest.ts';
import { openScan } from '../../../src/vision/vectors/scan.ts';
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

test('of vectors in clusters, the ten exactly nearest are among the candidates, and few others', () => {
  const centers = randomVectors(20, 8);
  const noise = randomVectors(9_970, 9);
  const near = (n: number) => unitVector(centers[n % 20]!.map((value, i) => value + 0.5 * noise[n]![i]!));
  const vectors = new Map(Array.from({ length: 9_950 }, (_, n) => [String(n), near(n)]));
  const scan = openScan();
  for (const [id, vector] of vectors) scan.add(Number(id), Number(id) % 3 === 0 ? 'mtg' : 'pokemon', vector);
  for (let n = 9_950; n < 9_970; n++) {
    const candidates = scan.candidates(near(n), 10, null).map(String);
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

test('vectors of few large components are compared with those of many small ones', () => {
  const sharp = (n: number, weight: number) =>
    unitVector(randomVectors(1, 400 + n)[0]!.map((value, i) => (i === 7 ? weight : 0.04 * value)));
  const vectors = new Map(Array.from({ length: 2000 }, (_, n) => [String(n), sharp(n, (n % 40) / 20)]));
  const scan = openScan();
  for (const [id, vector] of vectors) scan.add(Number(id), 'mtg', vector);
  for (const weight of [0, 0.1, 0.5, 2]) {
    const query = sharp(9999, weight);
    const nearest = exactly(vectors, query).slice(0, 10);
    expect(scan.candidates(query, 10, 'mtg').map(String)).toEqual(
      expect.arrayContaining(nearest.map(({ itemId }) => itemId)),
    );
  }
});

test('of more equal vectors than a first look returns, all are candidates, in the order of their versions', () => {
  const scan = openScan();
  const [equal, ...others] = randomVectors(51, 4);
  for (const [n, vector] of others.entries()) scan.add(1000 + n, 'mtg', vector);
  const versions = Array.from({ length: 300 }, (_, n) => n);
  for (const n of versions) scan.add((n * 7) % 300, 'mtg', equal!);
  expect(scan.candidates(equal!, 4, null)).toEqual(versions);
});

test('vectors that are gone are never found, and what is near instead is', async () => {
  const ids = await items(1_300);
  const [vector, ...others] = randomVectors(1_301, 31);
  const near = others.map((other) => unitVector(vector!.map((value, i) => value + 0.1 * other[i]!)));
  await writeVectors(database.db, model, rowsOf(ids, near));
  const nearest = await open();
  await nearest.warm();
  // By another process, in two ways, of which nothing has been read yet.
  await database.db.query(
    'update item_vectors set vector = null, digest = null where model = $1 and item_id = any($2)',
    [model, ids.slice(0, 100)],
  );
  await writeVectors(database.db, model, rowsOf(ids.slice(100, 600), others.slice(100, 600)));
  const truth = () =>
    exactly(new Map(ids.slice(100).map((id, i) => [id, (i < 500 ? others : near)[i + 100]!])), vector!).slice(0, 10);
  expect(await nearest.nearest(model, vector!, 10)).toEqual(truth());
  await nearest.refresh();
  expect(await nearest.size(model)).toBe(1_200);
  expect(await nearest.nearest(model, vector!, 10)).toEqual(truth());
});

test('a scan stays right through thousands of changes of two games', () => {
  const scan = openScan();
  const vectors = randomVectors(64, 6);
  const truth = new Map<string, Float32Array>();
  const gameOf = (version: number) => (version % 10 === 7 ? 'mtg' : 'pokemon');
  for (let version = 0; version < 15_000; version++) {
    const vector = unitVector(vectors[version % 64]!.map((value, i) => value + (i === version % 512 ? 0.5 : 0)));
    scan.add(version, gameOf(version), vector);
    truth.set(String(version), vector);
    if (version % 500 !== 499) continue;
    const isGone = (other: number) => (other * 7919) % 5 === Math.floor(version / 500) % 5 && other % 3 > 0;
    scan.remove(isGone);
    for (const known of truth.keys()) if (isGone(Number(known))) truth.delete(known);
    expect(scan.size()).toBe(truth.size);
  }
  const [query] = randomVectors(1, 7);
  const expected = exactly(truth, query!).map(({ itemId }) => Number(itemId));
  expect(scan.candidates(query!, 10, null)).toEqual(expect.arrayContaining(expected.slice(0, 10)));
  const ofMtg = expected.filter((version) => gameOf(version) === 'mtg');
  const byNumber = (a: number, b: number) => a - b;
  expect(scan.candidates(query!, ofMtg.length, 'mtg').sort(byNumber)).toEqual([...ofMtg].sort(byNumber));
});
