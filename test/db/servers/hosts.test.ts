import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDb } from '../../../src/db/client.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { connectionOf } from '../../../src/db/servers/hosts.ts';
import { type Replicated, startReplicated } from '../../support/database/replicated-server.ts';
import { type Program, startProgram, untilServing } from '../../support/program.ts';
import { dyingServer } from './dying-server.ts';

test.each([
  ['postgres://me:secret@one/db', null],
  ['postgres://me@one,two:5433/db?sslmode=require', ['one:5432', 'two:5433']],
  ['postgresql://one:6000,[::1]:6001', ['one:6000', '::1:6001']],
  ['postgres://me@%2Frun%2Fpostgresql/db', null],
])('the hosts of %s', (url, hosts) => {
  const connection = connectionOf(url);
  expect(connection.hosts?.map(({ host, port }) => `${host}:${port}`) ?? null).toEqual(hosts);
  expect(connection.connectionString).not.toMatch(/,/);
});

// The search for the primary asks each of several hosts once.
test.each([
  ['one host', 0, 1],
  ['several hosts', 2, 2],
])('of %s, a server that is gone in the packet that accepts a connection ends no process', async (_, living, hosts) => {
  const server = await dyingServer(living);
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  process.on('uncaughtException', onFault);
  const list = Array.from({ length: hosts }, () => `127.0.0.1:${server.port}`);
  const db = openDb({ connection: connectionOf(`postgres://me@${list}/db`), poolSize: 1 });
  try {
    await expect(db.query('select 1')).rejects.toThrow(/connection|terminat/i);
    expect(faults).toEqual([]);
  } finally {
    process.off('uncaughtException', onFault);
    await db.close();
    server.close();
  }
});

describe('of several hosts', () => {
  let servers: Replicated;
  let url: string;
  let db: Db;
  let notified: string[];
  let programs: Program[] = [];
  beforeAll(async () => {
    servers = await startReplicated(2);
    const all = [...servers.replicas, servers.primary];
    url = `postgres://operator@${all.map(({ port }) => `127.0.0.1:${port}`)}/mintmark`;
    db = openDb({ connection: connectionOf(url), poolSize: 4, statementWithinMs: 2000 });
    notified = [];
    await db.listen('news', (text) => notified.push(text));
  });
  afterAll(async () => {
    for (const program of programs) program.kill('SIGKILL');
    await Promise.all(programs.map(({ ended }) => ended));
    await db.close();
    await servers.stop();
  });

  const port = async () => (await db.query<{ port: number }>('select inet_server_port() as port'))[0]!.port;

  test('the one that accepts writes is used, wherever it is in the list', async () => {
    expect(await port()).toBe(servers.primary.port);
    await db.query('create table written (n int)');
    await db.query(`select pg_notify('news', 'first')`);
    await expect.poll(() => notified).toContain('first');
  });

  test('serve and worker follow a replica that is promoted after the primary was killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintmark-test-'));
    const env = { DATABASE_URL: url, MINTMARK_DATA: folder, PORT: '0', LIMITS: 'off', LOG_LEVEL: 'debug' };
    programs = [startProgram(['serve'], env), startProgram(['worker'], env)];
    const [server, worker] = programs as [Program, Program];
    const address = await untilServing(server);
    await expect.poll(() => worker.output()).toContain('Worker connected');
    const report = () =>
      fetch(`${address}/v1/report`, {
        signal: AbortSignal.timeout(10_000),
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ message: 'The price of this card is far too high.' }),
      }).then(
        ({ status }) => status,
        // The connection of an earlier report had just been closed, or no answer came in ten seconds.
        ({ message, cause }) => `${message} (${cause}): ${server.output().slice(-4000)}`,
      );
    expect(await report()).toBe(201);
    const [promoted] = servers.replicas;
    // What a replica has not received is lost with the primary.
    await servers.replayed();
    await servers.primary.kill();
    await expect.poll(report).toBe(503);
    await promoted!.run('select pg_promote()');
    await expect.poll(report).toBe(201);
    await expect.poll(port).toBe(promoted!.port);
    await expect
      .poll(async () => {
        await db.query(`select pg_notify('news', 'second')`);
        return notified;
      })
      .toContain('second');
    // A missed notification is made up for.
    await expect.poll(() => notified).toContain('');
    await db.query("select graphile_worker.add_job('drop_old_blocks')");
    await expect
      .poll(() => db.query("select 1 from graphile_worker.jobs where task_identifier = 'drop_old_blocks'"))
      .toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test('the primary that was replaced is not used when it comes back, although it accepts writes', async () => {
    await servers.primary.start();
    const again = openDb({ connection: connectionOf(url), poolSize: 1 });
    const [row] = await again.query<{ port: number }>('select inet_server_port() as port');
    expect(row!.port).toBe(servers.replicas[0]!.port);
    await again.close();
    await servers.primary.kill();
  });

  test('a primary that hangs is left, also by the connection that listens', async () => {
    const [hanging, promoted] = servers.replicas;
    await expect.poll(port).toBe(hanging!.port);
    hanging!.freeze('SIGSTOP');
    await promoted!.run('select pg_promote()');
    await expect.poll(() => port().catch(() => 0)).toBe(promoted!.port);
    await expect
      .poll(async () => {
        await db.query(`select pg_notify('news', 'third')`).catch(() => {});
        return notified;
      })
      .toContain('third');
    hanging!.freeze('SIGCONT');
  });

  test('without one that accepts writes a command ends with a sentence', async () => {
    const databaseUrl = `postgres://operator@127.0.0.1:1,127.0.0.1:2/mintmark`;
    const log = { info: () => {}, warn: () => {} };
    await expect(openDatabase({ databaseUrl, folder: '/nonexistent', poolSize: 1, name: 'test', log })).rejects.toThrow(
      /^The server of DATABASE_URL cannot be used \(connect ECONNREFUSED/,
    );
  });
});
