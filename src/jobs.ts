import { type Runner, run, type TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { dropOldBlocks } from './access/quota-blocks.ts';
import { runAudit } from './audit/run-audit.ts';
import { backUpOnSchedule, type ScheduledBackups } from './backup/scheduled.ts';
import { bulkFolder } from './bulk/bulk-folder.ts';
import { makeBulk } from './bulk/make-bulk.ts';
import type { Db } from './db/client.ts';
import { freeDeadWorkers, holdWorkers } from './db/jobs/dead-workers.ts';
import { runnerLogger } from './db/jobs/runner-logger.ts';
import { dropOldMisses } from './graded/certs/keep.ts';
import { closeIndices } from './indices/close/close.ts';
import type { IndexDefinition } from './indices/definitions.ts';
import { forgetOld } from './intake/idempotency.ts';
import { dropDecided } from './intake/queue.ts';
import { dayOf, formatDay } from './lib/day.ts';
import type { Fingerprint } from './lib/fingerprint.ts';
import { closable } from './pricing/closable.ts';
import { reprice } from './pricing/reprice.ts';
import { upgradePrices } from './pricing/upgrade.ts';
import { dropOldCrawledRows } from './sales/crawl/crawl.ts';
import { crawlTracked, trackSeries } from './sales/crawl/crawl-tracked.ts';
import { rematch } from './sales/import/waiting.ts';
import type { Sources } from './sales/sources/open-sources.ts';
import type { TitleBook } from './sales/titles.ts';
import { updateCatalogVectors } from './vision/catalog-vectors.ts';

/** What a job works with. */
export type JobContext = {
  db: Db;
  log: Logger;
  clock: () => number;
  /** The data folder: pictures, models, bulk files and secrets. */
  dataDir: string;
  subIndices: readonly IndexDefinition[];
  sources: Sources;
  titles: TitleBook;
  /** Null: none are made. */
  backups: ScheduledBackups | null;
  /** Null: none are made. */
  bulk: { keep: number; months: number; baseUrl: string; sign: Fingerprint } | null;
  /** The worker is stopping: a job that can end early does. */
  stopping: AbortSignal;
};

/** A worker that lives may be without its name for half a minute: PgBouncer waits 15 seconds after PostgreSQL was away. */
const SWEEP = { everyMs: 10_000, looks: 6 };
/** A step ends before the next one is due. */
const CRAWL_STEP_MS = 40_000;

type Job = {
  name: string;
  /** Cron, UTC; null where the settings turn the job off. */
  schedule: string | ((context: JobContext) => string | null);
  run(context: JobContext): Promise<void>;
};

/** What runs by itself: name, schedule, function. */
export const JOBS: readonly Job[] = [
  {
    name: 'close_days',
    // Some minutes after midnight, so that sales of the last minute have arrived.
    schedule: '10 0 * * *',
    async run({ db, log, clock, subIndices }) {
      const today = dayOf(clock());
      const { through, doubt } = await closable(db, today);
      if (doubt !== null) return log.error({ doubt }, 'days not closed');
      // Sales dated ahead whose day has come, and those whose card the catalog knows by now.
      const { added } = await rematch(db, { today });
      const past = await upgradePrices(db);
      if (past !== null) log.info(past, 'prices computed again by a newer version of the model');
      const { days, sales } = await reprice(db, { through, clock });
      const { levels } = await closeIndices(db, { through, subIndices });
      log.info({ through: formatDay(through), added, days, sales, levels }, 'days closed');
    },
  },
  {
    name: 'audit_identities',
    // After the close, with whose sales it compares.
    schedule: '40 1 * * *',
    async run({ db, log }) {
      log.info(await runAudit(db), 'identities audited');
    },
  },
  {
    name: 'track_series',
    schedule: '40 */6 * * *',
    async run({ db, log, clock, sources }) {
      if (sources.markets.length > 0) log.info({ series: await trackSeries(db, dayOf(clock())) }, 'series tracked');
    },
  },
  {
    name: 'crawl',
    schedule: '* * * * *',
    async run({ db, log, clock, sources: { markets }, titles, stopping }) {
      const context = { db, log, clock, markets, titles };
      const { series, added } = await crawlTracked(context, stopping, CRAWL_STEP_MS);
      if (series > 0) log.info({ series, added }, 'series crawled');
    },
  },
  {
    name: 'read_folders',
    schedule: '* * * * *',
    async run({ db, log, clock, sources: { folders } }) {
      for (const folder of folders) {
        const { imported, rejected, unreadable } = await folder.importNew(db, clock());
        for (const file of imported) log.info({ folder: folder.id, ...file }, 'file imported');
        for (const file of rejected) log.warn({ folder: folder.id, ...file }, 'file rejected');
        if (unreadable !== null) log.warn({ folder: folder.id, unreadable }, 'folder not read');
      }
    },
  },
  {
    name: 'describe_pictures',
    schedule: '* * * * *',
    async run({ db, log, dataDir, stopping }) {
      for (const { model, report } of await updateCatalogVectors(db, { dataDir, signal: stopping })) {
        const { unreadable, ...counts } = report;
        if (counts.made + counts.copied + counts.dropped > 0)
          log.info({ model, ...counts, unreadable: unreadable.length }, 'pictures described');
      }
    },
  },
  {
    name: 'back_up',
    schedule: ({ backups }) => (backups === null ? null : `${backups.minute} ${backups.hour} * * *`),
    async run({ db, log, clock, dataDir, backups, stopping }) {
      await backUpOnSchedule({ db, log, clock, dataDir, signal: stopping }, backups!);
    },
  },
  {
    name: 'make_bulk_files',
    // It makes those of a close once, whenever that ran.
    schedule: ({ bulk }) => (bulk === null ? null : '*/10 * * * *'),
    async run({ db, log, clock, dataDir, bulk, stopping }) {
      const made = await makeBulk({ db, clock, signal: stopping, folder: bulkFolder({ dataDir }), ...bulk! });
      if (made !== null) log.info(made, 'bulk files made');
    },
  },
  dropping('old answers that a cert has no price', 'drop_old_misses', '15 * * * *', dropOldMisses),
  dropping('decided forms', 'drop_old_forms', '20 0 * * *', async (db, nowMs) => {
    await forgetOld(db, nowMs);
    return dropDecided(db, nowMs);
  }),
  dropping('old budgets', 'drop_old_blocks', '30 0 * * *', dropOldBlocks),
  dropping('old unreadable rows', 'drop_old_crawled_rows', '50 0 * * *', dropOldCrawledRows),
];

/** A job that deletes rows which need not be kept; `drop` returns how many. */
function dropping(rows: string, name: string, schedule: string, drop: (db: Db, nowMs: number) => Promise<number>): Job {
  return {
    name,
    schedule,
    async run({ db, log, clock }) {
      log.info({ dropped: await drop(db, clock()) }, `${rows} dropped`);
    },
  };
}

/**
 * A worker whose clock was ahead has recorded runs of days to come, and none runs again before them. Takes these records back,
 * so that what was due in the last day is caught up.
 */
async function forgetRunsAhead({ db }: JobContext): Promise<void> {
  const [row] = await db.query<{ known: string | null }>(
    `select to_regclass('graphile_worker._private_known_crontabs')::text as known`,
  );
  if (row!.known === null) return;
  await db.query(
    `update graphile_worker._private_known_crontabs
     set known_since = least(known_since, now() - interval '1 day'), last_execution = now() - interval '1 day'
     where greatest(known_since, last_execution) > now() + interval '5 minutes'`,
  );
}

/** After 00:10 UTC all days before are to be closed. */
const CLOSE_AFTER_MS = 10 * 60_000;

/**
 * Closes missed days at once. The schedule catches up only on the last day, and only in a queue that it has run in before: not
 * in that of a restored installation. The first close of an installation is left to it.
 */
async function closeMissed({ db, clock }: JobContext, { addJob }: Runner): Promise<void> {
  const { through } = await closable(db, dayOf(clock() - CLOSE_AFTER_MS));
  const [row] = await db.query<{ closed_day: number }>('select closed_day from model_state');
  if (row !== undefined && row.closed_day < through) await addJob('close_days', {}, { jobKey: 'close_days' });
}

/** Starts the worker on its own pool; a job missed while nothing ran is caught up within a day. */
export async function startJobs(context: JobContext, pgPool: Pool): Promise<Runner> {
  await forgetRunsAhead(context);
  const due = JOBS.flatMap((job) => {
    const schedule = typeof job.schedule === 'string' ? job.schedule : job.schedule(context);
    return schedule === null ? [] : [{ ...job, schedule }];
  });
  // A job that is off is left to workers whose settings turn it on.
  const taskList: TaskList = Object.fromEntries(due.map((job) => [job.name, () => job.run(context)]));
  const runner = await run({
    pgPool,
    events: holdWorkers(context.db),
    taskList,
    crontab: due
      .map(({ name, schedule }) => {
        // What runs every minute has nothing to catch up.
        const missed = schedule.startsWith('*') ? '' : 'fill=1d&';
        return `${schedule} ${name} ?${missed}jobKey=${name}`;
      })
      .join('\n'),
    // A crawl waits for others most of its time: what is due besides does not wait for it.
    concurrency: 3,
    noHandleSignals: true,
    logger: runnerLogger(context),
  });
  await closeMissed(context, runner);
  const sweep = freeDeadWorkers(context, { tasks: Object.keys(taskList), ...SWEEP });
  runner.promise.then(sweep.stop, sweep.stop);
  return runner;
}
