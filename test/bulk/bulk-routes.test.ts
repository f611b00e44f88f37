import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBulk } from '../../src/bulk/make-bulk.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { type BulkManifest, verifyManifest } from '../../src/record/bulk-manifest.ts';
import { catalogCards, FIRST_DAY, recordSales } from '../pricing/ledger.ts';
import { syntheticMarket } from '../pricing/model/synthetic-market.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { runProgram } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';
import { OPTIONS } from './bulk-options.ts';

const market = syntheticMarket({ seed: 4, days: 40, cards: 12, sales: 150 });
const dataDir = scratchFolder();
const folder = join(dataDir, 'bulk');
let fresh: FreshDatabase;
let service: TestApp;
let limited: TestApp;
let manifest: BulkManifest;

beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  const env = { MINTMARK_DATA: dataDir, DATA_LICENSE: 'CC-BY-4.0' };
  service = await testApp(fresh.db, { today: '2024-02-12', env });
  limited = await testApp(fresh.db, { today: '2024-02-12', env: { ...env, HISTORY_PUBLIC_DAYS: '30' } });
  expect((await service.get('/v1/bulk')).json.detail).toMatch(/^No files have been made yet/);
  await reprice(fresh.db, { through: FIRST_DAY + 40 });
  await makeBulk({ ...OPTIONS, db: fresh.db, folder });
  manifest = (await service.get('/v1/bulk')).json;
});
afterAll(async () => {
  await service.app.close();
  await limited.app.close();
  await fresh.close();
});

const pathOf = (kind: string, format: string, month: string | null = null) => {
  const file = manifest.files.find((one) => one.kind === kind && one.format === format && one.month === month)!;
  return { ...file, path: new URL(file.url).pathname };
};
const bytesOf = (name: string) => readFileSync(join(folder, name));
const fetchBytes = async (path: string, headers: Record<string, string> = {}, app = service) => {
  const { statusCode, headers: sent, rawPayload } = await app.app.inject({ method: 'GET', url: path, headers });
  return { status: statusCode, headers: sent, bytes: rawPayload };
};

describe('GET /v1/bulk', () => {
  test('lists the files with license and attribution, signed by the key of the record', async () => {
    const { status, headers, text } = await service.get('/v1/bulk');
    expect(status).toBe(200);
    expect(headers['cache-control']).toMatch(/^public, max-age=60,/);
    const key = (await service.get('/v1/record')).json.publicKey;
    expect(verifyManifest(text, key)).toMatchObject({ isVerified: true, day: '2024-02-10', key });
    expect(manifest).toMatchObject({
      dataLicense: 'CC-BY-4.0',
      attribution: { text: 'Reference prices by Mintmark', url: 'https://prices.example' },
      madeAt: '2024-04-10T00:00:00.000Z',
    });
    expect(manifest.files).toHaveLength(3 * (2 + 2 + 2) + 1);
    expect(headers.etag).toBe((await service.get('/v1/bulk')).headers.etag);
    expect((await service.get('/v1/bulk', { 'if-none-match': String(headers.etag) })).status).toBe(304);
  });

  test('anything that is changed in it no longer verifies', () => {
    const because = (change: Partial<BulkManifest>) => {
      const verdict = verifyManifest(JSON.stringify({ ...manifest, ...change }), null);
      return verdict.isVerified ? null : verdict.because;
    };
    expect(because({})).toBeNull();
    const [first, ...rest] = manifest.files;
    expect(because({ day: '2024-02-11' })).toBe('its signature is wrong');
    expect(because({ files: rest })).toBe('its signature is wrong');
    expect(because({ files: [{ ...first!, digest: first!.digest.replace(/./, 'x') }, ...rest] })).toBe(
      'its signature is wrong',
    );
    expect(because({ signature: '' })).toBe('its signature is wrong');
    expect(because({ bulk: 2 as 1 })).toBe('it is not a list of files');
    expect(because({ keys: { ...manifest.keys, first: 'a' } })).toBe('a key does not read');
  });
});

