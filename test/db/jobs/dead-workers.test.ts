import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Db, openDb } from '../../../src/db/client.ts';
import { freeDeadWorkers } from '../../../src/db/jobs/dead-workers.ts';
import { hasPgBouncer, startPgBouncer } from '../../support/database/pgbouncer.ts';
import { startReplicated } from '../../support/database/replicated-server.ts';

type Server = Awaited<ReturnType<typeof startReplicated>>;

let server: Server;
beforeAll(async () => {
  server = await startReplicated(0);
  await runMigrations({ connectionString: server.primary.url });
  return () => server.stop();
});
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const log = pino({ level: 'silent' });
/** More than the two seconds within which a lost connection is made again, also behind PgBouncer. */
const SWEEP = { tasks: ['close_days'], everyMs: 500, looks: 14 };

/** A process, as the database sees it. */
function aProcess(connectionString: string): Db {
  const db = openDb({ connection: { connectionString }, poolSize: 2 });
  opened.push(db);
  return db;
}

/** Sweeps as a worker that runs does. */
function sweep(db: Db): void {
  const { stop } = freeDeadWorkers({ db, log }, SWEEP);
  opened.push({ close: async () => stop() });
}

/** A job that a worker has begun. */
async function begun(db: Db, worker: string): Promise<void> {
  await db.query(`select graphile_worker.add_job('close_days', job_key => $1)`, [worker]);
  await db.query(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now(), attempts = 1 where key = $1`,
    [worker],
  );
}

/** The workers whose jobs are begun. */
async function lockedBy(): Promise<string[]> {
  const client = new pg.Client({ connectionString: server.primary.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'select locked_by as name from graphile_worker.jobs where locked_by is not null order by 1',
  );
  await client.end();
  return rows.map(({ name }) => name);
}

/** How the processes connect. */
const WAYS = ['directly', ...(hasPgBouncer ? ['behind PgBouncer'] : [])];

async function urlOf(way: string): Promise<string> {
  const { url, port } = server.primary;
  if (way === 'directly') return url;
  const bouncer = await startPgBouncer({ port, url }, { mode: 'session', size: 20 });
  opened.push({ close: () => bouncer.stop() });
  return bouncer.url;
}

test.each(WAYS)(
  'the jobs of a worker that connects %s are freed by one that runs already, and never while it lives: not when its connections were lost, nor when PostgreSQL was away',
  async (way) => {
    const url = await urlOf(way);
    // PgBouncer rejects some connections while PostgreSQL comes back.
    const direct = aProcess(server.primary.url);
    const other = aProcess(url);
    await other.hold('worker-other');
    const living = aProcess(url);
    await living.hold('worker-living');
    await begun(direct, 'worker-living');
    sweep(other);
    /** The job of a dead worker is a clock: it is freed once both were looked for often enough. */
    const onlyTheDead = async (work: () => Promise<void>) => {
      await begun(direct, 'worker-dead');
      await work();
      await expect.poll(lockedBy, { timeout: 20_000 }).not.toContain('worker-dead');
      expect(await lockedBy()).toEqual(['worker-living']);
      await direct.query(`delete from graphile_worker._private_jobs where key = 'worker-dead'`);
    };

    await onlyTheDead(() =>
      server.primary.run(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'mintmark' and pid <> pg_backend_pid()`,
      ),
    );
    await onlyTheDead(async () => {
      await server.primary.kill();
      await server.primary.start();
    });

    await living.letGo('worker-living');
    await expect.poll(lockedBy, { timeout: 20_000 }).toEqual([]);
    await direct.query('delete from graphile_worker._private_jobs');
  },
);
