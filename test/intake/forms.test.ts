import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { UUID } from '../support/uuid.ts';
import { anApplication, aReport, countKept, kept } from './forms.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  api = await testApp(database.db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const apply = (body: unknown) => api.post('/v1/partners/apply', body);
const report = (body: unknown) => api.post('/v1/report', body);
/** Pointer and code of every reported fault. */
const faultsOf = (answer: { json: { errors: { pointer: string; code: string }[] } }) =>
  answer.json.errors.map(({ pointer, code }) => [pointer, code]);

describe('an application', () => {
  test('is kept and answered 201 with an id, for nobody to store', async () => {
    const sent = anApplication();
    const { status, json, headers } = await apply(sent);
    expect([status, json]).toEqual([201, { ok: true, id: expect.stringMatching(UUID) }]);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.etag).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(await kept(database.db, json.id)).toMatchObject({ kind: 'application', state: 'open', fields: sent });
  });

  test('needs all four fields, and every fault is reported at once with its pointer', async () => {
    const { status, json } = await apply({});
    expect(status).toBe(422);
    expect(json).toMatchObject({ error: 'invalid_form', detail: expect.stringMatching(/^shopName is missing/) });
    expect(faultsOf({ json })).toEqual(
      ['shopName', 'region', 'salesFormat', 'contactEmail'].map((name) => [`/${name}`, 'missing']),
    );
    const several = await apply({ shopName: '', region: 7, contactEmail: 'nobody', extra: 1, 'a/b~c': 2 });
    expect(faultsOf(several)).toEqual(
      expect.arrayContaining([
        ['/salesFormat', 'missing'],
        ['/extra', 'unknown'],
        ['/a~1b~0c', 'unknown'],
        ['/shopName', 'too_short'],
        ['/region', 'type'],
        ['/contactEmail', 'format'],
      ]),
    );
    for (const { message } of several.json.errors) expect(message).not.toMatch(/pattern|format|additional/);
  });

  test('takes lengths in characters, not in code units, up to the limit and not over', async () => {
    for (const [field, limit] of [
      ['shopName', 120],
      ['region', 120],
      ['salesFormat', 60],
    ] as const) {
      const wide = `a${'𝔸'.repeat(limit - 1)}`;
      expect((await apply(anApplication({ [field]: wide }))).status, field).toBe(201);
      expect(faultsOf(await apply(anApplication({ [field]: `${wide}b` })))).toEqual([[`/${field}`, 'too_long']]);
    }
  });

  test.each([
    ['a line break', 'Two\nLines'],
    ['an escape sequence', 'Red \u001b[31m shop'],
    ['a C1 control', 'Shop \u009b2J'],
    ['a reversed reading', 'Shop \u202egnihton'],
    ['a line separator', 'Shop\u2028two'],
    ['nothing but space', '   '],
    ['nothing but marks', '?!…'],
    ['a web address', 'Buy at https://spam.example'],
  ])('a name with %s is rejected', async (_what, shopName) => {
    expect(faultsOf(await apply(anApplication({ shopName })))).toEqual([['/shopName', 'format']]);
  });

  test('is kept without space around it and with composed characters', async () => {
    const { json } = await apply(anApplication({ shopName: '  Cafe\u0301 Cards ' }));
    expect((await kept(database.db, json.id)).fields.shopName).toBe('Caf\u00e9 Cards');
  });

  test.each(['a@b.co', 'first.last+tag@sub.shop.example', "o'neil@shop.example", 'x@xn--bcher-kva.example'])(
    '%s is an e-mail address',
    async (contactEmail) => expect((await apply(anApplication({ contactEmail }))).status).toBe(201),
  );

  test.each([
    'a@b',
    'a@127.0.0.1',
    '.a@b.co',
    'a..b@b.co',
    'a@b..co',
    'a@-b.co',
    'a b@c.co',
    'a@b.co\n',
    'a@b.co,c@d.co',
    '<a@b.co>',
    'ä@b.co',
    `${'a'.repeat(65)}@b.co`,
    `a@${'b'.repeat(64)}.co`,
  ])('%j is not an address', async (contactEmail) =>
    expect(faultsOf(await apply(anApplication({ contactEmail })))).toEqual([['/contactEmail', 'format']]),
  );
});

