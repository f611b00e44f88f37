import { readSettings } from '../config.ts';
import { openValuer } from '../graded/runs/valuer.ts';
import { startJobs } from '../jobs.ts';
import { openSources } from '../sales/sources/open-sources.ts';
import { openTitleBook } from '../sales/titles.ts';
import { bulkOptions } from './bulk.ts';
import { loadSubIndices } from './index-definitions.ts';
import { firstSignal, withWorld } from './world.ts';

/** `mintmark worker`: runs scheduled jobs until it receives a signal to stop, then finishes the one under way. */
export async function workerCommand(): Promise<void> {
  const { config, settings } = readSettings();
  await withWorld(async ({ db, log }) => {
    const clock = Date.now;
    const subIndices = loadSubIndices(config);
    const sources = openSources({ db, clock }, config.connections.sources);
    const titles = await openTitleBook(db);
    const valuer = await openValuer({ config, db, log, clock, markets: sources.markets, titles });
    const backups = config.backups && { ...config.backups, settings: settings.list };
    const bulk = await bulkOptions(config, db);
    const stopping = new AbortController();
    const pool = db.openPool(4);
    const runner = await startJobs(
      {
        db,
        log,
        clock,
        dataDir: config.dataDir,
        subIndices,
        sources,
        titles,
        backups,
        bulk,
        stopping: stopping.signal,
      },
      pool,
    );
    void firstSignal().then(() => {
      stopping.abort();
      return runner.stop();
    });
    log.info('working');
    await runner.promise;
    await valuer.close();
    await pool.end();
  }, config);
}
