import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey, rotateKey } from '../../src/access/keys.ts';
import { readConfig } from '../../src/config.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let path: string;
const apps: TestApp[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  path = `/v1/items/by-id/${await anItem(database.db, { set: await aSet(database.db) })}/overview`;
});
afterAll(async () => {
  for (const api of apps) await api.app.close();
  await database.close();
});

async function withLimits(env: Record<string, string> = {}): Promise<TestApp> {
  const api = await testApp(database.db, { env: { LIMITS: 'on', BURST_PUBLIC: '0', BURST_PARTNER: '0', ...env } });
  apps.push(api);
  return api;
}

let addresses = 0;
/** A request from an address that nobody used before, unless one is given. */
async function from(
  api: TestApp,
  address: string,
  url: string,
  more: { method?: 'GET' | 'HEAD' | 'PUT' | 'OPTIONS'; headers?: Record<string, string> } = {},
) {
  return api.app.inject({ method: more.method ?? 'GET', url, remoteAddress: address, headers: more.headers ?? {} });
}
const anAddress = () => `198.51.100.${++addresses}`;

test.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::ffff:127.0.0.1', true],
  ['::1', true],
  ['203.0.113.9', false],
  ['2001:db8:9:1::1', false],
])('a caller from %s reads how the owner turns limits off: %s', async (address, isAdvised) => {
  const api = await withLimits({ DAILY_PUBLIC: '1' });
  await from(api, address, path);
  const spent = await from(api, address, path);
  expect(spent.statusCode).toBe(429);
  expect((spent.json() as { detail: string }).detail.includes('LIMITS=off')).toBe(isAdvised);
  const hurried = await withLimits({ BURST_PUBLIC: '1', DAILY_PUBLIC: '100' });
  const answers = await Promise.all(Array.from({ length: 5 }, () => from(hurried, address, path)));
  const rejected = answers.find(({ statusCode }) => statusCode === 429)!;
  expect((rejected.json() as { detail: string }).detail.includes('LIMITS=off')).toBe(isAdvised);
});

