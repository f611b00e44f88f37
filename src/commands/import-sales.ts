import { importListings, type ListingsReport } from '../sales/crawl/crawled-listings.ts';
import { importRates } from '../sales/currency.ts';
import { SALES_FORMATS } from '../sales/formats/index.ts';
import { LISTINGS_FORMATS } from '../sales/formats/listings.ts';
import { importSales, type SalesReport } from '../sales/import/import-sales.ts';
import { endImport, formatNamed } from './import-outcome.ts';
import { showProblems, watchImport } from './progress.ts';
import { today, withWorld } from './world.ts';

/** `mintmark import sales <format> <path…>` */
export async function importSalesCommand(formatName: string, paths: string[]): Promise<void> {
  const format = formatNamed(SALES_FORMATS, formatName, 'sales');
  await withWorld(async ({ db }) => {
    const { watch, shown } = await watchRows(paths);
    const report = await importSales(db, { format, paths, today: today(), ...shown });
    watch.end(formatReport(report), REJECTED_LIST);
    const used = report.rows - sumOf(report.rejected);
    endImport({ total: report.rows, used, rejected: watch.problems() });
  });
}

/** `mintmark import listings <format> <path…>` */
export async function importListingsCommand(formatName: string, paths: string[]): Promise<void> {
  const format = formatNamed(LISTINGS_FORMATS, formatName, 'listings');
  await withWorld(async ({ db }) => {
    const { watch, shown } = await watchRows(paths);
    const report = await importListings(db, { format, paths, today: today(), ...shown });
    watch.end(formatReport(report), REJECTED_LIST);
    endImport({ total: report.rows, used: report.listings, rejected: watch.problems() });
  });
}

/** `mintmark import rates <csv>` */
export async function importRatesCommand(path: string): Promise<void> {
  await withWorld(async ({ db }) => {
    const { rows, stored, rejected } = await importRates(db, { paths: [path] });
    showProblems(rejected.map(({ line, message }) => `line ${line}: ${message}`));
    console.log(`rates: rows ${rows}, stored ${stored}, rejected ${rejected.length}`);
    endImport({ total: rows, used: stored, rejected: rejected.length });
  });
}

const REJECTED_LIST = ': mintmark sales rejected lists them';

type RowProblem = { path: string; line: number; reason: string; message: string };

async function watchRows(paths: readonly string[]) {
  const watch = await watchImport(paths, 'rows');
  const shown = {
    onProgress: ({ rows }: { rows: number }) => watch.update(rows),
    onProblem: ({ path, line, reason, message }: RowProblem) =>
      watch.problem(`${path}:${line}: ${message} (${reason})`),
  };
  return { watch, shown };
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
