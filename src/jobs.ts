import { type Runner, run, type TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { dropOldLeases } from './access/leases.ts';
import type { Db } from './db/client.ts';
import { closeIndices } from './indices/close.ts';
import type { IndexDefinition } from './indices/definitions.ts';
import { forgetOld } from './intake/idempotency.ts';
import { dropDecided } from './intake/queue.ts';
import { dayOf } from './lib/day.ts';
import { reprice } from './pricing/reprice.ts';
import { rematch } from './sales/waiting.ts';

/** What a job works with. */
export type JobContext = { db: Db; log: Logger; clock: () => number; subIndices: readonly IndexDefinition[] };

type Job = { name: string /** Cron, UTC. */; schedule: string; run(context: JobContext): Promise<void> };

/** What runs by itself: name, schedule, function. */
export const JOBS: readonly Job[] = [
  {
    name: 'close_days',
    // Some minutes after midnight, so that sales of the last minute have arrived.
    schedule: '10 0 * * *',
    async run({ db, log, clock, subIndices }) {
      const today = dayOf(clock());
      // Sales dated ahead whose day has come, and those whose card the catalog knows by now.
      const { added } = await rematch(db, { today });
      const { days, sales } = await reprice(db, { through: today - 1 });
      const { levels } = await closeIndices(db, { through: today - 1, subIndices });
      log.info({ added, days, sales, levels }, 'days closed');
    },
  },
  {
    name: 'drop_old_forms',
    schedule: '20 0 * * *',
    async run({ db, log, clock }) {
      await forgetOld(db, clock());
      log.info({ dropped: await dropDecided(db, clock()) }, 'decided forms dropped');
    },
  },
  {
    name: 'drop_old_leases',
    schedule: '30 0 * * *',
    async run({ db, log }) {
      log.info({ dropped: await dropOldLeases(db) }, 'old budgets dropped');
    },
  },
];

/** Starts the worker on its own pool; a job missed while nothing ran is caught up within a day. */
export async function startJobs(context: JobContext, pgPool: Pool): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(JOBS.map((job) => [job.name, () => job.run(context)]));
  return run({
    pgPool,
    taskList,
    crontab: JOBS.map((job) => `${job.schedule} ${job.name} ?fill=1d&jobKey=${job.name}`).join('\n'),
    concurrency: 1,
    noHandleSignals: true,
  });
}
