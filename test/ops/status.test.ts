import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openServiceClient } from '../../src/http/outbound/service-client.ts';
import { connections } from '../../src/ops/doctor-connections.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aVoid, closeDays } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { type MarketServer, marketServer } from '../support/servers/market-server.ts';

let database: FreshDatabase;
let server: MarketServer;
let app: TestApp;
let env: Record<string, string>;

const file = (sources: object[]) => {
  const path = join(folderOfRun(), 'connections.json');
  const graders = [
    {
      id: 'psa',
      name: 'PSA',
      kind: 'psa',
      token: { env: 'PSA_TOKEN' },
      url: 'https://psa.internal.example/cert/{cert}',
    },
  ];
  writeFileSync(path, JSON.stringify({ graders, sources }));
  return { CONNECTIONS_FILE: path, PSA_TOKEN: 'the-secret' };
};

beforeAll(async () => {
  database = await freshDatabase();
  server = await marketServer();
  const url = `${server.origin}/hidden-path`;
  const shop = { kind: 'json-http', url, tells: 'sale', rows: '', fields: { price: '/p' }, private: true };
  env = file([
    { id: 'shop', name: 'The Card Shop', ...shop },
    { id: 'drop', kind: 'watched-folder', path: '/tmp' },
  ]);
  app = await testApp(database.db, { env });
});
afterAll(async () => {
  await app.app.close();
  await server.close();
  await database.close();
});
beforeEach(() => database.db.query('delete from service_clients'));

/** Sends a request as the shop's connection would. */
function callShop(budgetPerDay = 10) {
  const options = { id: 'shop', hosts: [server.origin], privateHosts: [server.origin], tries: 1, budgetPerDay };
  return openServiceClient({ db: database.db, clock: app.context.clock }, { ...options, opensAfter: 2 }).ask({
    url: server.origin,
  });
}
const doctorFindings = (more: Record<string, string>) =>
  connections(database.db, readConfig({ MINTMARK_DATA: '/nowhere', ...more }), app.context.clock());
const shop = async () => (await app.get('/v1/status')).json.sources[0];

