import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;
let address: string;
let path: string;

beforeAll(async () => {
  database = await freshDatabase();
  const set = await aSet(database.db);
  for (let number = 1; number <= 12; number++) await anItem(database.db, { set, number: String(number), name: 'Card' });
  path = `/v1/sets/pokemon/${set.segment}`;
  const env = { LIMITS: 'on', DAILY_PUBLIC: '40', BURST_PUBLIC: '0' };
  api = await testApp(database.db, { cacheMb: 8, env });
  address = await api.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(address + path, { method, headers: { 'accept-encoding': 'identity', ...headers } });

/** Headers without those that differ from request to request. */
function steady(response: Response): Record<string, string> {
  const {
    date: _d,
    'x-request-id': _r,
    ratelimit: _l,
    'x-ratelimit-remaining': _m,
    // The clock of the tests is fixed, the one that counts down to midnight is not.
    'x-ratelimit-reset': _s,
    ...rest
  } = Object.fromEntries(response.headers);
  return rest;
}

describe('a cached response, sent before anything is validated again', () => {
  test('is the answer that was made, headers and all', async () => {
    const first = await get();
    const body = await first.text();
    expect(api.context.cache.get(path)).toBeDefined();
    const second = await get();
    expect(await second.text()).toBe(body);
    expect(steady(second)).toEqual(steady(first));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(second.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
  });

  test('costs a unit, and a 304 costs none', async () => {
    const remaining = async (headers?: Record<string, string>) => {
      const response = await get(headers);
      await response.arrayBuffer();
      return [response.status, Number(response.headers.get('x-ratelimit-remaining'))];
    };
    const [, before] = await remaining();
    expect(await remaining()).toEqual([200, before! - 1]);
    const etag = (await get()).headers.get('etag')!;
    expect((await remaining({ 'if-none-match': etag }))[0]).toBe(304);
    expect(await remaining()).toEqual([200, before! - 3]);
  });

  test('is compressed, and HEAD has its length and no body', async () => {
    const plain = await (await get()).text();
    for (const encoding of ['gzip', 'br']) {
      const response = await get({ 'accept-encoding': encoding });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(await response.text()).toBe(plain);
    }
    const head = await get({}, 'HEAD');
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(plain)));
    expect(await head.text()).toBe('');
  });

  test('is not sent to rejected callers: a wrong key is 401, a spent budget 429, each once and as a problem', async () => {
    const wrong = await get({ 'x-api-key': 'mk_AAAAAAAAAAAAAAAA', 'x-api-secret': 'nope' });
    expect([wrong.status, ((await wrong.json()) as { error: string }).error]).toEqual([401, 'unauthorized']);
    let last = await get();
    for (let i = 0; last.status === 200 && i < 60; i++) {
      await last.arrayBuffer();
      last = await get();
    }
    expect([last.status, ((await last.json()) as { error: string }).error]).toEqual([429, 'rate_limited']);
    expect(last.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('is not sent to another method, nor to a request over a limit', async () => {
    expect(api.context.cache.get(path)).toBeDefined();
    const headers = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`x-${i}`, 'a']));
    const partner = await api.issueKey();
    const key = { 'x-api-key': partner.id, 'x-api-secret': partner.secret };
    await expect.poll(async () => (await get(key)).status).toBe(200);
    expect((await get(key, 'POST')).status).toBe(405);
    expect((await get({ ...key, ...headers })).status).toBe(400);
  });

  test('is dropped when the catalog changes', async () => {
    expect(api.context.cache.get(path)).toBeDefined();
    await database.db.query(`select pg_notify('catalog', '')`);
    await expect.poll(() => api.context.cache.get(path)).toBeUndefined();
  });
});
