import { basename } from 'node:path';
import { EMBEDDING_MODEL } from '../vision/encoder/models.ts';
import { importVectors } from '../vision/import-vectors.ts';
import { keepMeasured } from '../vision/impostors.ts';
import { endImport } from './import-outcome.ts';
import { followFiles, openProblems } from './progress.ts';
import { readVectorFile } from './vector-file.ts';
import { withWorld } from './world.ts';

/** `mintmark import vectors <file>` */
export async function importVectorsCommand(path: string): Promise<void> {
  const entries = readVectorFile(path);
  await withWorld(async ({ db }) => {
    const progress = await followFiles([path], 'vectors');
    const problems = openProblems();
    const report = await importVectors(db, entries, {
      onProgress: progress.update,
      onProblem: ({ line, message }) => problems.show(`${basename(path)}:${line}: ${message}`),
    });
    progress.end();
    problems.end();
    await keepMeasured(db, EMBEDDING_MODEL);
    console.log(`rows ${report.rows} = imported ${report.imported} + rejected ${report.rejected}`);
    endImport({ total: report.rows, used: report.imported, rejected: report.rejected });
  });
}
