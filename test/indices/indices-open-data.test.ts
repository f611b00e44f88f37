import { createHash } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anIndex, anItem, aSale, aSet, aVoid, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db, { name: 'Jungle, "first"', code: 'base2' });
  // What makes a level more than a mean of prices: a card that leaves at a rotation, one whose sales are voided in between,
  // one that comes, and one that jumps on the word of one source.
  const fading = await anItem(db, { set, number: '1', name: 'Fading' });
  await manySales(db, { itemId: fading, from: '2025-11-01', to: '2026-03-05', everyDays: 4, usdCents: 500_00 });
  const newcomer = await anItem(db, { set, number: '4', name: 'Newcomer' });
  await manySales(db, { itemId: newcomer, from: '2026-03-20', to: '2026-06-29', everyDays: 4, usdCents: 700_00 });
  const voided = await anItem(db, { set, number: '2', name: 'Voided' });
  for (const sold of ['2026-01-02', '2026-02-02', '2026-02-20', '2026-03-02', '2026-03-20', '2026-04-06']) {
    await aVoid(db, await aSale(db, { itemId: voided, sold, usdCents: 600_00 }), 'voided', '2026-05-10');
  }
  const leaper = await anItem(db, { set, number: '3', name: 'Leaper' });
  await manySales(db, { itemId: leaper, from: '2026-01-01', to: '2026-06-20', everyDays: 5, usdCents: 300_00 });
  // On the third day the model believes them; the first two counted too little to witness it.
  for (const sold of ['2026-06-24', '2026-06-25', '2026-06-26'])
    await aSale(db, { itemId: leaper, sold, usdCents: 2_000_00 });
  await anIndex(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

type Rows = Record<string, string>[];

async function csv(path: string): Promise<Rows> {
  const { status, text } = await api.get(`/v1/indices/pokemon/${path}`);
  expect(status, path).toBe(200);
  return parse(text, { columns: true });
}

const relative = (a: number, b: number) => Math.abs(a / b - 1);

/** The formula of the rulebook, and nothing of the program. */
function levelOf(rows: Rows, divisor: number): number {
  return Math.exp(rows.reduce((sum, row) => sum + Number(row.weight) * Math.log(Number(row.priceUsd)), 0)) / divisor;
}

describe('a reader with the downloads alone', () => {
  test('computes the level of every day again, from that day’s prices and weights', async () => {
    const levels = await csv('levels.csv');
    expect(levels.length).toBe(90);
    for (const { day, level, divisor } of levels) {
      const again = levelOf(await csv(`prices.csv?date=${day}`), Number(divisor));
      expect(relative(again, Number(level)), day).toBeLessThan(1e-9);
    }
  });

  test('computes every divisor again, from the new basket at the level of its rotation', async () => {
    const [levels, baskets] = [await csv('levels.csv'), await csv('baskets.csv')];
    const rotations = [...new Set(baskets.map(({ rotation }) => rotation!))];
    expect(rotations).toEqual(['2026-04-01', '2026-05-01', '2026-06-01']);
    for (const rotation of rotations) {
      const basket = baskets.filter((row) => row.rotation === rotation);
      const level = rotation === rotations[0] ? 10_000 : Number(levels.find(({ day }) => day === rotation)!.level);
      const divisor = levelOf(basket, 1) / level;
      expect(relative(divisor, Number(basket[0]!.divisorAfter)), rotation).toBeLessThan(1e-9);
      // Until the next rotation, or until a card is taken out, the days are divided by it.
      const nextDay = levels[levels.findIndex(({ day }) => day === rotation) + 1]!;
      expect(nextDay.divisor).toBe(basket[0]!.divisorAfter);
    }
  });

  test('computes the divisor again that takes a voided card out, and sees the level stay', async () => {
    const levels = await csv('levels.csv');
    const [gone] = (await csv('baskets.csv')).filter(({ removed }) => removed !== '');
    expect(gone).toMatchObject({ name: 'Voided', rotation: '2026-05-01', removed: '2026-05-10' });
    const at = levels.findIndex(({ day }) => day === gone!.removed);
    const before = (await csv(`prices.csv?date=${levels[at - 1]!.day}`)).filter(
      ({ itemId }) => itemId !== gone!.itemId,
    );
    const total = before.reduce((sum, { weight }) => sum + Number(weight), 0);
    const left = before.map((row) => ({ ...row, weight: String(Number(row.weight) / total) }));
    const divisor = levelOf(left, 1) / Number(levels[at - 1]!.level);
    expect(relative(divisor, Number(levels[at]!.divisor))).toBeLessThan(1e-9);
  });

  test('sees which price was held since it jumped without witnesses', async () => {
    const leaper = async (date: string) =>
      (await csv(`prices.csv?date=${date}`)).find(({ name }) => name === 'Leaper')!;
    expect((await leaper('2026-06-23')).state).toBe('moved');
    const held = await leaper('2026-06-26');
    expect(held.state).toBe('held');
    expect(Number(held.priceUsd)).toBeLessThan(330);
  });
});

describe('a download', () => {
  test('says the same as CSV and as JSON, to the last bit', async () => {
    for (const name of ['levels', 'baskets', 'prices']) {
      const rows = await csv(`${name}.csv`);
      const { json } = await api.get(`/v1/indices/pokemon/${name}.json`);
      expect([json.index, json.base]).toEqual(['pokemon', 10_000]);
      const texts = json[name].map((row: object) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value === null ? '' : String(value)])),
      );
      expect(rows, name).toEqual(texts);
    }
  });

  test('is text/csv with quotes where they are needed', async () => {
    const { headers, text } = await api.get('/v1/indices/pokemon/baskets.csv');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(text).toContain(',Fading,"Jungle, ""first""",1,');
    expect(text).toMatch(/\r\n$/);
  });

  test('comes with the digest of its bytes as they are sent, compressed or not; HEAD with that of what GET sends', async () => {
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = api.app.server.address() as AddressInfo;
    for (const encoding of ['identity', 'br']) {
      for (const path of ['levels.csv', 'baskets.json']) {
        const { body, headers } = await raw(port, 'GET', `/v1/indices/pokemon/${path}`, encoding);
        const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
        expect([headers['content-digest'], headers['repr-digest']], path + encoding).toEqual([digest, digest]);
        expect(headers['access-control-expose-headers']).toContain('Content-Digest');
        if (encoding === 'br') expect(brotliDecompressSync(body).length).toBeGreaterThan(body.length);
        const head = await raw(port, 'HEAD', `/v1/indices/pokemon/${path}`, encoding);
        expect([head.body.length, head.headers['content-digest'], head.headers['repr-digest']]).toEqual([
          0,
          undefined,
          digest,
        ]);
        expect(head.headers.etag).toBe(headers.etag);
      }
    }
    expect((await raw(port, 'GET', '/v1/indices/pokemon', 'identity')).headers['content-digest']).toBeUndefined();
  });

  test('of prices is 400 for a date that is not a day, and 404 for a day without a level', async () => {
    const get = (date: string) => api.get(`/v1/indices/pokemon/prices.csv?date=${date}`);
    for (const date of ['2026-02-30', 'today', '']) expect((await get(date)).status, date).toBe(400);
    for (const date of ['2026-03-31', '2026-06-30']) {
      const { status, json } = await get(date);
      expect([status, json.detail], date).toEqual([404, expect.stringContaining('2026-04-01 through 2026-06-29')]);
    }
  });

  test('of an index that is computing has no rows', async () => {
    for (const name of ['levels', 'baskets', 'prices']) {
      expect(await api.get(`/v1/indices/sports/${name}.json`)).toMatchObject({ status: 200, json: { [name]: [] } });
      expect((await api.get(`/v1/indices/sports/${name}.csv`)).text.split('\r\n')).toHaveLength(2);
    }
    expect((await api.get('/v1/indices/sports/prices.csv?date=2026-06-01')).status).toBe(404);
  });
});

function raw(port: number, method: string, path: string, encoding: string) {
  return new Promise<{ body: Buffer; headers: Record<string, string | string[] | undefined> }>((resolve, reject) => {
    request({ port, method, path, headers: { 'accept-encoding': encoding } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ body: Buffer.concat(chunks), headers: response.headers });
    })
      .once('error', reject)
      .end();
  });
}
