import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { type Db, openDb } from '../../src/db/client.ts';
import { openPatience } from '../../src/db/servers/patience.ts';
import { SERVER_LIMITS } from '../../src/http/connection/server-limits.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type Replicated, startReplicated } from '../support/database/replicated-server.ts';

const WITHIN_MS = 60_000;

let servers: Replicated;
let db: Db;
let api: TestApp;
beforeAll(async () => {
  servers = await startReplicated(0);
  db = openDb({
    connection: { connectionString: servers.primary.url },
    poolSize: 2,
    statementWithinMs: 5000,
    connectWithinMs: WITHIN_MS,
  });
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await db.close();
  await servers.stop();
});

const unreached = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

test('statements, transactions and requests wait for a database that is restarted; probes do not', async () => {
  await servers.primary.kill();
  // A connection that has not noticed yet would lose its statement.
  await expect.poll(() => db.atOnce.query('select 1').catch(({ code }) => code)).toBe('ECONNREFUSED');
  let begun = 0;
  const waiting = Promise.all([
    db.query('select 1 as one'),
    db.prepared('two', 'select 2 as two'),
    db.transaction((session) => {
      begun++;
      return session.query('select 3 as three');
    }),
    ...Array.from({ length: 20 }, () => api.get('/v1/sets?game=pokemon').then(({ status }) => status)),
  ]);
  const ready = await api.get('/ready');
  expect([ready.status, ready.json.database]).toEqual([503, false]);
  const health = await api.get('/health');
  expect([health.status, health.json.db]).toEqual([503, false]);
  await expect(Promise.race([waiting, sleep(300, 'waits')])).resolves.toBe('waits');

  await servers.primary.start();
  const [one, two, three, ...statuses] = await waiting;
  expect([one, two, three]).toEqual([[{ one: 1 }], [{ two: 2 }], [{ three: 3 }]]);
  expect(begun).toBe(1);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await expect.poll(async () => (await api.get('/ready')).json.database).toBe(true);
});

test('a page waits for a database that is restarted longer than its own time, which begins after that', async () => {
  const pages = buildApp(api.context, { ...SERVER_LIMITS, pageWithinMs: 800 });
  const origin = await pages.listen({ port: 0 });
  const visit = async (path: string) => (await fetch(origin + path, { headers: { accept: 'text/html' } })).status;
  await servers.primary.kill();
  await expect.poll(() => db.atOnce.query('select 1').catch(({ code }) => code)).toBe('ECONNREFUSED');
  const visits = Promise.all(['/card/pokemon', '/card/mtg', '/sales'].map(visit));
  await expect(Promise.race([visits, sleep(2500, 'waits')])).resolves.toBe('waits');
  await servers.primary.start();
  expect(await visits).toEqual([200, 200, 200]);
  await sleep(1000);
  // The database is there, but a statement waits.
  await db.transaction(async (session) => {
    await session.query('lock table items in access exclusive mode');
    expect(await visit('/card/lorcana')).toBe(503);
  });
  await pages.close();
});

test('a connection that a server ends as it is made is made again', async () => {
  const { host, port } = new URL(servers.primary.url.replace(/^postgres(ql)?:/, 'http:'));
  let ends = 0;
  // Accepts, reads the first packet and closes, as a server does that is being shut down; later it lets connections through.
  const door = createServer((client) => {
    client.on('error', () => {});
    if (ends < 3) {
      ends++;
      client.once('data', () => client.resetAndDestroy());
      return;
    }
    const server = connect(Number(port), host.split(':')[0]);
    server.on('error', () => client.destroy());
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const url = new URL(servers.primary.url);
  url.host = `127.0.0.1:${(door.address() as AddressInfo).port}`;
  const through = openDb({ connection: { connectionString: url.href }, poolSize: 1, connectWithinMs: 5000 });
  expect(await through.query('select 1 as one')).toEqual([{ one: 1 }]);
  expect(ends).toBe(3);
  await through.close();
  door.close();
});

test('a transaction whose connection is lost is not done again', async () => {
  let begun = 0;
  const broken = db.transaction(async (session) => {
    begun++;
    await servers.primary.kill();
    await session.query('select 1');
  });
  await expect(broken).rejects.toThrow(/terminat|reset|connection error/i);
  expect(begun).toBe(1);
  await servers.primary.start();
});

test('work waits no longer than stated, all in one look, and not at all once the database is away for long', async () => {
  let looks = 0;
  let isAway = true;
  const connect = async () => {
    looks++;
    if (isAway) throw unreached();
  };
  const work = async () => {
    if (isAway) throw unreached();
    return 'done';
  };
  const { wait, wasAwayWithin } = openPatience({ connect, withinMs: 600, givenUpAfterMs: 1200 });
  const msOf = async (promise: Promise<unknown>) => {
    const begun = performance.now();
    await expect(promise).rejects.toThrow('ECONNREFUSED');
    return performance.now() - begun;
  };
  expect(wasAwayWithin(60_000)).toBe(false);
  const all = await Promise.all(Array.from({ length: 50 }, () => msOf(wait(work))));
  expect([wasAwayWithin(60_000), wasAwayWithin(0)]).toEqual([true, false]);
  expect(Math.min(...all)).toBeGreaterThan(500);
  expect(looks).toBeLessThan(10);

  await sleep(1500);
  looks = 0;
  expect(await msOf(wait(work))).toBeLessThan(500);
  expect(looks).toBe(0);

  isAway = false;
  expect(await wait(work)).toBe('done');
  isAway = true;
  const back = wait(work);
  await sleep(100);
  isAway = false;
  expect(await back).toBe('done');
  await expect(wait(() => Promise.reject(new Error('fault')))).rejects.toThrow('fault');
});
