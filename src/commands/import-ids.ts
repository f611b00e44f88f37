import { importIds } from '../catalog/import-ids.ts';
import { endImport } from './import-outcome.ts';
import { type JsonOption, report } from './output.ts';
import { watchImport } from './progress.ts';
import { withWorld } from './world.ts';

/** `mintmark import ids <csv>` */
export async function importIdsCommand(path: string, options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    const watch = await watchImport([path], 'row');
    const { rows, stored, cleared, shared, problems } = await importIds(db, path, watch.update);
    for (const { line, message } of problems) watch.problem(`${path}:${line}: ${message}`);
    const rejected = problems.length;
    watch.end();
    report(options, { rows, stored, cleared, shared, rejected }, () => [
      `rows ${rows} = stored ${stored} + cleared ${cleared} + rejected ${rejected}`,
      ...(shared.length === 0
        ? []
        : [`ids that several items have: ${shared.length} (${shared.slice(0, 5).join(', ')})`]),
    ]);
    endImport({ total: rows, used: rows - rejected, rejected });
  });
}
