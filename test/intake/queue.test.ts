import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/access/keys.ts';
import { readConfig } from '../../src/config.ts';
import {
  accept,
  type Decision,
  dropDecided,
  KEEP_DECIDED_DAYS,
  listSubmissions,
  reject,
} from '../../src/intake/queue.ts';
import { examine } from '../../src/ops/doctor.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { anApplication, aReport, kept } from './forms.ts';

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

const NOW_MS = Date.parse('2026-06-30T13:00:00Z');
const decision = (reason: string | null = null): Decision & { reason: string } => ({
  by: 'ada',
  nowMs: NOW_MS,
  reason: reason as string,
});
const sent = async (path: string, body: unknown): Promise<string> => (await api.post(path, body)).json.id;
const anOpenApplication = () => sent('/v1/partners/apply', anApplication());
const anOpenReport = () => sent('/v1/report', aReport());
const keyCount = async () => (await database.db.query('select 1 from api_keys')).length;

describe('accepting an application', () => {
  test('issues a key that works, and records the decider, the time and the key', async () => {
    const id = await anOpenApplication();
    const { key, fields } = await accept(database.db, api.pepper, id, decision('welcome'));
    const headers = { 'x-api-key': key!.id, 'x-api-secret': key!.secret };
    await expect.poll(async () => (await api.get('/v1/usage', headers)).status).toBe(200);
    const row = await kept(database.db, id);
    expect(row).toMatchObject({ state: 'accepted', decided_by: 'ada', reason: 'welcome', key_id: key!.id });
    expect(row.decided_at?.getTime()).toBe(NOW_MS);
    const [issued] = await database.db.query('select label from api_keys where id = $1', [key!.id]);
    expect(issued).toEqual({ label: fields.shopName });
    expect(JSON.stringify(row)).not.toContain(key!.secret);
  });

  test('twice is rejected in one sentence and issues one key, also at the same moment', async () => {
    const id = await anOpenApplication();
    const had = await keyCount();
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => accept(database.db, api.pepper, id, decision())),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await keyCount()).toBe(had + 1);
    await expect(accept(database.db, api.pepper, id, decision())).rejects.toThrow(
      `${id} was accepted already on 2026-06-30T13:00:00.000Z`,
    );
    await expect(reject(database.db, id, decision('late'))).rejects.toThrow(/was accepted already/);
  });

  test('issues no key when the decision cannot be recorded', async () => {
    const id = await anOpenApplication();
    const had = await keyCount();
    await expect(
      accept(database.db, api.pepper, id, { ...decision(), by: null as unknown as string }),
    ).rejects.toThrow();
    expect(await keyCount()).toBe(had);
    expect((await kept(database.db, id)).state).toBe('open');
  });
});

describe('deciding on a report', () => {
  test('is recorded with its reason and issues no key', async () => {
    const [accepted, rejected] = [await anOpenReport(), await anOpenReport()];
    const had = await keyCount();
    expect((await accept(database.db, api.pepper, accepted, decision('price corrected'))).key).toBeNull();
    await reject(database.db, rejected, decision('the price is right'));
    expect(await kept(database.db, accepted)).toMatchObject({ state: 'accepted', reason: 'price corrected' });
    expect(await kept(database.db, rejected)).toMatchObject({ state: 'rejected', reason: 'the price is right' });
    expect(await keyCount()).toBe(had);
  });

  test('needs a reason, and a submission that is there', async () => {
    const id = await anOpenReport();
    await expect(accept(database.db, api.pepper, id, decision())).rejects.toThrow(
      /is a report: its reason is published, and needed/,
    );
    await expect(reject(database.db, 'rp_nothing', decision('x'))).rejects.toThrow(/no submission rp_nothing/);
    expect((await kept(database.db, id)).state).toBe('open');
  });
});

describe('the queue', () => {
  test('lists by kind and state, the oldest first, as many as requested', async () => {
    const applications = [await anOpenApplication(), await anOpenApplication()];
    await database.db.query(`update submissions set received_at = '2026-06-01' where id = $1`, [applications[1]]);
    const list = (kind: 'application' | 'report' | null, limit = 100) =>
      listSubmissions(database.db, { kind, state: 'open', limit });
    const listed = (await list('application')).map(({ id }) => id);
    expect(listed[0]).toBe(applications[1]);
    expect(listed).toContain(applications[0]);
    expect((await list('report')).every(({ kind, state }) => kind === 'report' && state === 'open')).toBe(true);
    expect(await list(null, 1)).toHaveLength(1);
  });

  test('names the partner that sent something, and nobody else', async () => {
    const { id: keyId, secret } = await issueKey(database.db, api.pepper, 'a shop');
    const headers = { 'x-api-key': keyId, 'x-api-secret': secret };
    await expect.poll(async () => (await api.get('/v1/usage', headers)).status).toBe(200);
    const { json } = await api.post('/v1/report', aReport(), { headers });
    expect((await kept(database.db, json.id)).sent_by_key).toBe(keyId);
    expect((await kept(database.db, await anOpenReport())).sent_by_key).toBeNull();
  });

  test('drops what was decided long ago with its idempotency key, and never what is open', async () => {
    const { json } = await api.post('/v1/report', aReport(), { headers: { 'idempotency-key': '"drop"' } });
    const [recent, open] = [await anOpenReport(), await anOpenReport()];
    const keepMs = KEEP_DECIDED_DAYS * 86_400_000;
    await reject(database.db, json.id, { ...decision('no'), nowMs: NOW_MS - keepMs - 1 });
    await reject(database.db, recent, { ...decision('no'), nowMs: NOW_MS - keepMs });
    await database.db.query(`update submissions set received_at = '2020-01-01' where id = $1`, [open]);
    expect(await dropDecided(database.db, NOW_MS)).toBe(1);
    expect(await kept(database.db, json.id)).toBeUndefined();
    expect([(await kept(database.db, recent)).state, (await kept(database.db, open)).state]).toEqual([
      'rejected',
      'open',
    ]);
  });

  test('the doctor warns of forms that have waited for over seven days', async () => {
    const finding = async () =>
      (await examine(database.db, readConfig({}), 0)).find(({ what }) => what.includes('decision'))!;
    await database.db.query(`update submissions set received_at = now() - interval '6 days'`);
    expect(await finding()).toMatchObject({ state: 'ok' });
    await database.db.query(`update submissions set received_at = now() - interval '8 days'`);
    expect(await finding()).toMatchObject({ state: 'warn', advice: expect.stringContaining('mintmark intake list') });
  });
});
