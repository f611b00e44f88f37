import { type CatalogReport, importCatalog } from '../catalog/import-catalog.ts';
import { CATALOG_FORMATS } from './catalog-formats.ts';
import { endImport, formatNamed } from './import-outcome.ts';
import { deriveWatched, tagLine } from './import-tags.ts';
import { type JsonOption, report } from './output.ts';
import { watchImport } from './progress.ts';
import { withWorld } from './world.ts';

/** `mintmark import catalog <format> <path…>` */
export async function importCatalogCommand(formatName: string, paths: string[], options: JsonOption): Promise<void> {
  const format = formatNamed(CATALOG_FORMATS, formatName, 'catalog');
  await withWorld(async ({ db }) => {
    const watch = await watchImport(paths, 'record');
    const done = await importCatalog(db, {
      format,
      paths,
      onProgress: ({ records }) => watch.update(records),
      onProblem: ({ where, message }) => watch.problem(`${where}: ${message}`),
    });
    watch.end();
    const tags = await deriveWatched(db, { all: false });
    report(options, { ...done, tags }, () => [...catalogLines(done), tagLine(tags)]);
    const { records, broken, added, known, joined } = done;
    endImport({ unit: 'records', total: records + broken, used: added + known + joined, rejected: broken });
  });
}

/** The sum an operator can check: records = items + joined + dropped. */
function catalogLines(report: CatalogReport): string[] {
  const dropped = Object.values(report.dropped).reduce((sum, count) => sum + count, 0);
  return [
    `records ${report.records} = items ${report.added + report.known} (new ${report.added}, known ${report.known}) + joined ${report.joined} + dropped ${dropped}`,
    ...Object.entries(report.dropped).map(([reason, count]) => `  dropped, ${reason}: ${count}`),
    `sets ${report.sets}; broken records ${report.broken}; items no longer listed ${report.removed}`,
  ];
}
