import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDb, type Session } from '../../src/db/client.ts';
import { copyRows } from '../../src/db/copy/copy.ts';
import { migrate } from '../../src/db/migrate.ts';
import { emptyDatabase, type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { databaseUrlOf, freePort, type Program, startProgram } from '../support/program.ts';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

let database: FreshDatabase;
/** The connections that are lost; `database.db` ends them. */
let db: Db;
beforeAll(async () => {
  database = await freshDatabase();
  db = openDb({ connection: database.connection, poolSize: 2 });
});
afterAll(async () => {
  await db.close();
  await database.close();
});

/** The connections to a database but the one that asks. */
const OTHERS = `from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

async function loseConnections({ db: sql }: FreshDatabase = database): Promise<void> {
  await sql.query(`select pg_terminate_backend(pid) ${OTHERS}`);
}

const pidOf = async (session: Session) =>
  (await session.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid;

async function endBackend(pid: number): Promise<void> {
  await database.db.query('select pg_terminate_backend($1, 5000)', [pid]);
}

/** Rows without end, whose reader is called after the first hundred. */
async function* endlessRows(afterSome: () => Promise<void>): AsyncGenerator<[number]> {
  for (let n = 0; n < 1_000_000; n++) {
    if (n === 100_000) await afterSome();
    yield [n];
  }
}

/** Every kind of use that a connection can be lost in; each resolves or rejects by itself. */
const USES: Record<string, () => Promise<unknown>> = {
  'an idle connection': async () => {
    const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
    await endBackend(row!.pid);
    // The pool reads of the end in the next turn of the event loop.
    await setImmediate();
  },
  'a statement': async () => {
    const asleep = db.query('select pg_sleep(30)');
    asleep.catch(() => {});
    await expect
      .poll(() => database.db.query("select 1 from pg_stat_activity where query = 'select pg_sleep(30)'"))
      .toHaveLength(1);
    await loseConnections();
    await asleep;
  },
  'a session between its statements': () =>
    db.session(async (session) => {
      await endBackend(await pidOf(session));
      await session.query('select 1');
    }),
  'a transaction between its statements': () =>
    db.transaction(async (session) => {
      await endBackend(await pidOf(session));
      await session.query('select 1');
    }),
  'rows that are copied in': () =>
    db.session(async (session) => {
      const pid = await pidOf(session);
      await session.query('create temporary table numbers (n int)');
      await copyRows(
        session,
        'numbers (n)',
        endlessRows(() => endBackend(pid)),
      );
    }),
  'rows that are copied out': () =>
    db.session(async (session) => {
      const pid = await pidOf(session);
      const rows = session.copyOut('copy (select n, md5(n::text) from generate_series(1, 400000) n) to stdout');
      let ended = false;
      for await (const _ of rows) {
        if (!ended) await endBackend(pid);
        ended = true;
      }
    }),
};

describe('a lost connection', () => {
  test.each(Object.keys(USES))('ends %s and nothing else', async (use) => {
    const outcome = await USES[use]!().then(
      () => 'done',
      (error: Error) => error.message,
    );
    if (use !== 'an idle connection') expect(outcome).toMatch(/terminat|not queryable|closed|aborted/i);
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('ends a migration with one sentence, undone', async () => {
    const empty = await emptyDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'mintmark-test-'));
    writeFileSync(
      join(folder, '0001_lost.sql'),
      'create table half (n int); select pg_terminate_backend(pg_backend_pid());',
    );
    await expect(migrate(empty.db, pathToFileURL(`${folder}/`))).rejects.toThrow(/^Migration 0001_lost.sql failed/);
    expect(await empty.db.query("select 1 from pg_tables where tablename = 'half'")).toEqual([]);
    rmSync(folder, { recursive: true });
    await empty.close();
  });
});

test('every connection of the program is opened where it gets its error listener', () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const opening = sources.filter((file) =>
    /new (pg\.)?(Pool|Client)\(/.test(readFileSync(join(SOURCES, file), 'utf8')),
  );
  expect(opening.sort()).toEqual(['db/client.ts', 'db/embedded.ts']);
  const hosts = readFileSync(join(SOURCES, 'db/servers/hosts.ts'), 'utf8');
  expect(hosts).toMatch(
    /class ServerClient extends pg\.Client \{[\s\S]{0,300}super\(config\);[\s\S]{0,200}this\.on\('error'/,
  );
  for (const file of opening) {
    const text = readFileSync(join(SOURCES, file), 'utf8');
    expect(text.split(/new pg\.(?:Pool|Client)\(/).length, file).toBe(2);
    expect(text, file).toMatch(/new pg\.(Pool|Client)\([^;]*;\s*(\/\/.*\s*)?\w+\.on\('error'/);
  }
});

describe('serve and worker', () => {
  let served: FreshDatabase;
  let folder: string;
  let port: number;
  let programs: Program[];
  const status = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );

  async function start(): Promise<void> {
    served = await freshDatabase();
    folder = mkdtempSync(join(tmpdir(), 'mintmark-test-'));
    port = await freePort();
    const env = {
      DATABASE_URL: databaseUrlOf(served.connection),
      MINTMARK_DATA: folder,
      PORT: String(port),
      LIMITS: 'off',
      // The worker says that it looks for jobs.
      LOG_LEVEL: 'debug',
    };
    programs = [startProgram(['serve'], env), startProgram(['worker'], env)];
    const [server, worker] = programs as [Program, Program];
    await expect.poll(() => status('/health'), { timeout: 30_000, interval: 100 }).toBe(200);
    await expect.poll(() => worker.output(), { timeout: 30_000, interval: 100 }).toContain('Worker connected');
    expect(server.hasEnded()).toBe(false);
  }
  afterAll(async () => {
    for (const program of programs) program.kill('SIGKILL');
    await Promise.all(programs.map(({ ended }) => ended));
    rmSync(folder, { recursive: true });
    await served.close();
  });

  test('live through six losses of every connection under load, and serve within 5 s after each', async () => {
    await start();
    const load = new AbortController();
    const loops = Array.from({ length: 6 }, async () => {
      while (!load.signal.aborted) await status('/v1/games');
    });
    for (let round = 0; round < 6; round++) {
      await expect.poll(async () => (await served.db.query(`select ${OTHERS}`)).length).toBeGreaterThan(2);
      const lostAt = Date.now();
      await loseConnections(served);
      for (const path of ['/health', '/v1/games', '/v1/trades/recent'])
        await expect.poll(() => status(path), { timeout: 5000 - (Date.now() - lostAt) }).toBe(200);
    }
    load.abort();
    await Promise.all(loops);
    expect(programs.map((program) => (program.hasEnded() ? program.output() : 'lives'))).toEqual(['lives', 'lives']);
    // The worker looks for jobs again: a job that is added now runs.
    await served.db.query("select graphile_worker.add_job('drop_old_blocks')");
    await expect
      .poll(() => served.db.query("select 1 from graphile_worker.jobs where task_identifier = 'drop_old_blocks'"), {
        timeout: 10_000,
      })
      .toEqual([]);
  });
});
