import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Game } from '../../src/catalog/games.ts';
import { type Nearest, type NearestLimits, openNearest } from '../../src/vision/nearest.ts';
import { GRAPH } from '../../src/vision/nearest-graph.ts';
import { scanRoughly } from '../../src/vision/nearest-rough.ts';
import { openScan } from '../../src/vision/nearest-scan.ts';
import { dropVectors, unitVector, writeVectors } from '../../src/vision/vectors.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { randomVectors } from '../support/vectors.ts';

const log = pino({ level: 'silent' });

let database: FreshDatabase;
let number = 0;
let model: string;

let dataDir: string;

beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'mintmark-vectors-'));
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
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
async function open(limits?: NearestLimits): Promise<Nearest> {
  const nearest = await openNearest({ db: database.db, log, config: { dataDir } }, limits);
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

  test('of items with equal pictures come in one order, whoever asks', async () => {
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

  test('a vector of another length, or none at all, is refused', async () => {
    const nearest = await open();
    for (const bad of [new Float32Array(511), new Float32Array(512), new Float32Array(512).fill(Number.NaN)])
      await expect(nearest.nearest(model, bad, 1)).rejects.toThrow(RangeError);
  });
});

describe('an index on disk', () => {
  const limits = { loose: 10, quietMs: 0 };
  const folders = async () => (await readdir(join(dataDir, 'vectors', model)).catch(() => [])).sort();
  const newest = async () => join(dataDir, 'vectors', model, (await folders()).at(-1)!);

  async function filled(count: number, seed: number): Promise<{ ids: string[]; vectors: Float32Array[] }> {
    const ids = [...(await items(count - 15)), ...(await items(15, 'mtg'))];
    const vectors = randomVectors(count, seed);
    await writeVectors(database.db, model, rowsOf(ids, vectors));
    return { ids, vectors };
  }
  async function changeManifest(to: object): Promise<void> {
    const path = join(await newest(), 'manifest.json');
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...to }));
  }
  const built = (nearest: Nearest) => expect.poll(() => nearest.indexed(model), { timeout: 20_000 });
  /** Every item is the nearest to its own vector, with the score of an exact comparison. */
  async function expectAllFound(nearest: Nearest, ids: readonly string[], vectors: readonly Float32Array[]) {
    expect(await nearest.size(model)).toBe(ids.length);
    for (const [i, itemId] of ids.entries()) {
      const [first] = await nearest.nearest(model, vectors[i]!, 3);
      expect(first!.itemId).toBe(itemId);
      expect(first!.score).toBeCloseTo(1, 6);
    }
  }

  test('is made once there are enough vectors, and opened by whoever starts later', async () => {
    const { ids, vectors } = await filled(60, 11);
    await built(await open(limits)).toBe(60);
    expect(await folders()).toHaveLength(1);
    const later = await open(limits);
    expect(await later.indexed(model)).toBe(60);
    await expectAllFound(later, ids, vectors);
    expect((await later.nearest(model, vectors[0]!, 20, 'mtg')).map(({ itemId }) => itemId).sort()).toEqual(
      ids.slice(45).sort(),
    );
  });

  test('follows additions, replacements and removals in every process, and is built on from there', async () => {
    const { ids, vectors } = await filled(60, 12);
    const [one, other] = [await open(limits), await open(limits)];
    for (const each of [one, other]) await built(each).toBe(60);
    // Few enough to stay beside the index: replaced, taken away, added.
    const fresh = randomVectors(5, 13);
    const [added] = await items(1, 'lorcana');
    await writeVectors(database.db, model, rowsOf([ids[3]!, ids[50]!, added!], fresh));
    await dropVectors(database.db, model, [ids[7]!]);
    const now = [...ids.filter((_, i) => i !== 7), added!];
    const vectorsNow = now.map((id) =>
      id === added ? fresh[2]! : id === ids[3] ? fresh[0]! : id === ids[50] ? fresh[1]! : vectors[ids.indexOf(id)]!,
    );
    for (const each of [one, other]) {
      await each.refresh();
      expect(await each.indexed(model)).toBe(57);
      await expectAllFound(each, now, vectorsNow);
    }
    const everything = (await one.nearest(model, vectors[0]!, 500)).map(({ itemId }) => itemId);
    expect(everything.sort()).toEqual([...now].sort());
    // More than may stay: the index is gone on with.
    const more = await items(30);
    const moreVectors = randomVectors(30, 14);
    await writeVectors(database.db, model, rowsOf(more, moreVectors));
    for (const each of [one, other]) {
      await built(each).toBe(90);
      await expectAllFound(each, [...now, ...more], [...vectorsNow, ...moreVectors]);
    }
    expect(await folders()).toHaveLength(1);
  });

  test.each([
    ['torn', async () => truncate(join(await newest(), 'vectors'), 3000)],
    ['damaged', async () => writeFile(join(await newest(), 'graph'), 'x', { flag: 'r+' })],
    ['half written', async () => rm(join(await newest(), 'manifest.json'))],
    ['of another layout', async () => changeManifest({ format: 1 })],
    ['of other numbers', async () => changeManifest({ graph: { ...GRAPH, quantization: 'f16' } })],
    ['of fewer neighbours', async () => changeManifest({ graph: { ...GRAPH, connectivity: 16 } })],
    ['of unknown settings', async () => changeManifest({ graph: undefined })],
  ])('that is %s is never used, and made anew', async (_, damage) => {
    const { ids, vectors } = await filled(40, 15);
    const first = await open(limits);
    await built(first).toBe(40);
    await damage();
    const next = await open({ loose: 1000, quietMs: 0 });
    expect(await next.indexed(model)).toBe(0);
    await expectAllFound(next, ids, vectors);
    const last = await open(limits);
    await built(last).toBe(40);
    await expectAllFound(last, ids, vectors);
  });

  test('finds the exactly nearest of a game, equal ones too, while its vectors change', async () => {
    const { ids } = await filled(15, 18);
    const equal = await items(40, 'mtg');
    const [vector, other] = randomVectors(2, 19);
    await writeVectors(database.db, model, rowsOf(equal, Array(40).fill(vector)));
    const nearest = await open(limits);
    await built(nearest).toBe(55);
    await writeVectors(database.db, model, rowsOf(equal.slice(0, 8), Array(8).fill(other)));
    await nearest.refresh();
    expect(await nearest.indexed(model)).toBe(47);
    const found = async (query: Float32Array, k: number) =>
      (await nearest.nearest(model, query, k, 'mtg')).map(({ itemId }) => itemId).sort();
    expect(await found(vector!, 32)).toEqual(equal.slice(8).sort());
    expect(await found(other!, 8)).toEqual(equal.slice(0, 8).sort());
    expect(await found(vector!, 100)).toEqual([...ids, ...equal].sort());
    expect(await nearest.nearest(model, vector!, 3, 'lorcana')).toEqual([]);
  });

  test('of another state of the database, such as a backup, is never used', async () => {
    const { ids, vectors } = await filled(40, 16);
    const first = await open(limits);
    await built(first).toBe(40);
    await first.close();
    // What a restored backup has under the same version.
    const [other] = randomVectors(1, 17);
    await writeVectors(database.db, 'elsewhere', rowsOf([ids[0]!], [other!]));
    await database.db.query(
      `update item_vectors v set vector = o.vector, digest = o.digest from item_vectors o
       where o.model = 'elsewhere' and v.model = $1 and v.item_id = o.item_id`,
      [model],
    );
    const next = await open({ loose: 1000, quietMs: 0 });
    expect(await next.indexed(model)).toBe(0);
    await expectAllFound(next, ids, [other!, ...vectors.slice(1)]);
  });
});

test('the exactly nearest are among the first of a rough scan', async () => {
  const vectors = randomVectors(3000, 8);
  const slots = Uint32Array.from(vectors, (_, i) => i).filter((slot) => slot % 3 === 0);
  const rough = await scanRoughly(slots, (slot) => vectors[slot]!);
  expect(rough.size).toBe(1000);
  const exact = openScan();
  for (const slot of slots) exact.put(String(slot), 'mtg', vectors[slot]!);
  for (const query of randomVectors(20, 9)) {
    const near = new Set(rough.search(query, 32).map(String));
    for (const { itemId } of exact.search(query, 10, null)) expect(near).toContain(itemId);
  }
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
  // A part of a larger array, as rows of one are.
  const larger = new Float32Array(1024);
  larger.set(query!, 512);
  const hits = scan.search(larger.subarray(512), 10, null);
  expect(hits).toHaveLength(10);
  for (const [i, hit] of hits.entries()) expect(hit.score).toBeCloseTo(expected[i]!.score, 5);
});
