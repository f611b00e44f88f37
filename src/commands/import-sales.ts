import type { Game } from '../catalog/games.ts';
import type { Db } from '../db/client.ts';
import { counted } from '../lib/counted.ts';
import { formatDay } from '../lib/day.ts';
import { importListings, type ListingsReport } from '../sales/crawl/crawled-listings.ts';
import { LISTING_FIELDS } from '../sales/crawl/listing.ts';
import { importRates } from '../sales/currency.ts';
import { ebayOrders } from '../sales/formats/ebay-orders.ts';
import { LISTINGS_FORMATS, SALES_FORMATS } from '../sales/formats/index.ts';
import type { ListingsFormat } from '../sales/formats/listings.ts';
import type { SalesFormat } from '../sales/formats/sales-format.ts';
import { spreadsheetListings, spreadsheetSales } from '../sales/formats/spreadsheet/spreadsheet.ts';
import { tcgplayerOrders } from '../sales/formats/tcgplayer-orders.ts';
import { firstRows, withoutKeeping } from '../sales/import/dry-run.ts';
import { olderSales } from '../sales/import/first-closes.ts';
import { importSales, type SalesReport } from '../sales/import/import-sales.ts';
import type { OlderSales } from '../sales/import/prepare.ts';
import { SALE_FIELDS } from '../sales/sale.ts';
import { type CsvOptions, csvOptions, rejectCsvOptions, showLayout } from './csv-layout.ts';
import { endImport, formatNamed } from './import-outcome.ts';
import { type JsonOption, report } from './output.ts';
import { showProblems, watchImport } from './progress.ts';
import { today, withWorld } from './world.ts';

type ImportOptions = CsvOptions & JsonOption & { dryRun?: boolean };

/** `mintmark import sales <format> <path…>` */
export async function importSalesCommand(formatName: string, paths: string[], options: ImportOptions): Promise<void> {
  const { name } = formatNamed(SALES_FORMATS, formatName, 'sales');
  if (name !== 'csv') rejectCsvOptions(options, name);
  await withWorld(async ({ db }) => {
    const format = await salesFormat(db, name, options);
    const { watch, shown } = await watchRows(paths);
    const run = async (on: Db) => {
      const done = await importSales(on, { format, paths, today: today(), ...shown, onOlder: sayOlder() });
      return { done, older: await olderSales(on, done.importId) };
    };
    const made = options.dryRun ? await dryRun(db, run) : { ...(await run(db)), firstRows: null };
    const { done, older, firstRows } = made;
    watch.end(options.dryRun ? '' : rejectedList(done.importId));
    const olderOfGames = older.map(({ firstCloseDay, firstSoldDay, ...one }) => ({
      ...{ ...one, firstCloseDay: formatDay(firstCloseDay), firstSoldDay: formatDay(firstSoldDay) },
    }));
    const isPriced =
      options.dryRun === true || done.added === 0 || (await db.query('select 1 from model_state limit 1')).length > 0;
    report(options, { ...done, older: olderOfGames, ...(firstRows && { firstRows }) }, () => [
      ...(firstRows === null ? [] : [...firstRowLines(firstRows), NOT_KEPT]),
      formatReport(done),
      ...olderLines(olderOfGames),
      ...nextSteps(options.dryRun ? { ...done, waiting: {}, rejected: {} } : done, isPriced),
    ]);
    const used = done.rows - sumOf(done.rejected);
    endImport({ total: done.rows, used, rejected: watch.problems(), isKept: !options.dryRun });
  });
}

/** What a person does about the rows of a report that are in no price yet. `isPriced`: a day was closed before. */
function nextSteps({ importId, rejected, waiting }: SalesReport, isPriced: boolean): string[] {
  return [
    ...(rejected.fx_missing
      ? [
          'Without an exchange rate: mintmark import rates <csv>, columns date,currency,usd_per_unit; then import this again.',
        ]
      : []),
    ...(sumOf(rejected) > 0 ? [`Rejected${rejectedList(importId)}, with the reasons.`] : []),
    ...(sumOf(waiting) > 0 ? ['Waiting: mintmark sales unmatched lists each with cards that it may be.'] : []),
    ...(isPriced ? [] : ['Not priced yet: mintmark reprice.']),
  ];
}