describe('the public budget', () => {
  test('is ten requests a UTC day and address, with its headers on every counted answer, errors included', async () => {
    const api = await withLimits();
    const address = anAddress();
    const urls = [
      path,
      `${path}?x=1`,
      '/v1/items/by-id/nope',
      '/v1/nowhere',
      '/v1/trades/recent?limit=0',
      path,
      path,
      path,
      path,
      path,
    ];
    for (const [index, url] of urls.entries()) {
      const { statusCode, headers } = await from(api, address, url);
      expect([200, 400, 404]).toContain(statusCode);
      expect(headers['x-ratelimit-limit']).toBe('10');
      expect(headers['x-ratelimit-remaining']).toBe(String(9 - index));
      expect(headers['ratelimit-policy']).toBe('"daily";q=10;w=86400');
      expect(headers.ratelimit).toMatch(new RegExp(`^"daily";r=${9 - index};t=\\d+$`));
    }
    const rejected = await from(api, address, path);
    expect(rejected.statusCode).toBe(429);
    expect(rejected.json()).toMatchObject({ error: 'rate_limited', 'violated-policies': ['daily'] });
    expect(rejected.json().detail).toMatch(/midnight UTC/);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(rejected.headers['x-ratelimit-reset'])).toBeGreaterThan(0);
    expect(rejected.headers['access-control-allow-origin']).toBe('*');
    expect((await from(api, anAddress(), path)).statusCode).toBe(200);
  });

  test('does not count 304, OPTIONS, health, OpenAPI, docs and usage', async () => {
    const api = await withLimits();
    const address = anAddress();
    const first = await from(api, address, path);
    for (let i = 0; i < 3; i++) {
      const known = await from(api, address, path, { headers: { 'if-none-match': String(first.headers.etag) } });
      expect(known.statusCode).toBe(304);
    }
    await from(api, address, path, { method: 'OPTIONS' });
    for (const free of ['/v1/health', '/health', '/v1/openapi.json', '/docs', '/v1/usage'])
      await from(api, address, free);
    expect((await from(api, address, path)).headers['x-ratelimit-remaining']).toBe('8');
  });

  test('counts a 304 to `*`, which needs no version known before', async () => {
    const api = await withLimits();
    const address = anAddress();
    for (const remaining of ['9', '8']) {
      const { statusCode, headers } = await from(api, address, path, { headers: { 'if-none-match': ' * ' } });
      expect([statusCode, headers['x-ratelimit-remaining']]).toEqual([304, remaining]);
    }
  });

  test('counts HEAD and 405 for GET, HEAD and POST only', async () => {
    const api = await withLimits();
    const address = anAddress();
    await from(api, address, path, { method: 'HEAD' });
    await from(api, address, path, { method: 'PUT' });
    expect((await from(api, address, path)).headers['x-ratelimit-remaining']).toBe('8');
  });

  test.each([
    ['too large', 413, { message: 'x'.repeat(70_000) }],
    ['unfit', 422, { message: 1 }],
  ])('of forms is left alone by a body that is %s, and so many of these a minute are 429', async (_, status, body) => {
    const api = await withLimits({ FAILED_TRIES_PER_MINUTE: '2' });
    const remoteAddress = anAddress();
    const send = (payload: object) => api.app.inject({ method: 'POST', url: '/v1/report', remoteAddress, payload });
    for (let i = 0; i < 2; i++) {
      const { statusCode, headers } = await send(body);
      expect([statusCode, headers['x-ratelimit-remaining']]).toEqual([status, '5']);
    }
    const third = await send({ message: 'The price of this card is of another one.' });
    expect([third.statusCode, third.json()['violated-policies']]).toEqual([429, ['tries']]);
  });

  test('with a spent budget a conditional request is 429 as well', async () => {
    const api = await withLimits({ DAILY_PUBLIC: '1' });
    const address = anAddress();
    const { headers } = await from(api, address, path);
    const again = await from(api, address, path, { headers: { 'if-none-match': String(headers.etag) } });
    expect(again.statusCode).toBe(429);
  });

  test('belongs to an IPv4 address or to a /64, whatever headers claim', async () => {
    const api = await withLimits({ DAILY_PUBLIC: '2' });
    await from(api, '2001:db8:1:2::1', path);
    await from(api, '2001:db8:1:2:ffff::9', path, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect((await from(api, '2001:db8:1:2:3::', path)).statusCode).toBe(429);
    expect((await from(api, '2001:db8:1:3::1', path)).statusCode).toBe(200);
  });

  test('of an IPv6 /56 is four times that of one /64, and of a /48 sixteen times', async () => {
    const api = await withLimits({ DAILY_PUBLIC: '2' });
    const admitted = async (addresses: string[]) => {
      let count = 0;
      for (const address of addresses) if ((await from(api, address, path)).statusCode === 200) count++;
      return count;
    };
    const subnets = (prefix: string, from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `2001:db8:7:${prefix}${(from + i).toString(16).padStart(2, '0')}::1`);
    expect(await admitted(subnets('1', 0, 12))).toBe(8);
    const { statusCode, json } = await from(api, '2001:db8:7:1ff::1', path).then((answer) => ({
      statusCode: answer.statusCode,
      json: answer.json() as { detail: string },
    }));
    expect([statusCode, json.detail]).toEqual([429, expect.stringMatching(/budget of 2001:db8:7:100::\/56 is spent/)]);
    // 24 left for the rest of the /48; what a network rejects is taken from none.
    expect(await admitted(['2', '3', '4', '5', '6'].flatMap((one) => subnets(one, 0, 8)))).toBe(24);
    expect(await admitted(['2001:db8:8:1::1', '2001:db8:8:1::2'])).toBe(2);
  });

  test('is the forwarded address’s behind a configured proxy, and only the nearest hop is believed', async () => {
    const api = await withLimits({ DAILY_PUBLIC: '1', TRUSTED_PROXIES: '10.0.0.0/8' });
    const via = (forwarded: string) => from(api, '10.0.0.5', path, { headers: { 'x-forwarded-for': forwarded } });
    expect((await via('203.0.113.1')).statusCode).toBe(200);
    expect((await via('6.6.6.6, 203.0.113.1')).statusCode).toBe(429);
    expect((await via('203.0.113.2')).statusCode).toBe(200);
    // Some proxies add the port of the connection, which differs at every request.
    expect((await via('203.0.113.2:51234')).statusCode).toBe(429);
    expect((await via('[2001:db8:9::1]:51234')).statusCode).toBe(200);
    expect((await via('[2001:db8:9::2]:4711, 10.0.0.9:80')).statusCode).toBe(429);
  });
});

