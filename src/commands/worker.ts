import { readSettings } from '../config.ts';
import { patient } from '../db/servers/patient-pool.ts';
import { openValuer } from '../graded/runs/valuer.ts';
import { startJobs } from '../jobs.ts';
import { watchClock } from '../ops/clock-doubt.ts';
import { openSources } from '../sales/sources/open-sources.ts';
import { openTitleBook } from '../sales/titles.ts';
import { bulkOptions } from './bulk.ts';
import { loadSubIndices } from './index-definitions.ts';
import { agreedToday, CommandError, EXIT, firstSignal, withWorld } from './world.ts';

/** A restart of PostgreSQL, or the change to another primary, takes less. */
const DATABASE_WITHIN_MS = 60_000;

/**
 * `mintmark worker`: runs scheduled jobs until it receives a signal to stop, then finishes the one under way. Throws
 * CommandError, before any job, where its clock differs from the database's: jobs are scheduled by the one and due by the
 * other; and after the one under way, where its clock was set back.
 */
export async function workerCommand(): Promise<void> {
  const { config, settings } = readSettings();
  await withWorld(async ({ db, log }) => {
    const clock = Date.now;
    await agreedToday(db, clock);
    const subIndices = loadSubIndices(config);
    const sources = openSources({ db, clock }, config.connections.sources);
    const titles = await openTitleBook(db);
    const backups = config.backups && { ...config.backups, settings: settings.list };
    const bulk = await bulkOptions(config, db);
    const stopping = new AbortController();
    const { signal } = stopping;
    const valuer = await openValuer({ config, db, log, clock, markets: sources.markets, titles });
    const pool = patient(db.openPool(4), DATABASE_WITHIN_MS, signal);
    try {
      const world = { db, log, clock, dataDir: config.dataDir };
      const runner = await startJobs({ ...world, subIndices, sources, titles, backups, bulk, stopping: signal }, pool);
      const end = async () => {
        if (signal.aborted) return;
        stopping.abort();
        await runner.stop();
      };
      void firstSignal().then(end);
      let setBack: string | null = null;
      const unwatch = watchClock(clock, (why) => {
        setBack = why;
        void end();
      });
      log.info('working');
      await runner.promise.finally(unwatch);
      if (setBack !== null) throw new CommandError(setBack, EXIT.usage);
    } finally {
      // Its own jobs would keep a process whose start has failed.
      await valuer.close();
      await pool.end();
    }
  }, config);
}
