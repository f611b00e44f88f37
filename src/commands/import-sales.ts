import { importListings, type ListingsReport } from '../sales/crawl/crawled-listings.ts';
import { importRates } from '../sales/currency.ts';
import { SALES_FORMATS } from '../sales/formats/index.ts';
import { LISTINGS_FORMATS } from '../sales/formats/listings.ts';
import { importSales, type SalesReport } from '../sales/import/import-sales.ts';
import { endImport, formatNamed } from './import-outcome.ts';
import { openProblems, openProgress } from './progress.ts';
import { today, withWorld } from './world.ts';

/** `mintmark import sales <format> <path…>` */
export async function importSalesCommand(formatName: string, paths: string[]): Promise<void> {
  const format = formatNamed(SALES_FORMATS, formatName, 'sales');
  await withWorld(async ({ db }) => {
    const watch = watchImport();
    const report = await importSales(db, { format, paths, today: today(), ...watch });
    watch.end();
    console.log(formatReport(report));
    const used = report.rows - sumOf(report.rejected);
    endImport({ total: report.rows, used, rejected: watch.problems() });
  });
}

/** `mintmark import listings <format> <path…>` */
export async function importListingsCommand(formatName: string, paths: string[]): Promise<void> {
  const format = formatNamed(LISTINGS_FORMATS, formatName, 'listings');
  await withWorld(async ({ db }) => {
    const watch = watchImport();
    const report = await importListings(db, { format, paths, today: today(), ...watch });
    watch.end();
    console.log(formatReport(report));
    endImport({ total: report.rows, used: report.listings, rejected: watch.problems() });
  });
}

/** `mintmark import rates <csv>` */
export async function importRatesCommand(path: string): Promise<void> {
  await withWorld(async ({ db }) => {
    const { rows, stored, rejected } = await importRates(db, { paths: [path] });
    const problems = openProblems();
    for (const { line, message } of rejected) problems.show(`line ${line}: ${message}`);
    console.log(`rates: rows ${rows}, stored ${stored}, rejected ${rejected.length}`);
    endImport({ total: rows, used: stored, rejected: rejected.length });
  });
}

function watchImport() {
  const progress = openProgress('bytes');
  const problems = openProblems();
  return {
    onProgress: ({ rows, bytes, totalBytes }: { rows: number; bytes: number; totalBytes: number }) =>
      progress.update(`${rows.toLocaleString('en')} rows`, bytes, totalBytes),
    onProblem: ({ path, line, reason, message }: { path: string; line: number; reason: string; message: string }) =>
      problems.show(`${path}:${line}: ${message} (${reason})`),
    /** How many rows could not be read. */
    problems: problems.count,
    end() {
      progress.end();
      problems.end(': mintmark sales rejected lists them');
    },
  };
}

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The sum an operator can check: every row is in it once. */
export function formatReport({ importId: _id, rows, ...counts }: SalesReport | ListingsReport): string {
  const parts: string[] = [];
  const reasons: string[] = [];
  for (const [name, value] of Object.entries(counts)) {
    if (typeof value === 'number') parts.push(`${name} ${value}`);
    else {
      parts.push(`${name} ${sumOf(value)}`);
      for (const [reason, count] of Object.entries(value)) reasons.push(`  ${name}, ${reason}: ${count}`);
    }
  }
  return [`rows ${rows} = ${parts.join(' + ')}`, ...reasons].join('\n');
}
