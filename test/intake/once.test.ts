import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { anApplication, aReport, countKept, kept } from './forms.ts';

let database: FreshDatabase;
let api: TestApp;
const apps: TestApp[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  api = await anApp();
});
afterAll(async () => {
  for (const one of apps) await one.app.close();
  await database.close();
});

async function anApp(options: Parameters<typeof testApp>[1] = {}): Promise<TestApp> {
  const one = await testApp(database.db, options);
  apps.push(one);
  return one;
}

const keyed = (key: string, address?: string) => ({
  headers: { 'idempotency-key': key },
  ...(address === undefined ? {} : { address }),
});

describe('an Idempotency-Key', () => {
  test('with the same body gets the same answer and is kept once, quoted or bare', async () => {
    const body = aReport();
    const first = await api.post('/v1/report', body, keyed('"retry-1"'));
    const had = await countKept(database.db);
    const turned = Object.fromEntries(Object.entries(body).reverse());
    for (const [again, key] of [
      [body, '"retry-1"'],
      [body, 'retry-1'],
      [turned, '"retry-1"'],
    ] as const) {
      const answer = await api.post('/v1/report', again, keyed(key));
      expect([answer.status, answer.json]).toEqual([201, first.json]);
    }
    expect(await countKept(database.db)).toBe(had);
  });

  test('with another body is 422 and keeps nothing', async () => {
    await api.post('/v1/report', aReport(), keyed('"retry-2"'));
    const had = await countKept(database.db);
    const { status, json } = await api.post('/v1/report', aReport(), keyed('"retry-2"'));
    expect([status, json.error]).toEqual([422, 'invalid_form']);
    expect(json.errors).toEqual([
      { parameter: 'Idempotency-Key', code: 'reused', message: expect.stringMatching(/another body/) },
    ]);
    expect(await countKept(database.db)).toBe(had);
  });

  test('belongs to one caller and one route', async () => {
    const report = await api.post('/v1/report', aReport(), keyed('"shared"', '198.51.100.1'));
    const other = await api.post('/v1/report', aReport(), keyed('"shared"', '198.51.100.2'));
    const application = await api.post('/v1/partners/apply', anApplication(), keyed('"shared"', '198.51.100.1'));
    const { id, secret } = await api.issueKey();
    const credentials = { 'x-api-key': id, 'x-api-secret': secret };
    await expect.poll(async () => (await api.get('/v1/usage', credentials)).status).toBe(200);
    const partner = await api.post('/v1/report', aReport(), {
      headers: { ...credentials, 'idempotency-key': '"shared"' },
    });
    const answers = [report, other, application, partner];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(4);
  });

  test('is remembered for 24 hours and then forgotten', async () => {
    await api.post('/v1/report', aReport(), keyed('"old"'));
    const nextDay = await anApp({ today: '2026-07-01' });
    expect((await nextDay.post('/v1/report', aReport(), keyed('"old"'))).status).toBe(201);
  });

  test('of a rejected form is free again', async () => {
    expect((await api.post('/v1/report', { message: '' }, keyed('"fixed"'))).status).toBe(422);
    expect((await api.post('/v1/report', aReport(), keyed('"fixed"'))).status).toBe(201);
  });

  test('may come twice at the same moment, to two processes: one row, one answer', async () => {
    const second = await anApp();
    const had = await countKept(database.db);
    const body = aReport();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? api : second).post('/v1/report', body, keyed('"race"'))),
    );
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1);
    expect(await countKept(database.db)).toBe(had + 1);
  });

  test('may come twice at the same moment with two bodies: one is kept, the other is 422', async () => {
    const had = await countKept(database.db);
    const answers = await Promise.all([1, 2].map(() => api.post('/v1/report', aReport(), keyed('"race-2"'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(await countKept(database.db)).toBe(had + 1);
  });

  test.each(['', '""', '"open', 'two words', '"a", "b"', '"a";x=1', 'é', `"${'k'.repeat(256)}"`, '"a\\b"'])(
    '%j is 400',
    async (key) => {
      const { status, json } = await api.post('/v1/report', aReport(), keyed(key));
      expect([status, json.errors[0].parameter]).toEqual([400, 'Idempotency-Key']);
    },
  );

  test.each(['"with \\"quotes\\" and \\\\"', '8e03978e-40d5-43dd-bc93-6894a57f9324', `"${'k'.repeat(255)}"`])(
    '%j is taken',
    async (key) => expect((await api.post('/v1/report', aReport(), keyed(key))).status).toBe(201),
  );

  test('leaves no address in the database', async () => {
    await api.post('/v1/report', aReport(), keyed('"quiet"', '203.0.113.77'));
    const rows = await database.db.query('select s::text, i::text from submissions s, intake_idempotency i');
    expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|address:|quiet/);
  });
});

describe('the same content', () => {
  test('is kept once in 24 hours, regardless of the sender and however it is spaced or cased', async () => {
    const body = aReport();
    const first = await api.post('/v1/report', body, { address: '198.51.100.5' });
    const had = await countKept(database.db);
    const copies = [body, { ...body, message: ` ${body.message.toUpperCase().replace(/ /g, '\n  ')} ` }];
    for (const [index, copy] of copies.entries()) {
      const { status, json } = await api.post('/v1/report', copy, { address: `198.51.100.${60 + index}` });
      expect([status, json]).toEqual([201, first.json]);
    }
    expect(await countKept(database.db)).toBe(had);
    expect((await kept(database.db, first.json.id)).fields).toEqual(body);
  });

  test('is kept again when another field differs, and on another day', async () => {
    const body = aReport();
    const first = await api.post('/v1/report', body);
    expect((await api.post('/v1/report', { ...body, category: 'stale' })).json.id).not.toBe(first.json.id);
    const nextDay = await anApp({ today: '2026-07-01' });
    expect((await nextDay.post('/v1/report', body)).json.id).not.toBe(first.json.id);
  });

  test('sent at once by many is one row', async () => {
    const body = anApplication();
    const had = await countKept(database.db);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => api.post('/v1/partners/apply', body, { address: `198.51.100.${100 + i}` })),
    );
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(await countKept(database.db)).toBe(had + 1);
  });
});