/** Says of each game, before the first rows older than its first close are written, what that means. */
function sayOlder(): (ofBatch: ReadonlyMap<Game, OlderSales>) => void {
  const said = new Set<Game>();
  return (ofBatch) => {
    for (const [game, { firstCloseDay }] of ofBatch) {
      if (said.has(game)) continue;
      said.add(game);
      const first = formatDay(firstCloseDay);
      console.error(
        `This file has sales older than the first close of ${game}, ${first}: they move its prices from the next close on; published days stay, and days before ${first} get no price.`,
      );
    }
  };
}

type OlderText = { game: Game; firstCloseDay: string; firstSoldDay: string; sales: number };

function olderLines(older: readonly OlderText[]): string[] {
  if (older.length === 0) return [];
  return [
    ...older.map(
      ({ game, firstCloseDay, firstSoldDay, sales }) =>
        `${counted(sales, 'sale')} of ${game} ${sales === 1 ? 'is' : 'are'} older than its first close, ${firstCloseDay} (the first is of ${firstSoldDay}): ${sales === 1 ? 'it counts' : 'they count'} from the next close on.`,
    ),
    'For prices of those days too, compute all prices from the first sale: mintmark reprice --from-start',
  ];
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
    const done = options.dryRun ? await withoutKeeping(db, run) : await run(db);
    watch.end(options.dryRun ? '' : rejectedList(done.importId));
    report(options, done, () => [...(options.dryRun ? [NOT_KEPT] : []), formatReport(done)]);
    endImport({ total: done.rows, used: done.listings, rejected: watch.problems(), isKept: !options.dryRun });
  });
}

async function salesFormat(db: Db, name: string, options: CsvOptions): Promise<SalesFormat> {
  if (name === 'ebay-orders') return ebayOrders(showLayout);
  if (name === 'tcgplayer-orders') return tcgplayerOrders(showLayout);
  if (name !== 'csv') return formatNamed(SALES_FORMATS, name, 'sales');
  return spreadsheetSales(await csvOptions(db, options, SALE_FIELDS), showLayout);
}

async function listingsFormat(db: Db, name: string, options: CsvOptions): Promise<ListingsFormat> {
  if (name !== 'csv') return formatNamed(LISTINGS_FORMATS, name, 'listings');
  return spreadsheetListings(await csvOptions(db, options, LISTING_FIELDS), showLayout);
}

const NOT_KEPT = 'Dry run: nothing of this was kept.';
const FIRST_ROWS = 5;

/** Runs an import of which nothing is kept, with the first rows of each outcome. */
function dryRun<Made extends { done: SalesReport }>(db: Db, run: (on: Db) => Promise<Made>) {
  return withoutKeeping(db, async (on) => {
    const made = await run(on);
    return { ...made, firstRows: await firstRows(on, made.done.importId, FIRST_ROWS) };
  });
}

function firstRowLines(rows: Awaited<ReturnType<typeof firstRows>>): string[] {
  return Object.entries(rows).flatMap(([outcome, first]) =>
    first.map(({ line, text }) => `${outcome}${line === null ? '' : `, line ${line}`}: ${text}`),
  );
}

/** `mintmark import rates <csv>` */
export async function importRatesCommand(path: string, options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    const { rows, stored, rejected } = await importRates(db, { paths: [path] });
    showProblems(rejected.map(({ line, message }) => `${path}:${line}: ${message}`));
    report(options, { rows, stored, rejected }, () => [
      `rates: rows ${rows}, stored ${stored}, rejected ${rejected.length}`,
    ]);
    endImport({ total: rows, used: stored, rejected: rejected.length });
  });
}

const rejectedList = (importId: number) => `: mintmark sales rejected --import ${importId} lists them`;

type RowProblem = { path: string; line: number; reason: string; message: string };

async function watchRows(paths: readonly string[]) {
  const watch = await watchImport(paths, 'row');
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
