import { importUpstream } from '../catalog/upstream.ts';
import { endImport } from './import-outcome.ts';
import { type JsonOption, report } from './output.ts';
import { watchImport } from './progress.ts';
import { withWorld } from './world.ts';

/** `mintmark import upstream <csv>` */
export async function importUpstreamCommand(path: string, options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    const watch = await watchImport([path], 'row');
    const { rows, mapped, unchanged, problems } = await importUpstream(db, path, watch.update);
    for (const { line, message } of problems) watch.problem(`${path}:${line}: ${message}`);
    const rejected = problems.length;
    watch.end();
    report(options, { rows, mapped, unchanged, rejected }, () => [
      `rows ${rows} = mapped ${mapped} + unchanged ${unchanged} + rejected ${rejected}`,
    ]);
    endImport({ total: rows, used: rows - rejected, rejected });
  });
}
