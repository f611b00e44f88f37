import { importPopulation } from '../items/population/import-population.ts';
import { endImport } from './import-outcome.ts';
import { type JsonOption, report } from './output.ts';
import { watchImport } from './progress.ts';
import { withWorld } from './world.ts';

/** `mintmark import population <csv>` */
export async function importPopulationCommand(path: string, options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    const watch = await watchImport([path], 'row');
    const done = await importPopulation(db, path, { nowMs: Date.now(), onProgress: watch.update });
    const { rows, stored, unchanged, problems } = done;
    for (const { line, message } of problems) watch.problem(`${path}:${line}: ${message}`);
    const rejected = problems.length;
    watch.end();
    report(options, { rows, stored, unchanged, rejected }, () => [
      `rows ${rows} = stored ${stored} + unchanged ${unchanged} + rejected ${rejected}`,
    ]);
    endImport({ total: rows, used: rows - rejected, rejected });
  });
}
