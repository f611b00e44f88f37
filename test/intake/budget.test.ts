import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDb } from '../../src/db/client.ts';
import { lockTransaction } from '../../src/db/locks.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aReport, countKept } from './forms.ts';

let database: FreshDatabase;
const apps: TestApp[] = [];

beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(async () => {
  for (const one of apps.splice(0)) await one.app.close();
  await database.close();
});

async function withLimits(env: Record<string, string> = {}): Promise<TestApp> {
  const api = await testApp(database.db, {
    env: { LIMITS: 'on', BURST_PUBLIC: '0', BURST_PARTNER: '0', ...env },
  });
  apps.push(api);
  return api;
}

async function aPartner(api: TestApp): Promise<Record<string, string>> {
  const { id, secret } = await api.issueKey();
  const headers = { 'x-api-key': id, 'x-api-secret': secret };
  await expect.poll(async () => (await api.get('/v1/usage', headers)).status).toBe(200);
  return headers;
}

describe('the budget of the forms', () => {
  test('is its own: reads take nothing from it and it takes nothing from reads', async () => {
    const api = await withLimits({ INTAKE_PUBLIC: '3', DAILY_PUBLIC: '2' });
    const address = '203.0.113.8';
    const read = () => api.app.inject({ url: '/v1/trades/recent', remoteAddress: address });
    for (const left of ['2', '1', '0']) {
      const { status, headers } = await api.post('/v1/report', aReport(), { address });
      expect([status, headers['x-ratelimit-remaining']]).toEqual([201, left]);
      expect(headers['ratelimit-policy']).toBe('"intake";q=3;w=86400');
    }
    const rejected = await api.post('/v1/report', aReport(), { address });
    expect([rejected.status, rejected.json['violated-policies']]).toEqual([429, ['intake']]);
    expect((await api.post('/v1/partners/apply', {}, { address })).status).toBe(429);
    expect((await read()).headers['x-ratelimit-remaining']).toBe('1');
    await read();
    expect((await read()).statusCode).toBe(429);
    expect((await api.post('/v1/report', aReport(), { address: '203.0.113.9' })).status).toBe(201);
  });

  test('is not reduced by rejected or repeated forms', async () => {
    const api = await withLimits({ INTAKE_PUBLIC: '2' });
    for (const [status, body] of [
      [400, ''],
      [422, '{}'],
      [413, `"${'a'.repeat(70_000)}"`],
    ] as const) {
      const rejected = await api.post('/v1/report', body);
      expect([rejected.status, rejected.headers['x-ratelimit-remaining']]).toEqual([status, '2']);
    }
    const body = aReport();
    const key = { headers: { 'idempotency-key': 'once' } };
    expect((await api.post('/v1/report', body, key)).headers['x-ratelimit-remaining']).toBe('1');
    expect((await api.post('/v1/report', body, key)).headers['x-ratelimit-remaining']).toBe('1');
    expect((await api.post('/v1/report', body)).headers['x-ratelimit-remaining']).toBe('1');
    expect((await api.post('/v1/report', aReport())).headers['x-ratelimit-remaining']).toBe('0');
  });

  test('failed tries are thirty a minute and address, replays among them; then the 429 names its policy', async () => {
    let nowMs = 0;
    const api = await testApp(database.db, { env: { LIMITS: 'on', BURST_PUBLIC: '0' }, monotonicMs: () => nowMs });
    apps.push(api);
    const body = aReport();
    expect((await api.post('/v1/report', body)).status).toBe(201);
    expect((await api.post('/v1/report', body)).status).toBe(201);
    for (let i = 0; i < 29; i++) expect((await api.post('/v1/report', {})).status).toBe(422);
    const rejected = await api.post('/v1/report', aReport());
    expect([rejected.status, rejected.json['violated-policies']]).toEqual([429, ['tries']]);
    expect(rejected.headers).toMatchObject({ 'ratelimit-policy': '"tries";q=30;w=60', 'retry-after': '60' });
    expect((await api.post('/v1/report', aReport(), { address: '203.0.113.77' })).status).toBe(201);
    nowMs = 60_000;
    const after = await api.post('/v1/report', aReport());
    expect([after.status, after.headers['x-ratelimit-remaining']]).toEqual([201, '3']);
  });

  test('counts each form that is kept, however fast they come', async () => {
    const api = await withLimits({ INTAKE_PUBLIC: '5' });
    const answers = await Promise.all(Array.from({ length: 9 }, () => api.post('/v1/report', aReport())));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(4).fill(429)]);
  });

  test('is shared by the networks of an IPv6 subscriber: a /56 sends four times as many as a /64', async () => {
    const api = await withLimits({ INTAKE_PUBLIC: '1' });
    const send = (subnet: number) =>
      api.post('/v1/report', aReport(), { address: `2001:db8:7:1${subnet.toString(16).padStart(2, '0')}::1` });
    const statuses: number[] = [];
    for (let subnet = 0; subnet < 8; subnet++) statuses.push((await send(subnet)).status);
    expect(statuses).toEqual([...Array(4).fill(201), ...Array(4).fill(429)]);
    expect((await api.post('/v1/report', aReport(), { address: '2001:db8:7:200::1' })).status).toBe(201);
    expect(await countKept(database.db)).toBe(5);
  });

  test('of a partner is another one, and a wrong key is 401 and keeps nothing', async () => {
    const api = await withLimits();
    const partner = await aPartner(api);
    const { headers } = await api.post('/v1/report', aReport(), { headers: partner });
    expect(headers['x-ratelimit-limit']).toBe('20');
    const wrong = await api.post('/v1/report', aReport(), { headers: { ...partner, 'x-api-secret': 'mks_no' } });
    expect(wrong.status).toBe(401);
    expect(await countKept(database.db)).toBe(1);
  });
});