describe('a report', () => {
  test('needs a message only, which may have lines', async () => {
    const message = 'Line one,\r\nline two.\n\tIndented.';
    const { status, json } = await report({ message });
    expect([status, json.id]).toEqual([201, expect.stringMatching(UUID)]);
    expect((await kept(database.db, json.id)).fields).toEqual({ message: 'Line one,\nline two.\n\tIndented.' });
  });

  test('takes every field that the contract names and no other', async () => {
    const sent = aReport();
    const { json } = await report(sent);
    expect((await kept(database.db, json.id)).fields).toEqual(sent);
    expect(faultsOf(await report({ ...sent, priority: 'high' }))).toEqual([['/priority', 'unknown']]);
  });

  test('a category outside of the list is reported with the list', async () => {
    const { json } = await report(aReport({ category: 'spam' }));
    expect(json.errors).toEqual([
      { pointer: '/category', code: 'enum', message: expect.stringMatching(/wrong_price.*other/) },
    ]);
  });

  test('takes 2,000 characters and three web addresses at most', async () => {
    expect((await report({ message: 'é'.repeat(2000) })).status).toBe(201);
    expect(faultsOf(await report({ message: 'é'.repeat(2001) }))).toEqual([['/message', 'too_long']]);
    expect((await report({ message: 'See https://a.example http://b.example www.c.example' })).status).toBe(201);
    expect(faultsOf(await report({ message: 'https://a.b www.c.d ftp://e.f HTTP://g.h' }))).toEqual([
      ['/message', 'format'],
    ]);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,hi',
    'ftp://files.example/a',
    '//shop.example/a',
    'https://user:secret@shop.example/',
    'http://localhost/',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://[::1]/',
    'https://shop.example/a b',
    'https://shop.example/"><script>',
    'https://',
  ])('%j is not a source', async (sourceUrl) =>
    expect(faultsOf(await report(aReport({ sourceUrl })))).toContainEqual(['/sourceUrl', 'format']),
  );

  test('an empty source is one too short', async () => {
    expect(faultsOf(await report(aReport({ sourceUrl: '' })))).toEqual([['/sourceUrl', 'too_short']]);
  });

  test.each([
    '/card/pokemon/base-base1',
    'https://prices.example/card/pokemon/base-base1/4-charizard-0123abcd',
    '/card/pokemon/../admin',
    '/card/pokemon/base-base1/4-charizard?x=1',
    '//evil.example/card/a/b',
    '/set/pokemon/base-base1/x',
  ])('%j is not an address of a card', async (cardHref) =>
    expect(faultsOf(await report(aReport({ cardHref })))).toEqual([['/cardHref', 'format']]),
  );
});

describe('hostile bodies', () => {
  const valid = JSON.stringify({ message: 'hostile' });

  test.each<[string, number, string | Buffer]>([
    ['nothing', 400, ''],
    ['half a document', 400, '{"message":'],
    ['a proto key', 400, '{"message":"hostile","__proto__":{"admin":true}}'],
    ['an escaped proto key', 400, '{"message":"hostile","\\u005f_proto__":{"admin":true}}'],
    ['a constructor key', 400, '{"message":"hostile","constructor":{"prototype":{"admin":true}}}'],
    ['a key twice', 400, '{"message":"hostile","message":"other"}'],
    ['a key twice, once escaped', 400, '{"message":"hostile","mess\\u0061ge":"other"}'],
    ['a byte order mark', 400, `\ufeff${valid}`],
    ['UTF-16', 400, Buffer.from(valid, 'utf16le')],
    ['bytes that are not UTF-8', 400, Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['a lone surrogate', 400, '{"message":"hostile \\ud800"}'],
    ['a NUL', 400, '{"message":"hostile \\u0000"}'],
    ['a deep nest', 400, '['.repeat(30_000) + ']'.repeat(30_000)],
    ['a number with a leading zero', 400, '{"message":01}'],
    ['a list', 422, '[]'],
    ['a list of forms', 422, `[${valid}]`],
    ['null', 422, 'null'],
    ['a string', 422, '"hostile"'],
    ['a number for a text', 422, '{"message":7}'],
    ['a list for a text', 422, '{"message":["hostile"]}'],
    ['an object for a text', 422, '{"message":{"$gt":""}}'],
    ['null for a text', 422, '{"message":"hostile","sourceUrl":null}'],
    ['a method name as key', 422, '{"message":"hostile","toString":"x","hasOwnProperty":"y"}'],
    ['64 kB and a byte', 413, `{"message":"${'a'.repeat(64 * 1024 - 13)}"}`],
  ])('%s is %i and leaves nothing behind', async (_what, status, body) => {
    const had = await countKept(database.db);
    const answer = await report(body);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(await countKept(database.db)).toBe(had);
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
  });

  test('64 kB exactly is read, and is too long a message', async () => {
    const body = `{"message":"${'a'.repeat(64 * 1024 - 14)}"}`;
    expect(Buffer.byteLength(body)).toBe(64 * 1024);
    expect((await report(body)).status).toBe(422);
  });

  test('at most twenty faults are reported, quickly and with bounded names', async () => {
    const body = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1]));
    expect((await report(body)).json.errors).toHaveLength(20);
    const { text } = await report({ ['x'.repeat(60_000)]: 1 });
    expect(text.length).toBeLessThan(1000);
  });

  test('texts made to keep a pattern busy are rejected at once', async () => {
    const long = 60_000;
    const startedAt = performance.now();
    for (const text of ['a'.repeat(long), 'a.'.repeat(long / 2), `a@${'a-'.repeat(long / 2)}`, '/card/'.repeat(9000)])
      for (const field of ['message', 'sourceUrl', 'cardHref', 'contactEmail'])
        expect((await report({ message: 'busy', [field]: text })).status).toBe(422);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ])('%s is not JSON', async (type) => {
    const answer = await api.post('/v1/report', valid, { headers: { 'content-type': type } });
    expect([answer.status, answer.json.detail]).toEqual([400, 'Send the body as application/json.']);
  });

  test('no body at all, without a type, is rejected like one that does not fit', async () => {
    const answer = await api.app.inject({ method: 'POST', url: '/v1/report' });
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      [{ pointer: '', code: 'type', message: 'the body must be a JSON object' }],
    ]);
  });

  test('other methods are 405 and say which one to use', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'] as const) {
      const answer = await api.app.inject({ method, url: '/v1/report' });
      expect([answer.statusCode, answer.headers.allow], method).toEqual([405, 'POST, OPTIONS']);
    }
  });
});
