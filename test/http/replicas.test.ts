import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Db, openDb } from '../../src/db/client.ts';
import { openReads, type Reads } from '../../src/db/servers/reads.ts';
import { readsOnly } from '../../src/http/endpoint.ts';
import { examine } from '../../src/ops/doctor.ts';
import { ROUTES } from '../../src/routes.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, closeDays } from '../support/builders.ts';
import { type Replicated, startReplicated } from '../support/database/replicated-server.ts';

let servers: Replicated;
let db: Db;
let reads: Reads;
let api: TestApp;
let itemId: string;
beforeAll(async () => {
  servers = await startReplicated(1);
  db = openDb({ connection: { connectionString: servers.primary.url }, poolSize: 4 });
  itemId = await anItem(db);
  await aSale(db, { itemId, sold: '2026-06-20' });
  await closeDays(db, '2026-06-27');
  const urls = servers.replicas.map(({ url }) => url);
  // However far behind: what counts here is what was answered before.
  reads = openReads(db, { urls, lagSeconds: 3600, poolSize: 4, statementWithinMs: 10_000, log: { info: () => {} } });
  api = await testApp(db, { cacheMb: 8, reads, env: { METRICS_TOKEN: 'abc' } });
});
afterAll(async () => {
  await api.app.close();
  await reads.close();
  await db.close();
  await servers.stop();
});

const untilUsed = () => expect.poll(() => reads.states()[0]!.isUsed).toBe(true);

test('a page and a route of the API are answered by a replica, and end where they would on the primary', async () => {
  await untilUsed();
  const before = reads.counts();
  for (const path of [`/v1/items/by-id/${itemId}/overview`, '/v1/trades/recent', '/card/pokemon', '/sitemap.xml'])
    expect((await api.get(path)).status, path).toBe(200);
  const after = reads.counts();
  expect(after.replica - before.replica).toBeGreaterThan(8);
  expect(after.primary).toBe(before.primary);
});

test.each([
  '/health',
  '/v1/usage',
  '/v1/status',
  '/v1/graded/PSA12345678',
  '/cert/PSA12345678',
  '/cert/PSA12345678.md',
])('%s shows what was just written: the primary answers it', async (path) => {
  await untilUsed();
  const before = reads.counts();
  await api.get(path);
  // What every page states of its prices is kept, and read by none of them.
  expect(reads.counts().replica - before.replica).toBe(0);
});

test('of the routes that are sent something, only those that just look it up read from a replica', () => {
  const sent = ROUTES.map(({ endpoint }) => endpoint).filter(({ body, upload }) => body || upload);
  const ids = new Set(sent.filter(readsOnly).map(({ id }) => id));
  expect([...ids].sort()).toEqual([
    'detectItems',
    'resolve',
    'searchByEmbedding',
    'searchByImage',
    'searchByImages',
    'valuations',
  ]);
});

test('after a close no answer is older than one that was given, while a replica is behind', async () => {
  const path = `/v1/items/by-id/${itemId}/overview`;
  await untilUsed();
  const old = await api.get(path);
  await servers.replicas[0]!.run('select pg_wal_replay_pause()');
  await aSale(db, { itemId, sold: '2026-06-28', usdCents: 99_900 });
  await closeDays(db, '2026-06-29');
  await expect.poll(async () => (await api.get(path)).headers.etag).not.toBe(old.headers.etag);
  const fresh = await api.get(path);
  for (let n = 0; n < 50; n++) {
    api.context.cache.clear();
    const answer = await api.get(path);
    expect(answer.headers.etag).toBe(fresh.headers.etag);
  }
  expect(reads.states()[0]!.isUsed).toBe(false);
  await servers.replicas[0]!.run('select pg_wal_replay_resume()');
  await untilUsed();
  api.context.cache.clear();
  expect((await api.get(path)).headers.etag).toBe(fresh.headers.etag);
});

test('metrics and doctor say which replicas are used, and how far behind they are', async () => {
  await untilUsed();
  const [replica] = servers.replicas;
  const { text } = await api.get('/metrics', { authorization: 'Bearer abc' });
  expect(text).toContain(`mintmark_replica_used{replica="127.0.0.1:${replica!.port}"} 1`);
  expect(text).toMatch(/mintmark_replica_lag_seconds\{replica="127\.0\.0\.1:\d+"\} \d/);
  expect(text).toMatch(/mintmark_reads\{server="replica"\} [1-9]/);
  const urls = [replica!.url, servers.primary.url, 'postgres://nobody@127.0.0.1:1/none'];
  const config = readConfig({ READ_DATABASE_URLS: urls.join(', ') });
  const found = (await examine(db, config, 0)).filter(({ what }) => what.startsWith('the replica'));
  expect(found.map(({ state }) => state)).toEqual(['ok', 'warn', 'warn']);
  expect(found[0]!.what).toMatch(/ is 0\.\d MB of the log behind$/);
  expect(found.map(({ what }) => what).join()).toMatch(/it is not a replica.*ECONNREFUSED/);
});

test('doctor warns of a replica whose replay stands still', async () => {
  const [replica] = servers.replicas;
  await replica!.run('select pg_wal_replay_pause()');
  await db.query(`create table filler as select repeat(md5(n::text), 30) from generate_series(1, 20000) n`);
  const config = readConfig({ READ_DATABASE_URLS: replica!.url });
  const behind = (await examine(db, config, 0)).find(({ what }) => what.startsWith('the replica'))!;
  await replica!.run('select pg_wal_replay_resume()');
  await db.query('drop table filler');
  expect([behind.state, behind.what]).toEqual([
    'warn',
    expect.stringMatching(/ is (1[6-9]|2\d)\.\d MB of the log behind$/),
  ]);
});
