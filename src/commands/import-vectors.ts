import { basename } from 'node:path';
import { EMBEDDING_MODEL } from '../vision/encoder/models.ts';
import { importVectors } from '../vision/import-vectors.ts';
import { keepMeasured } from '../vision/impostors.ts';
import { endImport } from './import-outcome.ts';
import { type JsonOption, report } from './output.ts';
import { watchImport } from './progress.ts';
import { readVectorFile } from './vector-file.ts';
import { withWorld } from './world.ts';

/** `mintmark import vectors <file>` */
export async function importVectorsCommand(path: string, options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    const watch = await watchImport([path], 'vector');
    const { rows, imported, rejected } = await importVectors(db, readVectorFile(path), {
      onProgress: watch.update,
      onProblem: ({ line, message }) => watch.problem(`${basename(path)}:${line}: ${message}`),
    });
    await keepMeasured(db, EMBEDDING_MODEL);
    watch.end();
    report(options, { rows, imported, rejected }, () => [`rows ${rows} = imported ${imported} + rejected ${rejected}`]);
    endImport({ total: rows, used: imported, rejected });
  });
}
