import { basename } from 'node:path';
import { EMBEDDING_MODEL } from '../vision/encoder/models.ts';
import { importVectors } from '../vision/import-vectors.ts';
import { keepIndexed } from '../vision/nearest-build.ts';
import { keepMeasured } from '../vision/strangers.ts';
import { followBytes, openProgress } from './progress.ts';
import { readVectorFile } from './vector-file.ts';
import { CommandError, withWorld } from './world.ts';

const SHOWN_PROBLEMS = 50;

/** `mintmark import vectors <file>` */
export async function importVectorsCommand(path: string): Promise<void> {
  const entries = readVectorFile(path);
  await withWorld(async ({ db, config }) => {
    const bytes = await followBytes([path]);
    const progress = openProgress('bytes');
    let problems = 0;
    const report = await importVectors(db, entries, {
      onProgress: (rows) => progress.update(`${rows.toLocaleString('en')} vectors`, bytes.done(), bytes.total),
      onProblem: ({ line, message }) => {
        if (problems++ < SHOWN_PROBLEMS) console.error(`${basename(path)}:${line}: ${message}`);
      },
    });
    bytes.end();
    progress.end();
    if (problems > SHOWN_PROBLEMS) console.error(`… and ${problems - SHOWN_PROBLEMS} more like these`);
    const space = { model: EMBEDDING_MODEL, dataDir: config.dataDir };
    await keepIndexed(db, space);
    await keepMeasured(db, space);
    console.log(`rows ${report.rows} = imported ${report.imported} + refused ${report.refused}`);
    if (report.refused > 0) throw new CommandError(`${report.refused} rows were refused`);
  });
}
