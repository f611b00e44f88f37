import type { Db } from '../db/client.ts';
import { importListings, type ListingsReport } from '../sales/crawl/crawled-listings.ts';
import { LISTING_FIELDS } from '../sales/crawl/listing.ts';
import { importRates } from '../sales/currency.ts';
import { ebayOrders } from '../sales/formats/ebay-orders.ts';
import { LISTINGS_FORMATS, SALES_FORMATS } from '../sales/formats/index.ts';
import type { ListingsFormat } from '../sales/formats/listings.ts';
import type { SalesFormat } from '../sales/formats/sales-format.ts';
import { spreadsheetListings, spreadsheetSales } from '../sales/formats/spreadsheet/spreadsheet.ts';
import { firstRows, withoutKeeping } from '../sales/import/dry-run.ts';
import { importSales, type SalesReport } from '../sales/import/import-sales.ts';
import { SALE_FIELDS } from '../sales/sale.ts';
import { type CsvOptions, csvOptions, rejectCsvOptions, showLayout } from './csv-layout.ts';
import { endImport, formatNamed } from './import-outcome.ts';
import { showProblems, watchImport } from './progress.ts';
import { today, withWorld } from './world.ts';

type ImportOptions = CsvOptions & { dryRun?: boolean };

/** `mintmark import sales <format> <path…>` */
export async function importSalesCommand(formatName: string, paths: string[], options: ImportOptions): Promise<void> {
  const { name } = formatNamed(SALES_FORMATS, formatName, 'sales');
  if (name !== 'csv') rejectCsvOptions(options, name);
  await withWorld(async ({ db }) => {
    const format = await salesFormat(db, name, options);
    const { watch, shown } = await watchRows(paths);
    const run = (on: Db) => importSales(on, { format, paths, today: today(), ...shown });
    const report = options.dryRun ? await dryRun(db, run) : await run(db);
    watch.end(formatReport(report), options.dryRun ? '' : REJECTED_LIST);
    const used = report.rows - sumOf(report.rejected);
    endImport({ total: report.rows, used, rejected: watch.problems() });
  });
}

/** `mintmark import listings <format> <path…>` */
export async function importListingsCommand(
  formatName: string,
  paths: string[],
  options: ImportOptions,
): Promise<void> {
  const { name } = formatNamed(LISTINGS_FORMATS, formatName, 'listings');
  if (name !== 'csv') rejectCsvOptions(options, name);
  await withWorld(async ({ db }) => {
    const format = await listingsFormat(db, name, options);
    const { watch, shown } = await watchRows(paths);
    const run = (on: Db) => importListings(on, { format, paths, today: today(), ...shown });
    const report = options.dryRun ? await withoutKeeping(db, run) : await run(db);
    if (options.dryRun) console.log(NOT_KEPT);
    watch.end(formatReport(report), options.dryRun ? '' : REJECTED_LIST);
    endImport({ total: report.rows, used: report.listings, rejected: watch.problems() });
  });
}

async function salesFormat(db: Db, name: string, options: CsvOptions): Promise<SalesFormat> {
  if (name === 'ebay-orders') return ebayOrders(showLayout);
  if (name !== 'csv') return formatNamed(SALES_FORMATS, name, 'sales');
  return spreadsheetSales(await csvOptions(db, options, SALE_FIELDS), showLayout);
}

async function listingsFormat(db: Db, name: string, options: CsvOptions): Promise<ListingsFormat> {
  if (name !== 'csv') return formatNamed(LISTINGS_FORMATS, name, 'listings');
  return spreadsheetListings(await csvOptions(db, options, LISTING_FIELDS), showLayout);
}

const NOT_KEPT = 'Dry run: nothing of this was kept.';
const FIRST_ROWS = 5;

/** Runs an import of which nothing is kept, and prints the first rows of each outcome. */
async function dryRun(db: Db, run: (on: Db) => Promise<SalesReport>): Promise<SalesReport> {
  const { report, rows } = await withoutKeeping(db, async (on) => {
    const done = await run(on);
    return { report: done, rows: await firstRows(on, done.importId, FIRST_ROWS) };
  });
  for (const [outcome, first] of Object.entries(rows))
    for (const { line, text } of first) console.log(`${outcome}, line ${line}: ${text}`);
  console.log(NOT_KEPT);
  return report;
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
