import { importUpstream } from '../catalog/upstream.ts';
import { endImport } from './import-outcome.ts';
import { openProblems, openProgress } from './progress.ts';
import { withWorld } from './world.ts';

/** `mintmark import upstream <csv>` */
export async function importUpstreamCommand(path: string): Promise<void> {
  await withWorld(async ({ db }) => {
    const progress = openProgress('rows');
    const report = await importUpstream(db, path, (rows) => progress.update('mapping', rows, null));
    progress.end();
    const shown = openProblems();
    for (const { line, message } of report.problems) shown.show(`line ${line}: ${message}`);
    console.log(
      `rows ${report.rows} = mapped ${report.mapped} + unchanged ${report.unchanged} + rejected ${report.problems.length}`,
    );
    const rejected = report.problems.length;
    endImport({ total: report.rows, used: report.rows - rejected, rejected });
  });
}
