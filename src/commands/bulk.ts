import { fingerprintWith, loadPepper, pepperPath } from '../access/pepper.ts';
import { bulkFolder } from '../bulk/bulk-folder.ts';
import { makeBulk } from '../bulk/make-bulk.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import type { JobContext } from '../jobs.ts';
import { counted } from '../lib/counted.ts';
import { type JsonOption, report } from './output.ts';
import { CommandError, EXIT, firstSignal, withWorld } from './world.ts';

/** What the job of a worker makes files with; null where the settings turn it off. */
export async function bulkOptions(config: Config, db: Db): Promise<JobContext['bulk']> {
  if (config.bulk === null) return null;
  return { ...config.bulk, baseUrl: config.baseUrl, sign: fingerprintWith(await loadPepper(db, pepperPath(config))) };
}

/** `mintmark bulk`: makes the files of the last close, unless they are there. */
export async function bulkCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ config, db }) => {
    const bulk = await bulkOptions(config, db);
    if (bulk === null) throw new CommandError('BULK_KEEP is 0: no files are kept', EXIT.usage);
    const stopping = new AbortController();
    void firstSignal().then(() => stopping.abort());
    const folder = bulkFolder(config);
    const made = await makeBulk({ db, clock: Date.now, signal: stopping.signal, folder, ...bulk });
    report(options, made ?? { made: 0 }, () => [
      made === null
        ? 'nothing to make: the files of the last close are there, another process makes them, or no day is closed yet'
        : `${folder}: ${counted(made.made, 'file')} of ${made.day}, ${counted(made.rows, 'row')}, ${(made.bytes / 1e6).toFixed(1)} MB; ${made.kept} unchanged, ${counted(made.dropped, 'old one')} removed`,
    ]);
  });
}
