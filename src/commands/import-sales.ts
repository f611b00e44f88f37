import { importRates } from '../sales/currency.ts';
import { LISTINGS_FORMATS, SALES_FORMATS } from '../sales/formats/index.ts';
import { importSales, type SalesReport } from '../sales/import.ts';
import { importListings, type ListingsReport } from '../sales/listings.ts';
import { openProgress } from './progress.ts';
import { CommandError, today, withWorld } from './world.ts';

const SHOWN_PROBLEMS = 50;

/** `mintmark import sales <format> <path…>` */
export async function importSalesCommand(formatName: string, paths: string[]): Promise<void> {
  const format = SALES_FORMATS.find(({ name }) => name === formatName);
  if (format === undefined)
    throw new CommandError(`there is no sales format "${formatName}"; see mintmark import sales --help`);
  await withWorld(async ({ db }) => {
    const watch = watchImport();
    const report = await importSales(db, { format, paths, today: today(), ...watch });
    watch.end();
    console.log(formatReport(report));
    if (report.rows === 0) throw new CommandError('nothing was imported: the files hold no rows');
  });
}

/** `mintmark import listings <format> <path…>` */
export async function importListingsCommand(formatName: string, paths: string[]): Promise<void> {
  const format = LISTINGS_FORMATS.find(({ name }) => name === formatName);
  if (format === undefined)
    throw new CommandError(`there is no listings format "${formatName}"; see mintmark import listings --help`);
  await withWorld(async ({ db }) => {
    const watch = watchImport();
    const report = await importListings(db, { format, paths, today: today(), ...watch });
    watch.end();
    console.log(formatReport(report));
  });
}

/** `mintmark import rates <csv>` */
export async function importRatesCommand(path: string): Promise<void> {
  await withWorld(async ({ db }) => {
    const { rows, stored, refused } = await importRates(db, { paths: [path] });
    for (const { line, message } of refused.slice(0, SHOWN_PROBLEMS)) console.error(`line ${line}: ${message}`);
    console.log(`rates: rows ${rows}, stored ${stored}, refused ${refused.length}`);
    if (refused.length > 0) throw new CommandError(`${refused.length} rows were refused`);
  });
}

function watchImport() {
  const progress = openProgress('bytes');
  let problems = 0;
  return {
    onProgress: ({ rows, bytes, totalBytes }: { rows: number; bytes: number; totalBytes: number }) =>
      progress.update(`${rows.toLocaleString('en')} rows`, bytes, totalBytes),
    onProblem: ({ path, line, reason, message }: { path: string; line: number; reason: string; message: string }) => {
      if (problems++ < SHOWN_PROBLEMS) console.error(`${path}:${line}: ${message} (${reason})`);
    },
    end() {
      progress.end();
      if (problems > SHOWN_PROBLEMS)
        console.error(`… and ${problems - SHOWN_PROBLEMS} more; they are kept with their lines in refused_rows`);
    },
  };
}

/** The sum an operator can check: every row is in it once. */
export function formatReport({ importId: _id, rows, ...counts }: SalesReport | ListingsReport): string {
  const parts: string[] = [];
  const reasons: string[] = [];
  for (const [name, value] of Object.entries(counts)) {
    if (typeof value === 'number') parts.push(`${name} ${value}`);
    else {
      parts.push(`${name} ${Object.values(value).reduce((sum, count) => sum + count, 0)}`);
      for (const [reason, count] of Object.entries(value)) reasons.push(`  ${name}, ${reason}: ${count}`);
    }
  }
  return [`rows ${rows} = ${parts.join(' + ')}`, ...reasons].join('\n');
}
