import { basename } from 'node:path';
import { EMBEDDING_MODEL } from '../vision/encoder/models.ts';
import { importVectors } from '../vision/import-vectors.ts';
import { keepMeasured } from '../vision/impostors.ts';
import { endImport } from './import-outcome.ts';
import { followBytes, openProgress } from './progress.ts';
import { readVectorFile } from './vector-file.ts';
import { withWorld } from './world.ts';

const SHOWN_PROBLEMS = 50;

/** `mintmark import vectors <file>` */
export async function importVectorsCommand(path: string): Promise<void> {
  const entries = readVectorFile(path);
  await withWorld(async ({ db }) => {
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
    await keepMeasured(db, EMBEDDING_MODEL);
    console.log(`rows ${report.rows} = imported ${report.imported} + rejected ${report.refused}`);
    endImport({ total: report.rows, used: report.imported, rejected: report.refused });
  });
}
