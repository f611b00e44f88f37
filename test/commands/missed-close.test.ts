import { expect, test } from 'vitest';
import { dayOf, formatDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { LAST_DAY, recordMarket } from '../indices/method/market.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, startProgram } from '../support/program.ts';

const dataDir = folderOfRun();

/** The last day that is to be closed by now: the one before is over, and it is after 00:10. */
const due = () => dayOf(Date.now() - 10 * 60_000) - 1;

/** Starts a worker on a queue that knows of no earlier day; returns what it logs of closes within `until`. */
async function startWorker({ connection }: FreshDatabase, until: (output: () => string) => Promise<void>) {
  const worker = startProgram(['worker'], { DATABASE_URL: databaseUrlOf(connection), MINTMARK_DATA: dataDir });
  await expect.poll(worker.output, { timeout: 60_000 }).toContain('"msg":"working"');
  await until(worker.output);
  worker.kill();
  expect(await worker.ended).toBe(0);
  return worker.output();
}

test('a worker of a restored installation closes the days since the backup at once, and the first close waits for its hour', async () => {
  const database = await freshDatabase();
  const { db } = database;
  await recordMarket(db);
  const first = await startWorker(database, async () => {});
  expect(first).not.toContain('days closed');
  expect(await db.query(`select from graphile_worker.jobs where task_identifier = 'close_days'`)).toEqual([]);

  // Ten days, so that no gap without sales is in doubt.
  await db.query(
    `update sales set sold_day = sold_day + $1, known_day = known_day + $1, sold_at = sold_at + make_interval(days => $1),
       known_at = known_at + make_interval(days => $1)`,
    [due() - 10 - LAST_DAY],
  );
  await reprice(db, { through: due() - 8 });
  const later = await startWorker(database, (output) =>
    expect.poll(output, { timeout: 120_000 }).toContain('days closed'),
  );
  expect(later).toContain(`"through":"${formatDay(due())}"`);
  await database.close();
});
