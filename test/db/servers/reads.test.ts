import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Db, openDb } from '../../../src/db/client.ts';
import { openReads, type Reads } from '../../../src/db/servers/reads.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../support/database/pgbouncer.ts';
import { type Replicated, startReplicated } from '../../support/database/replicated-server.ts';

const LIMIT_MS = 2000;

let servers: Replicated;
let db: Db;
let opened: Reads[] = [];
beforeAll(async () => {
  servers = await startReplicated(2);
  db = openDb({ connection: { connectionString: servers.primary.url }, poolSize: 4 });
  await db.query('create table numbers (n int)');
  await db.query('insert into numbers values (0)');
});
beforeEach(async () => {
  await Promise.all(opened.map((reads) => reads.close()));
  opened = [];
});
afterAll(async () => {
  await Promise.all(opened.map((reads) => reads.close()));
  await db.close();
  await servers.stop();
});

function open(urls = servers.replicas.map(({ url }) => url), lagSeconds = 5): Reads {
  const log = { info: () => {} };
  const reads = openReads(db, { urls, lagSeconds, poolSize: 4, statementWithinMs: LIMIT_MS, log, first: 0 });
  opened.push(reads);
  return reads;
}

/** With the first replica alone, which is used. */
async function openUsed(lagSeconds?: number): Promise<Reads> {
  const reads = open([servers.replicas[0]!.url], lagSeconds);
  await expect.poll(() => used(reads)).toBe(0);
  return reads;
}

const used = (reads: Reads) => reads.states().findIndex(({ isUsed }) => isUsed);
const number = async (reads: Reads) => (await reads.query<{ n: number }>('select max(n) as n from numbers'))[0]!.n;
const write = (n: number) => db.query('insert into numbers values ($1)', [n]);

/** The port of the server that answers. */
async function answering(reads: Reads): Promise<number> {
  const [row] = await reads.prepared<{ port: number }>('port', 'select inet_server_port() as port');
  return row!.port;
}

test('reads go to one replica, and to the next when that is lost, without a failure', async () => {
  const reads = open();
  expect(await answering(reads)).toBe(servers.primary.port);
  await expect.poll(() => used(reads)).not.toBe(-1);
  const [first, second] = used(reads) === 0 ? servers.replicas : servers.replicas.toReversed();
  expect(await answering(reads)).toBe(first!.port);
  const load = new AbortController();
  const loops = Array.from({ length: 4 }, async () => {
    let answers = 0;
    for (; !load.signal.aborted; answers++) await reads.query('select pg_sleep(0.01)');
    return answers;
  });
  await first!.kill();
  await expect.poll(() => answering(reads)).toBe(second!.port);
  await first!.start();
  load.abort();
  expect(Math.min(...(await Promise.all(loops)))).toBeGreaterThan(1);
});

test('after a change only what has it answers, however fresh a replica may be otherwise', async () => {
  const [replica] = servers.replicas;
  const reads = open([replica!.url], 3600);
  await expect.poll(() => used(reads)).toBe(0);
  await replica!.run('select pg_wal_replay_pause()');
  await write(1);
  // Nobody was notified yet.
  expect(await number(reads)).toBe(0);
  reads.changed();
  for (let n = 0; n < 100; n++) expect(await number(reads)).toBe(1);
  await expect.poll(() => reads.states()[0]!.lagMs).toBeGreaterThan(1000);
  expect(await number(reads)).toBe(1);
  expect(await answering(reads)).toBe(servers.primary.port);
  await replica!.run('select pg_wal_replay_resume()');
  await expect.poll(() => used(reads)).toBe(0);
  expect(await number(reads)).toBe(1);
});

test('a replica that is further behind than it may be is not used, also without a change', async () => {
  const [replica] = servers.replicas;
  const reads = open([replica!.url], 1);
  await expect.poll(() => used(reads)).toBe(0);
  await replica!.run('select pg_wal_replay_pause()');
  await write(2);
  await expect.poll(() => used(reads)).toBe(-1);
  expect(await number(reads)).toBe(2);
  await replica!.run('select pg_wal_replay_resume()');
  await expect.poll(() => used(reads)).toBe(0);
});

