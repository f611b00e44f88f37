import { importUpstream } from '../catalog/upstream.ts';
import { endImport } from './import-outcome.ts';
import { openProgress } from './progress.ts';
import { withWorld } from './world.ts';

const SHOWN_PROBLEMS = 50;

/** `mintmark import upstream <csv>` */
export async function importUpstreamCommand(path: string): Promise<void> {
  await withWorld(async ({ db }) => {
    const progress = openProgress('rows');
    const report = await importUpstream(db, path, (rows) => progress.update('mapping', rows, null));
    progress.end();
    for (const problem of report.problems.slice(0, SHOWN_PROBLEMS))
      console.error(`line ${problem.line}: ${problem.message}`);
    console.log(
      `rows ${report.rows} = mapped ${report.mapped} + unchanged ${report.unchanged} + rejected ${report.problems.length}`,
    );
    const rejected = report.problems.length;
    endImport({ total: report.rows, used: report.rows - rejected, rejected });
  });
}
