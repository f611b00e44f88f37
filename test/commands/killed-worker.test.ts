import { expect, test } from 'vitest';
import { closeIndices } from '../../src/indices/close/close.ts';
import { dayOf } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { everythingPublished, LAST_DAY, recordMarket } from '../indices/method/market.ts';
import { everythingStored } from '../pricing/stored.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, type Program, startProgram } from '../support/program.ts';

const dataDir = folderOfRun();
const YESTERDAY = dayOf(Date.now()) - 1;

/** The market, moved so that its last day is yesterday. */
async function ledger(): Promise<FreshDatabase> {
  const fresh = await freshDatabase();
  await recordMarket(fresh.db);
  const later = YESTERDAY - LAST_DAY;
  await fresh.db.query(
    `update sales set sold_day = sold_day + $1, known_day = known_day + $1, sold_at = sold_at + make_interval(days => $1),
       known_at = known_at + make_interval(days => $1)`,
    [later],
  );
  return fresh;
}

const everything = async ({ db }: FreshDatabase) => ({
  ...(await everythingStored(db)),
  ...(await everythingPublished(db)),
  record: await db.query('select day, root, lines, digest from record_days order by day'),
});

async function workers({ db, connection }: FreshDatabase, count: number): Promise<Program[]> {
  const env = { DATABASE_URL: databaseUrlOf(connection), MINTMARK_DATA: dataDir };
  const started = Array.from({ length: count }, () => startProgram(['worker'], env));
  for (const { output } of started) await expect.poll(output, { timeout: 60_000 }).toContain('"msg":"working"');
  // What a killed worker had begun, the next one begins by itself.
  const begun = await db.query(`select from graphile_worker.jobs where task_identifier = 'close_days'`);
  if (begun.length === 0) await db.query(`select graphile_worker.add_job('close_days', job_key => 'close_days')`);
  return started;
}

async function kill(programs: readonly Program[]): Promise<void> {
  for (const { kill } of programs) kill('SIGKILL');
  for (const { ended } of programs) await ended;
}

const closed = (programs: readonly Program[]) => programs.map(({ output }) => output()).join('');

test('what a killed worker had begun to close, one that starts or runs already finishes, and two of them do nothing twice', async () => {
  const killed = await ledger();
  let running: Program[] = [];
  // Each time it is about to write a table that another session has locked.
  for (const table of ['record_days', 'index_levels', 'index_days']) {
    await killed.db.session(async (session) => {
      await session.query('begin');
      await session.query(`lock table ${table} in share row exclusive mode`);
      const [first] = await workers(killed, 1);
      const waiting = `from pg_locks where relation = $1::regclass and not granted`;
      await expect.poll(() => killed.db.query(`select ${waiting}`, [table]), { timeout: 120_000 }).toHaveLength(1);
      if (table === 'index_days') running = await workers(killed, 2);
      await kill([first!]);
      // A server on another machine would notice later, and still write what it was sent.
      await killed.db.query(`select pg_terminate_backend(pid, 10000) ${waiting}`, [table]);
      await session.query('rollback');
      // As the next worker does after a minute; the last time the two that run already do it.
      if (running.length === 0)
        await killed.db.query(
          'select graphile_worker.force_unlock_workers(array_agg(locked_by)) from graphile_worker.jobs',
        );
    });
  }
  await expect.poll(() => closed(running), { timeout: 120_000 }).toContain('"msg":"days closed"');
  await kill(running);

  const whole = await ledger();
  await reprice(whole.db, { through: YESTERDAY });
  await closeIndices(whole.db, { through: YESTERDAY });
  expect(await whole.db.query('select from index_days')).not.toEqual([]);
  const finished: Record<string, unknown[]> = await everything(killed);
  for (const [table, rows] of Object.entries(await everything(whole))) expect(finished[table], table).toEqual(rows);
  await Promise.all([killed.close(), whole.close()]);
});