test('a replica of another database is not used, however new', async () => {
  const [replica] = servers.replicas;
  await db.query('create database other');
  const url = new URL(replica!.url);
  url.pathname = '/other';
  const reads = open([url.href]);
  const why = () => reads.states()[0]!.problem;
  await expect.poll(why, { timeout: 10_000 }).toBe('it is a replica of another database');
  expect(reads.states()[0]).toMatchObject({ isUsed: false, lagMs: null });
  expect(await answering(reads)).toBe(servers.primary.port);
});

describe('a statement that a replica', () => {
  test('ends for its replay is done once more by the primary', async () => {
    await db.query('create table dropped (n int)');
    await db.query('insert into dropped values (1)');
    const reads = await openUsed();
    const before = reads.counts();
    const reading = reads.query<{ n: number }>('select n, pg_sleep(0.5) from dropped');
    const asked = "select 1 from pg_stat_activity where query like 'select n, pg_sleep%' and state = 'active'";
    const onReplica = openDb({ connection: { connectionString: servers.replicas[0]!.url }, poolSize: 1 });
    await expect.poll(() => onReplica.query(asked)).toHaveLength(1);
    await onReplica.close();
    await db.query('alter table dropped add column m int');
    expect(await reading).toMatchObject([{ n: 1 }]);
    expect(reads.counts().primary).toBe(before.primary + 1);
    // It lives: no need to look for another.
    expect(used(reads)).toBe(0);
  });

  test('rejects, as a write, is done by the primary', async () => {
    const reads = await openUsed();
    await reads.query('insert into numbers values (3)');
    expect(await db.query('select 1 from numbers where n = 3')).toHaveLength(1);
    expect(used(reads)).toBe(0);
  });

  test('finds wrong fails once more on the primary, with its error', async () => {
    const reads = await openUsed();
    await expect(reads.query('select nothing from nowhere')).rejects.toMatchObject({ code: '42P01' });
  });

  test('takes too long for is not done again', async () => {
    const reads = await openUsed();
    const before = reads.counts();
    await expect(reads.query('select pg_sleep(9)')).rejects.toMatchObject({ code: '57014' });
    expect(reads.counts()).toEqual(before);
  });

  test('that hangs does not answer is done by the primary', async () => {
    const [replica] = servers.replicas;
    const reads = open([replica!.url]);
    await expect.poll(() => used(reads)).toBe(0);
    expect(await answering(reads)).toBe(replica!.port);
    replica!.freeze('SIGSTOP');
    expect(await number(reads)).toBe(3);
    expect(await answering(reads)).toBe(servers.primary.port);
    replica!.freeze('SIGCONT');
    await expect.poll(() => used(reads)).toBe(0);
  });
});

test('a server that replays nothing is not used', async () => {
  const reads = open([servers.primary.url]);
  await expect.poll(() => reads.states()[0]!.problem).toBe('it is not a replica');
  expect(used(reads)).toBe(-1);
});

describe.skipIf(!hasPgBouncer)('behind PgBouncer in transaction mode', () => {
  let pooler: PgBouncer;
  beforeAll(async () => {
    pooler = await startPgBouncer(servers.replicas[0]!);
  });
  afterAll(() => pooler.stop());

  test('a replica answers prepared statements, more at once than the pooler has connections', async () => {
    const reads = open([pooler.url]);
    await expect.poll(() => used(reads)).toBe(0);
    const ports = await Promise.all(Array.from({ length: 40 }, () => answering(reads)));
    expect(new Set(ports)).toEqual(new Set([servers.replicas[0]!.port]));
    expect(used(reads)).toBe(0);
  });
});

test('while the primary is away, a replica with every change answers', async () => {
  const reads = await openUsed(1);
  await servers.primary.kill();
  const until = Date.now() + 1500;
  while (Date.now() < until) expect(await number(reads)).toBe(3);
  await servers.primary.start();
});
