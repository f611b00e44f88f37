import { type CatalogReport, importCatalog } from '../catalog/import-catalog.ts';
import { CATALOG_FORMATS } from './catalog-formats.ts';
import { endImport, formatNamed } from './import-outcome.ts';
import { deriveShown } from './import-tags.ts';
import { followBytes, openProgress } from './progress.ts';
import { withWorld } from './world.ts';

const SHOWN_PROBLEMS = 50;

/** `mintmark import catalog <format> <path…>` */
export async function importCatalogCommand(formatName: string, paths: string[]): Promise<void> {
  const format = formatNamed(CATALOG_FORMATS, formatName, 'catalog');
  await withWorld(async ({ db }) => {
    const bytes = await followBytes(paths);
    const progress = openProgress('bytes');
    let problems = 0;
    const report = await importCatalog(db, {
      format,
      paths,
      onProgress: ({ records }) =>
        progress.update(`${records.toLocaleString('en')} records`, bytes.done(), bytes.total),
      onProblem: ({ where, message }) => {
        if (problems++ < SHOWN_PROBLEMS) console.error(`${where}: ${message}`);
      },
    });
    bytes.end();
    progress.end();
    if (problems > SHOWN_PROBLEMS) console.error(`… and ${problems - SHOWN_PROBLEMS} more like these`);
    console.log(formatCatalogReport(report));
    await deriveShown(db, { all: false });
    const { records, broken, added, known, joined } = report;
    endImport({ unit: 'records', total: records + broken, used: added + known + joined, rejected: broken });
  });
}

/** The sum an operator can check: records = items + joined + dropped. */
function formatCatalogReport(report: CatalogReport): string {
  const dropped = Object.values(report.dropped).reduce((sum, count) => sum + count, 0);
  const lines = [
    `records ${report.records} = items ${report.added + report.known} (new ${report.added}, known ${report.known}) + joined ${report.joined} + dropped ${dropped}`,
    ...Object.entries(report.dropped).map(([reason, count]) => `  dropped, ${reason}: ${count}`),
    `sets ${report.sets}; broken records ${report.broken}; items no longer listed ${report.removed}`,
  ];
  return lines.join('\n');
}