describe('keys', () => {
  const keyed = (id: string, secret: string) => ({ headers: { 'x-api-key': id, 'x-api-secret': secret } });

  test('a partner has a budget of its own, and usage shows it for nothing', async () => {
    const api = await withLimits();
    const { id, secret } = await api.issueKey();
    await expect.poll(async () => (await from(api, anAddress(), '/v1/usage', keyed(id, secret))).statusCode).toBe(200);
    const { headers } = await from(api, anAddress(), path, keyed(id, secret));
    expect(headers['x-ratelimit-limit']).toBe('10000');
    expect(headers['x-ratelimit-remaining']).toBe('9999');
    const { tier, policies } = (await from(api, anAddress(), '/v1/usage', keyed(id, secret))).json();
    expect(tier).toBe('partner');
    expect(policies).toContainEqual({ policy: 'daily', limit: 10000, remaining: 9999, resetsAt: expect.any(String) });
  });

  test('a key opens with its own secret alone, not with that of another key', async () => {
    const api = await withLimits();
    const [mine, other] = [await api.issueKey(), await api.issueKey()];
    const status = async (id: string, secret: string) =>
      (await from(api, anAddress(), '/v1/usage', keyed(id, secret))).statusCode;
    await expect.poll(() => status(other.id, other.secret)).toBe(200);
    expect(await status(mine.id, mine.secret)).toBe(200);
    expect(await status(mine.id, other.secret)).toBe(401);
  });

  test('thirty wrong keys a minute are 401 without a budget, then 429; the read budget is untouched', async () => {
    const api = await withLimits();
    const address = anAddress();
    const wrong = keyed('mk_AAAAAAAAAAAAAAAA', `mks_${'A'.repeat(43)}`);
    const statuses: number[] = [];
    for (let i = 0; i < 80; i++) {
      const { statusCode, headers } = await from(api, address, path, wrong);
      statuses.push(statusCode);
      expect(headers['x-ratelimit-limit']).toBeUndefined();
    }
    expect(statuses).toEqual([...Array(30).fill(401), ...Array(50).fill(429)]);
    expect((await from(api, address, path)).headers['x-ratelimit-remaining']).toBe('9');
  });

  test('a rotated key takes both secrets for the overlap, a revoked one none', async () => {
    const api = await withLimits();
    const { id, secret } = await api.issueKey();
    const status = async (text: string) => (await from(api, anAddress(), '/v1/usage', keyed(id, text))).statusCode;
    const next = await rotateKey(database.db, api.pepper, id, 24);
    await expect.poll(() => status(next!)).toBe(200);
    // The clock of the app has stopped in another year: the overlap is judged by it.
    await database.db.query(`update api_keys set previous_until = '2026-07-01' where id = $1`, [id]);
    await database.db.query('update api_keys_version set version = version + 1');
    await expect.poll(() => status(secret), { timeout: 3000 }).toBe(200);
    await database.db.query(`update api_keys set previous_until = '2026-06-01' where id = $1`, [id]);
    await database.db.query('update api_keys_version set version = version + 1');
    await expect.poll(() => status(secret), { timeout: 3000 }).toBe(401);
    expect(await revokeKey(database.db, id)).toBe(true);
    await expect.poll(() => status(next!), { timeout: 1500 }).toBe(401);
    expect(await revokeKey(database.db, id)).toBe(false);
  });
});

describe('bursts', () => {
  test('a burst is 429 that names itself and nothing else, says to wait a second, and takes nothing from the budget', async () => {
    const api = await withLimits({ BURST_PUBLIC: '2', DAILY_PUBLIC: '5' });
    const address = anAddress();
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await from(api, address, path));
    const rejected = answers.find(({ statusCode }) => statusCode === 429)!;
    expect(rejected.json()).toMatchObject({ error: 'rate_limited', 'violated-policies': ['burst'] });
    expect(rejected.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-policy': '"burst";q=2;w=1' });
    expect(rejected.headers['x-ratelimit-limit']).toBeUndefined();
    expect(rejected.json().detail).toMatch(/this request took nothing from a daily budget/);
    // Four were let in at once: of five units one is left.
    await expect.poll(async () => (await from(api, address, path)).headers['x-ratelimit-remaining']).toBe('0');
  });

  test('a partner may send 200 a second by default', () => {
    expect(readConfig({}).limits!.burstPerSecond.partner).toBe(200);
  });

  test('limits can be turned off in one line', async () => {
    const api = await withLimits({ LIMITS: 'off' });
    const address = anAddress();
    for (let i = 0; i < 30; i++) {
      const { statusCode, headers } = await from(api, address, path);
      expect([statusCode, headers.ratelimit]).toEqual([200, undefined]);
    }
  });
});

describe('downloads of the index', () => {
  const file = (name: string) => `/v1/indices/pokemon/${name}.csv`;

  test('cost nothing one a minute; another within the minute is a daily unit', async () => {
    let nowMs = 0;
    const api = await testApp(database.db, { env: { LIMITS: 'on' }, monotonicMs: () => nowMs });
    apps.push(api);
    const address = anAddress();
    const first = await from(api, address, file('levels'));
    expect(first.statusCode).toBe(200);
    expect(first.headers['ratelimit-policy']).toBe('"downloads";q=1;w=60');
    expect(first.headers['x-ratelimit-remaining']).toBeUndefined();
    const second = await from(api, address, file('prices'));
    expect([second.statusCode, second.headers['x-ratelimit-remaining']]).toEqual([200, '9']);
    for (let minute = 1; minute <= 12; minute++) {
      nowMs = minute * 60_000;
      const { statusCode, headers } = await from(api, address, file('baskets'));
      expect([statusCode, headers['x-ratelimit-remaining']]).toEqual([200, undefined]);
    }
    expect((await from(api, address, path)).headers['x-ratelimit-remaining']).toBe('8');
  });
});
