import { updateCatalogVectors } from '../vision/catalog-vectors.ts';
import { UnusableModel } from '../vision/encoder/session.ts';
import { countVectors } from '../vision/vectors/stored-vectors.ts';
import { openProblems, openProgress } from './progress.ts';
import { CommandError, EXIT, withWorld } from './world.ts';

/** `mintmark vectors` */
export async function vectorsCommand(): Promise<void> {
  await withWorld(async ({ db, config }) => {
    const progress = openProgress('pictures');
    const options = { dataDir: config.dataDir, onProgress: progress.update };
    const reports = await updateCatalogVectors(db, options).catch((error: Error) => {
      throw error instanceof UnusableModel ? new CommandError(`the encoder: ${error.message}`) : error;
    });
    progress.end();
    const unreadable = reports.flatMap(({ report }) => report.unreadable);
    const problems = openProblems();
    for (const { hash, message } of unreadable) problems.show(`picture ${hash}: ${message}`);
    problems.end();
    const counts = await countVectors(db);
    for (const { model, report } of reports) {
      const { made, copied, dropped } = report;
      console.log(
        `${model}: pictures ${made}, items with a known picture ${copied}, gone ${dropped}; vectors now ${counts.get(model) ?? 0}`,
      );
    }
    if (unreadable.length > 0)
      throw new CommandError(`${unreadable.length} pictures cannot be read; import them again`, EXIT.incomplete);
  });
}