describe('GET /v1/status', () => {
  test('reports services that were never called, and of a ledger without a sale', async () => {
    const { status, json, headers } = await app.get('/v1/status');
    expect(status).toBe(200);
    expect(headers['cache-control']).toContain('no-store');
    expect(json).toMatchObject({
      asOf: '2026-06-30T12:00:00.000Z',
      ledger: { newestSaleAt: null, newestImportAt: null },
      closedDay: null,
      graders: [{ id: 'psa', name: 'PSA', kind: 'psa', state: 'unused' }],
      sources: [
        { id: 'shop', name: 'The Card Shop', kind: 'json-http', state: 'unused', callsToday: 0, budgetLeft: null },
      ],
    });
  });

  test('reports how a service answered, what it cost and what is left', async () => {
    server.next({ body: 'fine' });
    await callShop();
    expect(await shop()).toMatchObject({
      state: 'ok',
      lastSuccessAt: '2026-06-30T12:00:00.000Z',
      lastFaultAt: null,
      callsToday: 1,
      budgetPerDay: 10,
      budgetLeft: 9,
      p50Ms: expect.any(Number),
    });
  });

  test('reports faults, of an open circuit and of a spent budget', async () => {
    server.next({ status: 500 }, { status: 500 });
    await callShop();
    expect(await shop()).toMatchObject({ state: 'failing', lastFaultReason: 'server_error' });
    await callShop();
    expect(await shop()).toMatchObject({ state: 'resting' });
    await database.db.query('delete from service_clients');
    server.next({ body: 'fine' });
    await callShop(1);
    expect(await shop()).toMatchObject({ state: 'resting', budgetLeft: 0 });
  });

  test('reveals no address and no secret', async () => {
    server.next({ status: 500 });
    await callShop();
    const { text } = await app.get('/v1/status');
    for (const hidden of ['hidden-path', '127.0.0.1', 'psa.internal', 'the-secret', 'PSA_TOKEN'])
      expect(text).not.toContain(hidden);
  });

  test('reports how fresh ledger and prices are', async () => {
    const itemId = await anItem(database.db);
    await aSale(database.db, { itemId, sold: '2026-06-20', soldTime: '08:00:00' });
    await aSale(database.db, { itemId, sold: '2026-06-25', rejection: 'absurd_price' });
    await aVoid(database.db, await aSale(database.db, { itemId, sold: '2026-06-24' }), 'unpaid', '2026-06-24');
    await closeDays(database.db);
    const { json } = await app.get('/v1/status');
    expect(json).toMatchObject({ ledger: { newestSaleAt: '2026-06-20T08:00:00.000Z' }, closedDay: '2026-06-29' });
    expect(Date.parse(json.ledger.newestImportAt)).toBeGreaterThan(0);
  });

  test('names the files of a watched folder that could not be imported, until they are mended', async () => {
    const note = (name: string, minute: number, problem: string | null) =>
      database.db.query('insert into watched_files values ($1, $2, $3, $4, $5)', [
        'drop',
        Buffer.from(`${name} ${minute}`),
        name,
        new Date(Date.UTC(2026, 5, 30, 8, minute)),
        problem,
      ]);
    const folders = async () => (await app.get('/v1/status')).json.folders;
    expect(await folders()).toEqual([{ id: 'drop', name: 'drop', newestFileAt: null, rejected: [] }]);
    await note('good.csv', 1, null);
    await note('bad.csv', 2, 'the header lacks price');
    await note('worse.csv', 3, 'the header lacks source');
    const worse = { file: 'worse.csv', problem: 'the header lacks source', at: '2026-06-30T08:03:00.000Z' };
    const bad = { file: 'bad.csv', problem: 'the header lacks price', at: '2026-06-30T08:02:00.000Z' };
    expect(await folders()).toMatchObject([{ newestFileAt: worse.at, rejected: [worse, bad] }]);
    await note('bad.csv', 4, null);
    expect(await folders()).toMatchObject([{ newestFileAt: '2026-06-30T08:04:00.000Z', rejected: [worse] }]);
    expect((await doctorFindings(env)).at(0)).toEqual({
      state: 'fail',
      what: 'drop (watched-folder): newest file 2026-06-30T08:04:00.000Z; rejected: worse.csv (the header lacks source)',
      advice: 'correct each file in /tmp: a changed file is read again by itself',
    });
    await database.db.query('delete from watched_files');
  });

  test('warns of a closed day that is not over', async () => {
    const warnings = async (today: string) => {
      const there = await testApp(database.db, { today });
      const { json } = await there.get('/v1/status');
      await there.app.close();
      return json.warnings;
    };
    expect(await warnings('2026-06-30')).toEqual([]);
    const ahead = [expect.stringContaining('Prices are closed through 2026-06-29, which is not over')];
    expect(await warnings('2026-06-29')).toEqual(ahead);
    expect(await warnings('2026-06-01')).toEqual(ahead);
  });

  test('costs no unit', async () => {
    const limited = await testApp(database.db, { env: { ...env, LIMITS: 'on', DAILY_PUBLIC: '1' } });
    for (let n = 0; n < 3; n++) expect((await limited.get('/v1/status')).status).toBe(200);
    await limited.app.close();
  });
});

describe('doctor', () => {
  const findings = doctorFindings;

  test('reports how each service is, and what to do', async () => {
    server.next({ status: 403 });
    await callShop();
    expect(await findings(env)).toEqual([
      { state: 'ok', what: 'drop (watched-folder): no file yet' },
      { state: 'ok', what: 'psa (psa): never called' },
      {
        state: 'warn',
        what: 'shop (json-http): failing, 1 of 10 calls today, last fault unauthorized 2026-06-30T12:00:00.000Z',
        advice: 'check its credentials and what they may do',
      },
    ]);
  });

  test('reports every setting that cannot be used, with its line', async () => {
    const wrong = await findings(
      file([
        { id: 'a', kind: 'none' },
        { id: 'b', kind: 'csv-http' },
      ]),
    );
    const fails = wrong
      .filter(({ state }) => state === 'fail')
      .map(({ what }) => what.replace(/^.*connections\.json/, ''));
    expect(fails[0]).toMatch(/^:1: \/sources\/0\/kind must be one of /);
    expect(fails).toContain(':1: /sources/1 lacks url');
  });

  test('says when a watched folder cannot be read', async () => {
    const missing = file([{ id: 'drop', kind: 'watched-folder', path: '/nowhere/at/all' }]);
    expect(await findings(missing)).toContainEqual({
      state: 'fail',
      what: 'drop (watched-folder): /nowhere/at/all cannot be read (ENOENT)',
      advice: 'make the folder, or correct its path in CONNECTIONS_FILE',
    });
  });

  test('says when no service is called', async () => {
    expect((await findings({})).map(({ state }) => state)).toEqual(['ok']);
  });
});
