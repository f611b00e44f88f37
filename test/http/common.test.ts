import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;
let setPath: string;

beforeAll(async () => {
  database = await freshDatabase();
  const set = await aSet(database.db);
  for (let number = 1; number <= 12; number++)
    await anItem(database.db, { set, number: String(number), name: `Card ${number}` });
  setPath = `/v1/sets/pokemon/${set.segment}`;
  api = await testApp(database.db, { cacheMb: 8 });
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('every read', () => {
  test('carries a strong ETag, cache headers, CORS and a request id, the same from the cache', async () => {
    for (const round of ['fresh', 'cached']) {
      const { status, headers } = await api.get(setPath);
      expect(status, round).toBe(200);
      expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
      expect(headers['cache-control']).toBe('public, max-age=60, s-maxage=300, stale-while-revalidate=600');
      // One clock cannot date a body of prices, tags and other printings: the ETag does.
      expect(headers).not.toHaveProperty('last-modified');
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['x-request-id']).toMatch(/^[\w-]+$/);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  test('answers 304 without a body to a client that has the version, and 200 to one that has another', async () => {
    const { headers } = await api.get(setPath);
    for (const tag of [String(headers.etag), `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
      const known = await api.get(setPath, { 'if-none-match': tag });
      expect(known.status, tag).toBe(304);
      expect(known.text).toBe('');
      expect(known.headers.etag).toBe(headers.etag);
    }
    expect((await api.get(setPath, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('answers HEAD with the headers of GET and no body', async () => {
    const get = await api.get(setPath);
    const head = await api.app.inject({ method: 'HEAD', url: setPath });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers.etag).toBe(get.headers.etag);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  test('is compressed for a client that accepts it, under an ETag of its own', async () => {
    const plain = await api.get(setPath);
    const send = (accepted: string) => api.app.inject({ url: setPath, headers: { 'accept-encoding': accepted } });
    const gzip = await send('gzip, deflate');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.text);
    const brotli = await send('gzip, br');
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.text);
    expect(new Set([plain.headers.etag, gzip.headers.etag, brotli.headers.etag]).size).toBe(3);
    expect((await send('gzip;q=0, br;q=0')).headers['content-encoding']).toBeUndefined();
    // A shared cache must not hand one key's RateLimit headers to another.
    expect(plain.headers.vary).toBe('accept-encoding, x-api-key');
  });

  test('answers a preflight that does not allow the secret header', async () => {
    const preflight = await api.app.inject({ method: 'OPTIONS', url: setPath });
    // Whatever it carries, which is not read.
    const heavy = { payload: JSON.stringify('x'.repeat(2 ** 21)), headers: { 'content-type': 'application/json' } };
    expect((await api.app.inject({ method: 'OPTIONS', url: '/v1/resolve', ...heavy })).statusCode).toBe(204);
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-max-age']).toBe('86400');
    expect(String(preflight.headers['access-control-allow-headers'])).not.toMatch(/secret/i);
  });
});

describe('every error', () => {
  test('is a problem document with CORS headers and the request id', async () => {
    const { status, headers, json } = await api.get('/v1/nowhere');
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(json).toMatchObject({ status: 404, error: 'not_found', requestId: headers['x-request-id'] });
    expect(json.type).toBe('https://prices.example/problems/not-found');
  });

  test('another method is 405 and says which are allowed', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const response = await api.app.inject({ method, url: setPath });
      expect(response.statusCode, method).toBe(405);
      expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
    }
  });

  test('hostile paths are 4xx and say nothing of the inside', async () => {
    const hostile = [
      "/v1/items/by-id/' or 1=1--",
      '/v1/items/by-id/%00',
      '/v1/items/by-id/%ff',
      '/v1/items/by-id/x/nope',
      `/v1/items/by-id/${'a'.repeat(10_000)}`,
      '/v1/items/pokemon/%2e%2e/%2e%2e',
      '/v1/sets/pokemon/%E2%80%AE',
      '/v1/sets/poker/base',
      '/v1/items/summaries?ids=nope',
      '/v1/items/summaries?ids=a&ids=b',
      '/v1/items/by-upstream-id/%00%01',
      '/v1/trades/recent?limit=1e3',
      '/v1/items/featured?limit=0',
    ];
    for (const path of hostile) {
      const { status, text } = await api.get(path);
      expect(status, path).toBeGreaterThanOrEqual(400);
      expect(status, path).toBeLessThan(500);
      expect(text, path).not.toMatch(/select |node_modules|\/src\/|stack/i);
    }
  });

  test('an unknown game is distinguished from an unknown set', async () => {
    expect((await api.get('/v1/sets/poker/base')).json.error).toBe('unknown_game');
    expect((await api.get('/v1/sets/pokemon/none')).json.error).toBe('not_found');
  });
});

describe('keys', () => {
  test('a right key is let in; half a key, a wrong or a cut secret is 401, never the public tier', async () => {
    const { id, secret } = await api.issueKey();
    const with_ = (headers: Record<string, string>) => api.get(setPath, headers);
    // A new key is known everywhere within a second.
    await expect.poll(async () => (await with_({ 'x-api-key': id, 'x-api-secret': secret })).status).toBe(200);
    const wrong = [
      { 'x-api-key': id },
      { 'x-api-secret': secret },
      { 'x-api-key': id, 'x-api-secret': secret.slice(0, -1) },
      { 'x-api-key': id, 'x-api-secret': `mks_${'A'.repeat(43)}` },
      { 'x-api-key': 'mk_AAAAAAAAAAAAAAAA', 'x-api-secret': secret },
      { 'x-api-key': '', 'x-api-secret': '' },
    ];
    for (const headers of wrong) {
      const answer = await with_(headers as Record<string, string>);
      expect(answer.status, JSON.stringify(Object.keys(headers))).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('ApiKey realm="partner"');
      expect(answer.text).not.toContain(secret);
    }
  });
});
