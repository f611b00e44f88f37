import { CERT_FORMATS } from '../graded/certs/cert-formats.ts';
import { type CertsReport, importCerts } from '../graded/certs/import-certs.ts';
import { endImport, formatNamed } from './import-outcome.ts';
import { type JsonOption, report } from './output.ts';
import { watchImport } from './progress.ts';
import { withWorld } from './world.ts';

/** `mintmark import certs <format> <path…>` */
export async function importCertsCommand(formatName: string, paths: string[], options: JsonOption): Promise<void> {
  const format = formatNamed(CERT_FORMATS, formatName, 'certs');
  await withWorld(async ({ db, config }) => {
    const watch = await watchImport(paths, 'row', 2);
    const done = await importCerts(db, {
      format,
      paths,
      dataDir: config.dataDir,
      onProgress: watch.update,
      onProblem: ({ path, line, message }) => watch.problem(`${path}:${line}: ${message}`),
    });
    watch.end();
    report(options, done, () => certLines(done));
    endImport({ total: done.rows, used: done.rows - done.rejected, rejected: done.rejected });
  });
}

function certLines(done: CertsReport): string[] {
  const { rows, added, changed, unchanged, repeated, rejected, withoutCard, outsideScale } = done;
  const reasons = Object.entries(withoutCard).sort(([, a], [, b]) => b - a);
  return [
    `rows ${rows} = added ${added} + changed ${changed} + unchanged ${unchanged} + repeated ${repeated} + rejected ${rejected}`,
    `card not known ${reasons.reduce((sum, [, count]) => sum + count, 0)}; grade outside the priced scale ${outsideScale}`,
    ...reasons.map(([reason, count]) => `  ${reason}: ${count}`),
  ];
}
