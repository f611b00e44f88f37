import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;
let plain: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  api = await testApp(database.db, { cacheMb: 1, env: { SECURITY_CONTACT: 'security@prices.example' } });
  plain = await testApp(database.db, { env: { BASE_URL: 'http://localhost:8080' } });
});
afterAll(async () => {
  await api.app.close();
  await plain.app.close();
  await database.close();
});

/** Answers that are made once and sent often: their headers are made with them. */
const READY = [
  { method: 'GET', url: '/v1/health' },
  { method: 'GET', url: '/v1/items/featured' },
  { method: 'HEAD', url: '/v1/items/featured' },
  { method: 'GET', url: '/v1/items/featured', headers: { 'if-none-match': '*' } },
  { method: 'GET', url: '/v1/openapi.json' },
] as const;

const REQUESTS = [
  { method: 'GET', url: '/v1/nowhere' },
  { method: 'GET', url: '/nowhere' },
  { method: 'GET', url: '/%' },
  { method: 'GET', url: '/v1/trades/recent?limit=x' },
  { method: 'DELETE', url: '/v1/items/featured' },
  { method: 'OPTIONS', url: '/v1/items/featured' },
  { method: 'GET', url: '/docs' },
  { method: 'GET', url: '/.well-known/security.txt' },
] as const;

const send = (app: FastifyInstance, request: (typeof REQUESTS | typeof READY)[number]) => app.inject(request);

describe('every answer', () => {
  const isHardened = async (request: (typeof REQUESTS | typeof READY)[number]) => {
    // Twice: made, and from the cache.
    for (const { headers } of [await send(api.app, request), await send(api.app, request)]) {
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
      expect([headers.server, headers['x-powered-by']]).toEqual([undefined, undefined]);
    }
    expect((await send(plain.app, request)).headers['strict-transport-security']).toBeUndefined();
  };

  test.each(REQUESTS)('is hardened: $method $url', isHardened);

  test.each(READY)('is hardened, made and kept: $method $url', isHardened);

  test('a page keeps its own policy', async () => {
    const { headers } = await api.app.inject('/about');
    expect(headers['content-security-policy']).toContain("style-src 'self'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['referrer-policy']).toBe('same-origin');
  });
});

describe('security.txt', () => {
  test('states the contact, and until when, in the fields of RFC 9116', async () => {
    const answer = await api.app.inject('/.well-known/security.txt');
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(answer.body).toBe(
      'Contact: mailto:security@prices.example\nExpires: 2026-12-27T00:00:00.000Z\nPreferred-Languages: en\nCanonical: https://prices.example/.well-known/security.txt\n',
    );
  });

  test('is not there without a contact', async () => {
    expect((await plain.app.inject('/.well-known/security.txt')).statusCode).toBe(404);
  });

  test('takes an e-mail address, mailto: and https:, and nothing that could be a line of its own', () => {
    const contact = (text: string) => readConfig({ SECURITY_CONTACT: text }).securityContact;
    expect(contact('a@b.example')).toBe('mailto:a@b.example');
    expect(contact('mailto:a@b.example')).toBe('mailto:a@b.example');
    expect(contact('https://b.example/report')).toBe('https://b.example/report');
    expect(contact('')).toBeNull();
    for (const wrong of ['someone', 'http://b.example', 'a@b.example\nEncryption: x', 'javascript:alert(1)', 'a b@c'])
      expect(() => contact(wrong), wrong).toThrow('SECURITY_CONTACT');
  });
});