describe('GET /v1/bulk/{name}', () => {
  test('is the file, with its type, its digests, kept for good', async () => {
    const types = {
      ndjson: 'application/gzip',
      csv: 'application/gzip',
      parquet: 'application/vnd.apache.parquet',
      sqlite: 'application/vnd.sqlite3',
    };
    for (const { name, format, url, bytes, digest } of manifest.files) {
      expect(url).toBe(`https://prices.example/v1/bulk/${name}`);
      const { status, headers, bytes: sent } = await fetchBytes(`/v1/bulk/${name}`, { 'accept-encoding': 'gzip, br' });
      expect(status).toBe(200);
      expect(sent.equals(bytesOf(name)), name).toBe(true);
      const field = `sha-256=:${Buffer.from(digest, 'hex').toString('base64')}:`;
      expect(headers).toMatchObject({
        'content-type': types[format as 'csv'],
        'content-length': String(bytes),
        'repr-digest': field,
        'content-digest': field,
        'cache-control': 'public, max-age=31536000, immutable',
        'accept-ranges': 'bytes',
      });
      expect(headers['content-encoding']).toBeUndefined();
    }
  });

  test('a copy that is there already costs a 304; HEAD sends no content', async () => {
    const { path, bytes } = pathOf('items', 'parquet');
    const { headers } = await fetchBytes(path);
    const again = await fetchBytes(path, { 'if-none-match': `"other", W/${headers.etag}` });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    const head = await service.app.inject({ method: 'HEAD', url: path, headers: { range: 'bytes=0-1' } });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', String(bytes)]);
    expect(head.headers['content-digest']).toBeUndefined();
  });

  test('Range names a part: a broken download is resumed', async () => {
    const { path, name, bytes } = pathOf('pack', 'sqlite');
    const whole = bytesOf(name);
    const { headers } = await fetchBytes(path);
    const parts: [range: string, from: number, to: number][] = [
      ['bytes=0-99', 0, 99],
      ['bytes=100-', 100, bytes - 1],
      ['bytes=-16', bytes - 16, bytes - 1],
      [`bytes=${bytes - 1}-${bytes + 5}`, bytes - 1, bytes - 1],
      [`bytes=-${bytes + 1}`, 0, bytes - 1],
    ];
    for (const [range, from, to] of parts) {
      const part = await fetchBytes(path, { range, 'if-range': String(headers.etag) });
      expect([part.status, part.headers['content-range']], range).toEqual([206, `bytes ${from}-${to}/${bytes}`]);
      expect(part.bytes.equals(whole.subarray(from, to + 1)), range).toBe(true);
      expect(part.headers['repr-digest']).toBe(headers['repr-digest']);
      expect(part.headers['content-digest']).toBeUndefined();
    }
    for (const range of ['bytes=5-2', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=-', 'bytes=a-b'])
      expect((await fetchBytes(path, { range })).status, range).toBe(200);
    // Of a file that has changed since, the whole is sent.
    expect((await fetchBytes(path, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
    for (const range of [`bytes=${bytes}-`, 'bytes=-0']) {
      const { status, json, headers: sent } = await service.get(path, { range });
      expect([status, json.error, sent['content-range']], range).toEqual([
        416,
        'range_not_satisfiable',
        `bytes */${bytes}`,
      ]);
    }
  });

  test('anything else is 404, also a file of the folder that no list names, and one that is gone', async () => {
    writeFileSync(join(folder, 'items_2020-01-01.csv.gz'), 'x');
    writeFileSync(join(dataDir, 'record-key.csv.gz'), 'x');
    const names = ['items_2020-01-01.csv.gz', '..%2Frecord-key.csv.gz', 'list-2024-02-10.json', '%2e%2e', 'a'];
    for (const name of names) expect((await service.get(`/v1/bulk/${name}`)).status, name).toBe(404);
    const { path, name } = pathOf('prices', 'csv');
    const kept = bytesOf(name);
    rmSync(join(folder, name));
    expect((await service.get(path)).status).toBe(404);
    writeFileSync(join(folder, name), kept);
  });

  test('takes from the budget of downloads: one a minute is free', async () => {
    const { app, get } = await testApp(fresh.db, { env: { MINTMARK_DATA: dataDir, LIMITS: 'on', DAILY_PUBLIC: '5' } });
    const remaining = async () =>
      (await get('/v1/usage')).json.policies.find((one: { policy: string }) => one.policy === 'daily').remaining;
    const { path } = pathOf('items', 'csv');
    const { etag } = (await get(path)).headers;
    expect(await remaining()).toBe(5);
    expect((await get(path)).status).toBe(200);
    expect(await remaining()).toBe(4);
    expect((await get(path, { 'if-none-match': String(etag) })).status).toBe(304);
    expect(await remaining()).toBe(4);
    // It needs no version known before.
    expect((await get(path, { 'if-none-match': ' * ' })).status).toBe(304);
    expect(await remaining()).toBe(3);
    await app.close();
  });
});

test('where trade history is for partners, so are files that go back further, and no shared cache keeps them', async () => {
  const { id, secret } = await limited.issueKey();
  const key = { 'x-api-key': id, 'x-api-secret': secret };
  const status = async (path: string, headers = {}) => (await limited.get(path, headers)).status;
  const old = [pathOf('sales', 'csv', '2024-01').path, pathOf('pack', 'sqlite').path];
  const open = [
    pathOf('sales', 'csv', '2024-02').path,
    pathOf('series', 'csv', '2024-01').path,
    pathOf('items', 'csv').path,
  ];
  for (const path of old) {
    const { json } = await limited.get(path);
    expect([json.status, json.error], path).toEqual([403, 'approved_access_required']);
    await expect.poll(() => status(path, key)).toBe(200);
    expect((await fetchBytes(path, key, limited)).headers['cache-control']).toBe(
      'private, max-age=31536000, immutable',
    );
    expect(await status(path)).toBe(403);
  }
  for (const path of open) expect(await status(path), path).toBe(200);
});

test('`mintmark verify` checks the list, and the files that were downloaded', async () => {
  const copies = join(scratchFolder(), 'copies');
  mkdirSync(copies);
  const place = join(copies, 'bulk.json');
  writeFileSync(place, (await service.get('/v1/bulk')).text);
  const none = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', MINTMARK_DATA: '/dev/null/none' };
  const verify = async (...args: string[]) => {
    const { code, printed } = await runProgram(['verify', place, ...args], none);
    return { code, lines: printed.trim().split('\n') };
  };
  const signed = `${manifest.files.length} files of 2024-02-10 are signed`;
  expect(await verify('--key', manifest.keys.first)).toEqual({ code: 0, lines: [signed] });
  const [first, second] = manifest.files.map(({ name }) => name) as [string, string];
  for (const name of [first, second]) copyFileSync(join(folder, name), join(copies, name));
  expect(await verify('--files', copies)).toEqual({ code: 0, lines: [signed, `${first} MATCH`, `${second} MATCH`] });
  writeFileSync(join(copies, second), bytesOf(second).subarray(1));
  expect(await verify('--files', copies)).toEqual({ code: 1, lines: [signed, `${first} MATCH`, `${second} MISMATCH`] });
  writeFileSync(place, readFileSync(place, 'utf8').replace('2024-02-10', '2024-02-11'));
  expect(await verify()).toEqual({ code: 2, lines: ['NOT VERIFIED because its signature is wrong'] });
});
