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
import { admitRated } from '../sales/import/admit-rated.ts';
import { firstRows, withoutKeeping } from '../sales/import/dry-run.ts';
import { lateSales, olderSales } from '../sales/import/first-closes.ts';
import type { SameSale } from '../sales/import/import-files.ts';
import { importSales, type SalesReport } from '../sales/import/import-sales.ts';
import type { OlderSales } from '../sales/import/prepare.ts';
import { SALE_FIELDS } from '../sales/sale.ts';
import { cutOffBefore } from '../sales/undoing/imports.ts';
import { type CsvOptions, csvOptions, rejectCsvOptions, showLayout } from './csv-layout.ts';
import { endImport, formatNamed } from './import-outcome.ts';
import { cutOffWords } from './imports.ts';
import { type JsonOption, report } from './output.ts';
import { showProblems, watchImport } from './progress.ts';
import { agreedToday, withWorld } from './world.ts';

type ImportOptions = CsvOptions & JsonOption & { dryRun?: boolean };

/** `mintmark import sales <format> <path…>` */
export async function importSalesCommand(formatName: string, paths: string[], options: ImportOptions): Promise<void> {
  const { name } = formatNamed(SALES_FORMATS, formatName, 'sales');
  if (name !== 'csv') rejectCsvOptions(options, name);
  await withWorld(async ({ db }) => {
    let orderRows = 0;
    const format = await salesFormat(db, name, options, () => void orderRows++);
    const { watch, shown } = await watchRows(paths);
    const sameSales: SameSale[] = [];
    const onSameSale = (row: SameSale) => void sameSales.push(row);
    const today = await agreedToday(db);
    const run = async (on: Db) => {
      const done = await importSales(on, { format, paths, today, ...shown, onSameSale, onOlder: sayOlder() });
      return { done, older: await olderSales(on, done.importId), late: await lateSales(on, done.importId) };
    };
    const made = options.dryRun ? await dryRun(db, run) : { ...(await run(db)), firstRows: null };
    const { done, older, late, firstRows } = made;
    watch.end(options.dryRun ? '' : rejectedList(done.importId));
    const olderOfGames = older.map(({ firstCloseDay, firstSoldDay, ...one }) => ({
      ...{ ...one, firstCloseDay: formatDay(firstCloseDay), firstSoldDay: formatDay(firstSoldDay) },
    }));
    const lateOfGames = late.map(({ firstSoldDay, ...one }) => ({ ...one, firstSoldDay: formatDay(firstSoldDay) }));
    const cutOff = options.dryRun ? [] : await cutOffBefore(db, done.importId);
    const isPriced =
      options.dryRun === true || done.added === 0 || (await db.query('select 1 from model_state limit 1')).length > 0;
    report(
      options,
      {
        ...done,
        orderRows,
        sameSales,
        older: olderOfGames,
        late: lateOfGames,
        cutOff,
        ...(firstRows && { firstRows }),
      },
      () => [
        ...(firstRows === null ? [] : [...firstRowLines(firstRows), NOT_KEPT]),
        formatReport(done),
        ...(orderRows === 0
          ? []
          : [`Left out: ${counted(orderRows, 'row')} of whole orders; the items of each have rows of their own.`]),
        ...sameLines(sameSales),
        ...olderLines(olderOfGames),
        ...lateLines(lateOfGames),
        ...nextSteps(options.dryRun ? { ...done, waiting: {}, rejected: {} } : done, isPriced),
        ...(options.dryRun || watch.problems() >= done.rows
          ? []
          : [`Import ${done.importId}: mintmark imports undo ${done.importId} takes it back.`]),
        ...cutOff.map(cutOffWords),
      ],
    );
    const used = done.rows - sumOf(done.rejected);
    endImport({ total: done.rows, used, rejected: watch.problems(), isKept: !options.dryRun });
  });
}

const SHOWN_SAME = 20;

/** Names the lines of a file that state a sale of an earlier line once more. */
function sameLines(rows: readonly SameSale[]): string[] {
  const lines = rows
    .slice(0, SHOWN_SAME)
    .map(({ path, line, sameAsLine }) => `  ${path}:${line} is the sale of line ${sameAsLine}`);
  if (rows.length > SHOWN_SAME) lines.push(`  … and ${rows.length - SHOWN_SAME} more`);
  return rows.length === 0
    ? []
    : ['Counted once: equal lines. If they were different copies, give each an id of its own.', ...lines];
}

const NO_RATE = 'Without an exchange rate: mintmark import rates <csv>, columns date,currency,usd_per_unit.';

/** What a person does about the rows of a report that are in no price yet. `isPriced`: a day was closed before. */
function nextSteps({ importId, rejected, waiting }: SalesReport, isPriced: boolean): string[] {
  return [
    ...(rejected.fx_missing ? [`${NO_RATE} Sales that lack only a rate enter with it.`] : []),
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
        `This file has sales older than the first close of ${game}, ${first}: they move its prices from now on; published days stay, and days before ${first} get no price.`,
      );
    }
  };
}

function lateLines(late: readonly { game: Game; firstSoldDay: string; sales: number }[]): string[] {
  return late.map(({ game, firstSoldDay, sales }) => {
    const [are, they] = sales === 1 ? ['is', 'it counts'] : ['are', 'they count'];
    return `${counted(sales, 'sale')} of ${game} ${are} of days that are closed (the first is of ${firstSoldDay}): ${they} from now on; published days stay, in charts too.`;
  });
}

type OlderText = { game: Game; firstCloseDay: string; firstSoldDay: string; sales: number };

function olderLines(older: readonly OlderText[]): string[] {
  if (older.length === 0) return [];
  return [
    ...older.map(
      ({ game, firstCloseDay, firstSoldDay, sales }) =>
        `${counted(sales, 'sale')} of ${game} ${sales === 1 ? 'is' : 'are'} older than its first close, ${firstCloseDay} (the first is of ${firstSoldDay}): ${sales === 1 ? 'it counts from now on, and changes' : 'they count from now on, and change'} no published day.`,
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
    const today = await agreedToday(db);
    const run = (on: Db) => importListings(on, { format, paths, today, ...shown });
    const done = options.dryRun ? await withoutKeeping(db, run) : await run(db);
    watch.end(options.dryRun ? '' : rejectedList(done.importId));
    report(options, done, () => [
      ...(options.dryRun ? [NOT_KEPT] : []),
      formatReport(done),
      ...(done.rejected.fx_missing ? [`${NO_RATE} Then import this file again.`] : []),
    ]);
    endImport({ total: done.rows, used: done.listings, rejected: watch.problems(), isKept: !options.dryRun });
  });
}

async function salesFormat(db: Db, name: string, options: CsvOptions, onOrderRow: () => void): Promise<SalesFormat> {
  if (name === 'ebay-orders') return ebayOrders(showLayout, onOrderRow);
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
    const sales = stored === 0 ? null : await admitRated(db, { today: await agreedToday(db) });
    report(options, { rows, stored, rejected, sales }, () => [
      `rates: rows ${rows}, stored ${stored}, rejected ${rejected.length}`,
      ...(sales === null ? [] : [`sales that lacked a rate: ${formatReport(sales)}`]),
    ]);
    endImport({ total: rows, used: stored, rejected: rejected.length });
  });
}

const rejectedList = (importId: number) => `: mintmark sales rejected --import ${importId} lists them`;

type RowProblem = { path: string; line: number; reason: string; message: string };

async function watchRows(paths: readonly string[]) {
  const watch = await watchImport(paths, 'row');
  const shown = {
    onProgress: watch.update,
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
