import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { expectProblem, type LimitedServer, limitedServer } from '../limited-server.ts';
import { sendRaw } from '../raw.ts';

let database: FreshDatabase;
let limited: LimitedServer;

beforeAll(async () => {
  database = await freshDatabase();
  limited = await limitedServer(database.db);
});
afterAll(async () => {
  await limited.close();
  await database.close();
});

const post = (body: string | Buffer, type = 'application/json') =>
  limited.app.inject({ method: 'POST', url: '/echo', headers: { 'content-type': type }, body });

describe('bodies', () => {
  test('JSON is read whatever its charset parameter says, as UTF-8', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON'])
      expect((await post('{"name":"ポケモン"}', type)).json(), type).toEqual({ body: { name: 'ポケモン' } });
  });

  test('other types are 400 and say what to send', async () => {
    for (const type of [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json+x',
      'text/plain; application/json',
      'multipart/form-data; boundary=a',
      'nonsense',
    ]) {
      const answer = await post('{"a":1}', type);
      expect(answer.statusCode, type).toBe(400);
      expect(answer.json().detail, type).toMatch(/application\/json/);
    }
    const untyped = await sendRaw(
      limited.port,
      'POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    );
    expectProblem(untyped, 400, 'no type');
  });

  test.each([
    ['no JSON', '{"a":'],
    ['nothing', ''],
    ['a poisoned prototype', '{"__proto__":{"admin":true}}'],
    ['one in an escape', '{"\\u005f_proto__":{"admin":true}}'],
    ['a poisoned constructor', '{"constructor":{"prototype":{"admin":true}}}'],
    ['a poisoned prototype deep inside', '{"a":[{"b":{"__proto__":{"admin":true}}}]}'],
    ['a NUL', '{"a":"b\\u0000"}'],
    ['a NUL in a key', '{"a\\u0000":1}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['a deep nest', '['.repeat(40) + ']'.repeat(40)],
    ['the deepest nest there is room for', '['.repeat(32_000) + ']'.repeat(32_000)],
    ['overlong UTF-8', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['UTF-8 of a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['Latin-1', Buffer.from('"é"', 'latin1')],
    ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ])('%s is 400', async (what, body) => {
    const answer = await post(body);
    expect([answer.statusCode, answer.json().error], what).toEqual([400, 'invalid_parameter']);
    expect(({} as Record<string, unknown>).admin, what).toBeUndefined();
  });

  test('more than 25,000 values are 400, wherever they are', async () => {
    const nested = (values: number) => `{"a":[${Array(values - 2).fill(0)}]}`;
    expect((await post(nested(25_000))).statusCode).toBe(200);
    const answer = await post(nested(25_001));
    expect([answer.statusCode, answer.json().detail]).toEqual([400, 'The body has more than 25000 values.']);
  });

  test('a pair of surrogates is a character, and an escaped backslash before u0000 is not one', async () => {
    expect((await post('{"a":"\\ud83c\\udccf \\\\u0000"}')).json()).toEqual({ body: { a: '🃏 \\u0000' } });
  });
});
