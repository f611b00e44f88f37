import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEPT_DAYS } from '../../src/access/quota-blocks.ts';
import { KEEP_DECIDED_DAYS } from '../../src/intake/queue.ts';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let fresh: FreshDatabase;
let api: TestApp;
let limited: TestApp;

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
const send = (app: TestApp, path: string, fields: Record<string, string>, headers = {}) =>
  app.post(path, new URLSearchParams(fields).toString(), { headers: { ...FORM, ...headers } });
const application = {
  shopName: 'Corner Cards',
  region: 'Belgium',
  salesFormat: 'shop',
  contactEmail: 'owner@corner.example',
};

beforeAll(async () => {
  fresh = await freshDatabase();
  api = await testApp(fresh.db);
  limited = await testApp(fresh.db, { env: { LIMITS: 'on', INTAKE_PUBLIC: '1' } });
});

afterAll(async () => {
  await api.app.close();
  await limited.app.close();
  await fresh.close();
});

describe('the partner form', () => {
  test('sent without scripts is kept as the API keeps it, and leads to a page that names its reference', async () => {
    const { status, headers } = await send(api, '/partners', application);
    expect(status).toBe(303);
    expect(headers.location).toMatch(/^\/partners\?received=[0-9a-f-]{36}$/);
    const [kept] = await fresh.db.query<{ kind: string; fields: object }>('select kind, fields from submissions');
    expect(kept).toEqual({ kind: 'application', fields: application });
    const page = await api.get(String(headers.location), { accept: 'text/html' });
    expect(page.text).toContain(String(headers.location).split('=')[1]);
  });

  test('with a fault comes back with what was typed and what is wrong at its field', async () => {
    const { status, text } = await send(api, '/partners', {
      ...application,
      shopName: '<b>"&',
      contactEmail: 'nowhere',
    });
    expect(status).toBe(422);
    expect(text).toContain('value="&lt;b>&quot;&amp;"');
    expect(text).toContain('Enter an e-mail address in ASCII');
    expect(text).toMatch(/id="contactEmail"[^>]*aria-invalid="true"/);
    const empty = await send(api, '/partners', {});
    expect(empty.text.match(/Required\./g)?.length).toBe(4);
  });

  test.each([
    { 'sec-fetch-site': 'cross-site' },
    // Another program on another host name of the same domain.
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'http://prices.example' },
    { origin: 'https://prices.example:8443' },
    { origin: 'null' },
  ])('from another origin (%j) is rejected with the address to open', async (headers) => {
    const { status, text } = await send(api, '/partners', application, headers);
    expect([status, text]).toEqual([400, expect.stringContaining(`Open the page at ${BASE_URL}`)]);
  });

  test.each([{ 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }, { origin: BASE_URL }, {}])(
    'from our own origin (%j), or of a program, is taken',
    async (headers) => {
      const shopName = `Shop ${JSON.stringify(headers).length}`;
      expect((await send(api, '/partners', { ...application, shopName }, headers)).status).toBe(303);
    },
  );

  test('says how many requests a key has on this installation, and how long an application is kept', async () => {
    for (const [env, words] of [
      [{ LIMITS: 'on', DAILY_PARTNER: '2500' }, '2,500 requests a day'],
      [{ LIMITS: 'off' }, 'tools: the same prices'],
    ] as const) {
      const site = await testApp(fresh.db, { env });
      const { text } = await site.get('/partners');
      expect(text).toContain(words);
      expect(text).not.toContain('10,000');
      expect(text).toContain(`until we have decided on it, and for ${KEEP_DECIDED_DAYS} days after that`);
      await site.app.close();
    }
  });

  test('counts of addresses are said to be deleted when they are', async () => {
    const { text } = await api.get('/about');
    expect(text.replace(/\s+/g, ' ')).toContain(`delete the counts within ${KEPT_DAYS + 1} days`);
  });

  test('from another origin is rejected before its body is read', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    // Else the body, which is too large, would be the fault.
    expect((await send(api, '/partners', { shopName: 'x'.repeat(20_000) }, headers)).status).toBe(400);
    const upload = { ...headers, 'content-type': 'multipart/form-data' };
    expect((await api.post('/scan', 'no upload', { headers: upload })).text).toContain('sent from another site');
  });

  test('with a NUL character in a value or a name is rejected', async () => {
    for (const fields of [
      { ...application, shopName: 'Corner\0Cards' },
      { ...application, 'note\0': 'a' },
    ]) {
      const { status, text } = await send(api, '/partners', fields);
      expect([status, text]).toEqual([400, expect.stringContaining('contains a NUL character')]);
    }
  });

  test('of more than 64 fields is rejected', async () => {
    const withFields = (count: number) => `${new URLSearchParams(application)}${'&a=b'.repeat(count - 4)}`;
    expect((await api.post('/partners', withFields(64), { headers: FORM })).status).toBe(422);
    const { status, text } = await api.post('/partners', withFields(65), { headers: FORM });
    expect([status, text]).toEqual([400, expect.stringContaining('at most 64 fields')]);
  });

  test('as JSON is rejected', async () => {
    const { status, text } = await api.post('/worth', { list: ['a'] }, { headers: { accept: 'text/html' } });
    expect([status, text]).toEqual([400, expect.stringContaining('application/x-www-form-urlencoded')]);
  });

  test('of more than 16 kB is rejected', async () => {
    expect((await send(api, '/partners', { shopName: 'x'.repeat(20_000) })).status).toBe(413);
  });

  test('takes from the budget of forms, unless another site sent it', async () => {
    const fromElsewhere = await send(limited, '/partners', application, { 'sec-fetch-site': 'cross-site' });
    expect(fromElsewhere.status).toBe(400);
    expect((await send(limited, '/partners', { ...application, shopName: 'Second' })).status).toBe(303);
    expect((await send(limited, '/partners', { ...application, shopName: 'Third' })).status).toBe(429);
  });
});

describe('the report form', () => {
  test('names the card it was opened from, and nothing else', async () => {
    const page = await api.get('/report?card=/card/pokemon/base-base1/4-charizard-12345678', { accept: 'text/html' });
    expect(page.text).toContain('name="cardHref" value="/card/pokemon/base-base1/4-charizard-12345678"');
    const hostile = await api.get('/report?card=javascript:alert(1)', { accept: 'text/html' });
    expect(hostile.text).not.toContain('cardHref');
  });

  test('is kept; fields left empty are not sent', async () => {
    const { status, headers } = await send(api, '/report', {
      category: 'wrong_price',
      message: 'It sold for half of that.',
      sourceUrl: '',
      contactEmail: '',
    });
    expect([status, String(headers.location)]).toEqual([
      303,
      expect.stringMatching(/^\/report\?received=[0-9a-f-]{36}$/),
    ]);
    const [kept] = await fresh.db.query<{ fields: object }>(`select fields from submissions where kind = 'report'`);
    expect(kept!.fields).toEqual({ category: 'wrong_price', message: 'It sold for half of that.' });
  });
});
