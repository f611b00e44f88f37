import { readCsv } from '../catalog/formats/csv.ts';
import type { Db, Sql } from '../db/client.ts';
import { parseDay } from '../lib/day.ts';
import { minorDigits } from '../lib/money.ts';

/** The stored rates of one currency: US dollars for one unit, by day. */
type Rates = ReadonlyMap<number, number>;

const MAX_AGE_DAYS = 7;

/** The rate of `day`, else the last one at most seven days older, else null. */
export function rateOn(rates: Rates, day: number): number | null {
  for (let age = 0; age <= MAX_AGE_DAYS; age++) {
    const usdPerUnit = rates.get(day - age);
    if (usdPerUnit !== undefined) return usdPerUnit;
  }
  return null;
}

/** A stored rate: US dollars for one unit, and the day it is of. */
export type DatedRate = { day: number; usdPerUnit: number };

/** The stored rate of `day`, else the last one at most seven days older, else null. */
export async function storedRateOn(sql: Sql, currency: string, day: number): Promise<DatedRate | null> {
  const [rate] = await sql.prepared<DatedRate>(
    'stored_rate_on',
    `select day, usd_per_unit as "usdPerUnit" from fx_rates
     where currency = $1 and day between $2::int - ${MAX_AGE_DAYS} and $2 order by day desc limit 1`,
    [currency, day],
  );
  return rate ?? null;
}

/** The currencies that have a stored rate, by code. */
export async function storedCurrencies(sql: Sql): Promise<string[]> {
  const rows = await sql.prepared<{ currency: string }>(
    'stored_currencies',
    'select distinct currency from fx_rates order by currency',
  );
  return rows.map(({ currency }) => currency);
}

/** SQL: whether a rate is stored for a day (a UTC day number), or at most seven days before it. */
export function hasStoredRate(currency: string, day: string): string {
  return `exists (select from fx_rates r where r.currency = ${currency} and r.day between ${day} - ${MAX_AGE_DAYS} and ${day})`;
}

export type RateBook = {
  /** Reads the rates of currencies that were not loaded before. */
  load(currencies: Iterable<string>): Promise<void>;
  /** The rate of a currency that was loaded; US dollars are worth one. */
  rateOn(currency: string, day: number): number | null;
};

/** The stored rates, each currency read once. */
export function openRateBook(sql: Sql): RateBook {
  const books = new Map<string, Rates>([['USD', new Map()]]);
  return {
    async load(currencies) {
      for (const currency of new Set(currencies)) {
        if (books.has(currency)) continue;
        const rows = await sql.query<{ day: number; usd_per_unit: number }>(
          'select day, usd_per_unit from fx_rates where currency = $1',
          [currency],
        );
        books.set(currency, new Map(rows.map((row) => [row.day, row.usd_per_unit])));
      }
    },
    rateOn: (currency, day) => (currency === 'USD' ? 1 : rateOn(books.get(currency)!, day)),
  };
}

type RatesReport = { rows: number; stored: number; rejected: { line: number; message: string }[] };

/**
 * Imports reference rates from CSV files with the columns `date,currency,usd_per_unit`. All files are read before
 * anything is stored; a rate of a day that is stored already is replaced. Throws UnreadableFile for another file.
 */
export async function importRates(db: Db, { paths }: { paths: readonly string[] }): Promise<RatesReport> {
  const report: RatesReport = { rows: 0, stored: 0, rejected: [] };
  const rates = new Map<string, [currency: string, day: number, usdPerUnit: number]>();
  for (const path of paths) {
    for await (const row of readCsv(path, RATE_COLUMNS, RATE_COLUMNS)) {
      report.rows++;
      const { date = '', currency = '', usd_per_unit = '' } = row.fields ?? {};
      const day = parseDay(date);
      const usdPerUnit = /^\d{1,9}(\.\d{1,15})?$/.test(usd_per_unit) ? Number(usd_per_unit) : 0;
      const problem =
        row.problem ??
        (day === null
          ? `"${date.slice(0, 40)}" is not a date`
          : minorDigits(currency) === null || currency === 'USD'
            ? `"${currency.slice(0, 40)}" is not a currency that needs a rate`
            : usdPerUnit <= 0
              ? `"${usd_per_unit.slice(0, 40)}" is not a positive decimal number`
              : null);
      if (problem !== null) report.rejected.push({ line: row.line, message: problem });
      else rates.set(`${currency} ${day}`, [currency, day!, usdPerUnit]);
    }
  }
  const list = [...rates.values()];
  await db.query(
    `insert into fx_rates (currency, day, usd_per_unit)
     select * from unnest($1::text[], $2::int[], $3::float8[])
     on conflict (currency, day) do update set usd_per_unit = excluded.usd_per_unit`,
    [list.map((rate) => rate[0]), list.map((rate) => rate[1]), list.map((rate) => rate[2])],
  );
  report.stored = list.length;
  if (list.length > 0) await db.query(`select pg_notify('sales', '')`);
  return report;
}

const RATE_COLUMNS = ['date', 'currency', 'usd_per_unit'] as const;
