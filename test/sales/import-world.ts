import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { parseDay } from '../../src/lib/day.ts';
import { mintmarkSales } from '../../src/sales/formats/mintmark.ts';
import type { SalesProblem } from '../../src/sales/import/import-files.ts';
import { importSales, type SalesReport } from '../../src/sales/import/import-sales.ts';

export const TODAY = parseDay('2026-11-21')!;
export const HEADER = 'item_id,company,grade,price,currency,sold_at,source,sale_id,sale_type,status,cert';

/** Files of sales in a folder of their own. */
export type SalesFiles = { write(text: string | Buffer, name?: string): string; remove(): void };

export function salesFiles(): SalesFiles {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-sales-'));
  let count = 0;
  return {
    write(text, name = 'sales.csv') {
      const path = join(folder, `${count++}-${name}`);
      writeFileSync(path, text);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Imports one file in the own format; `problems` are its unreadable rows. */
export async function importFile(
  db: Db,
  path: string,
  today = TODAY,
): Promise<{ report: SalesReport; problems: SalesProblem[] }> {
  const problems: SalesProblem[] = [];
  const onProblem = (problem: SalesProblem) => problems.push(problem);
  const report = await importSales(db, { format: mintmarkSales, paths: [path], today, onProblem });
  return { report, problems };
}

/** A row of the own CSV; PSA 10 at $100 on eBay by default. */
export function rowOf(item: string, over: { [column: string]: string } = {}): string {
  const values: { [column: string]: string } = {
    item_id: item,
    company: 'PSA',
    grade: '10',
    price: '100',
    currency: 'USD',
    sold_at: '2026-05-01',
    source: 'ebay',
    sale_id: '1',
    sale_type: 'auction',
    status: '',
    cert: '',
    ...over,
  };
  return HEADER.split(',')
    .map((column) => values[column])
    .join(',');
}

export const csv = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`;

/** The ledger without what names this import. */
export async function ledgerOf(db: Db) {
  return await db.query(
    `with winners as materialized (select id, source_sale_id from sales)
     select s.source, s.source_sale_id, s.revision, s.price_minor, s.price_usd_cents, s.rejection, s.sold_day, s.known_day,
       d.source_sale_id as duplicate_of, v.reason as void
     from sales s left join sale_voids v on v.sale_id = s.id left join winners d on d.id = s.duplicate_of
     order by s.source, s.source_sale_id, s.revision`,
  );
}

/** Every row is counted once. */
export function expectSum(report: SalesReport) {
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);
  const { added, repeated, corrected, reversed, rejected, waiting } = report;
  expect(added + repeated + corrected + reversed + sum(rejected) + sum(waiting)).toBe(report.rows);
}