describe('the day’s share of strangers', () => {
  test('when full is 503 until midnight UTC, gives the unit back, and stops no partner', async () => {
    const api = await withLimits({ INTAKE_KEPT_PER_DAY: '2' });
    const body = aReport();
    const partner = await aPartner(api);
    for (let i = 1; i <= 3; i++) await api.post('/v1/report', aReport(), { headers: partner });
    for (const [index, one] of [body, aReport()].entries())
      expect((await api.post('/v1/report', one, { address: `203.0.113.${index}` })).status).toBe(201);
    const address = '203.0.113.99';
    const full = await api.post('/v1/report', aReport(), { address });
    expect([full.status, full.json.error]).toEqual([503, 'unavailable']);
    // The clock of the app is at noon.
    expect(full.headers['retry-after']).toBe(String(12 * 3600));
    // What is there already is answered as before.
    const known = await api.post('/v1/report', body, { address });
    expect([known.status, known.headers['x-ratelimit-remaining']]).toEqual([201, '5']);
    expect((await api.post('/v1/report', aReport(), { headers: partner })).status).toBe(201);
    expect(await countKept(database.db)).toBe(6);
  });

  test('when full rejects without closing its connection to the database', async () => {
    const one = openDb({ connection: database.connection, poolSize: 1 });
    const limits = { LIMITS: 'on', BURST_PUBLIC: '0', INTAKE_KEPT_PER_DAY: '0', INTAKE_PUBLIC: '9' };
    const api = await testApp(one, { env: limits });
    const backend = async () => await one.query('select pg_backend_pid() as pid');
    const before = await backend();
    for (let i = 0; i < 5; i++) expect((await api.post('/v1/report', aReport())).status).toBe(503);
    expect(await backend()).toEqual(before);
    await api.app.close();
    await one.close();
  });

  test('is never exceeded, however many ask at once in two processes', async () => {
    const limits = { INTAKE_KEPT_PER_DAY: '7' };
    const both = [await withLimits(limits), await withLimits(limits)];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => both[i % 2]!.post('/v1/report', aReport(), { address: `203.0.113.${i}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(23);
    expect(await countKept(database.db)).toBe(7);
  });

  test('a form that waits too long for its turn is 503, and reads go on', async () => {
    const api = await withLimits();
    const held = database.db.transaction(async (session) => {
      await lockTransaction(session, 'intake');
      const waiting = api.post('/v1/report', aReport());
      expect((await api.get('/v1/trades/recent')).status).toBe(200);
      return { answer: await waiting };
    });
    const { answer } = await held;
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  });
});
