import { readCsv } from '../catalog/formats/csv.ts';
import { UnreadableFile } from '../catalog/formats/files.ts';
import type { Db } from '../db/client.ts';
import { parseDay } from '../lib/day.ts';
import type { VenueClass } from './model/params.ts';

/** Where a backtest's sales come from: the ledger, or a file. */

/** A sale to be forecast. Without a set, game, venue or source all sales share one. */
export type BacktestSale = {
  item: string;
  company: string;
  grade: string;
  /** The day it became known, which is the day it was sold where nothing else is stated. */
  day: number;
  priceUsd: number;
  soldDay?: number;
  game?: string;
  set?: string;
  /** Of the set's release. */
  setYear?: number | null;
  venue?: VenueClass;
  source?: string;
};

const PAGE = 50_000;

/** Every accepted sale of the ledger that is not voided, in order of id, on the day the model would take it in. */
export async function* ledgerSales(db: Db): AsyncGenerator<BacktestSale> {
  let after = 0;
  for (;;) {
    const rows = await db.query<{ id: number; venue: VenueClass; cents: number } & Omit<BacktestSale, 'priceUsd'>>(
      `select s.id, s.item_id as item, s.company, s.grade, greatest(s.known_day, s.sold_day) as day,
         s.sold_day as "soldDay", s.price_usd_cents as cents, s.sale_type as venue, s.source, i.game, i.set_id::text as set,
         t.year as "setYear"
       from sales s join items i on i.id = s.item_id join sets t on t.id = i.set_id
       where s.id > $1 and s.rejection is null and s.grade_key is not null and s.price_usd_cents is not null
         and not exists (select from sale_voids v where v.sale_id = s.id)
       order by s.id limit ${PAGE}`,
      [after],
    );
    for (const { id, cents, ...sale } of rows) yield { ...sale, priceUsd: cents / 100 };
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

const COLUMNS = ['item', 'company', 'grade', 'date', 'price'] as const;

/**
 * Sales of a CSV file with the columns `item,company,grade,date,price` (US dollars, `YYYY-MM-DD`). Throws UnreadableFile
 * with the line of the first row that is not a sale.
 */
export async function* readSalesCsv(path: string): AsyncGenerator<BacktestSale> {
  for await (const row of readCsv(path, COLUMNS, COLUMNS)) {
    const unreadable = (problem: string) => new UnreadableFile(`${path}: line ${row.line}: ${problem}`);
    if (row.fields === null) throw unreadable(row.problem);
    const { item, company, grade, date = '', price = '' } = row.fields;
    const day = parseDay(date);
    if (!item || !company || !grade) throw unreadable('item, company and grade may not be empty');
    if (day === null) throw unreadable(`"${date}" is not a day (YYYY-MM-DD)`);
    if (!/^\d{1,9}(\.\d{1,4})?$/.test(price) || Number(price) <= 0)
      throw unreadable(`"${price}" is not a price in dollars`);
    yield { item, company, grade, day, priceUsd: Number(price) };
  }
}
