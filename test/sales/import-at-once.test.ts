import { afterAll, describe, expect, test } from 'vitest';
import { type Db, openDb } from '../../src/db/client.ts';
import { anItem, closeDays } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { csv, importFile, rowOf, salesFiles } from './import-world.ts';

/** More than one batch of each source. */
const ROWS = 10_500;
const ITEMS = 50;
const CORRECTED_EVERY = 97;
const CORRECTED = Math.ceil(ROWS / CORRECTED_EVERY);

const files = salesFiles();
const opened: FreshDatabase[] = [];
afterAll(async () => {
  for (const { close } of opened) await close();
  files.remove();
});

const uuidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Sales of a source, from `dollars` on; some are corrected in the same file. */
function salesOf(source: string, from: number): string {
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const day = String(1 + (n % 28)).padStart(2, '0');
    // No two sales of an item have a price in common: which one a report repeats does not depend on the order of batches.
    const dollars = from + Math.floor(n / ITEMS);
    const over = { source, sale_id: String(n), sold_at: `2026-05-${day}`, price: String(dollars) };
    const item = uuidOf(n % ITEMS);
    return n % CORRECTED_EVERY === 0
      ? [rowOf(item, over), rowOf(item, { ...over, price: `${dollars}.37` })]
      : [rowOf(item, over)];
  });
  return files.write(csv(...rows.flat()), `${source}.csv`);
}

async function database(): Promise<FreshDatabase> {
  const fresh = await freshDatabase();
  opened.push(fresh);
  for (let n = 0; n < ITEMS; n++) await anItem(fresh.db, { id: uuidOf(n), number: String(n), name: `Card ${n}` });
  return fresh;
}

/** What became of each report of a sale. */
async function salesIn(db: Db) {
  return await db.query(
    `select s.source, s.source_sale_id, s.revision, s.price_usd_cents, s.sold_day,
       coalesce(s.rejection, v.reason, 'accepted') as state,
       (select d.source || ' ' || d.source_sale_id from sales d where d.id = coalesce(s.duplicate_of, v.superseded_by)) as of
     from sales s left join sale_voids v on v.sale_id = s.id order by s.source, s.source_sale_id, s.revision`,
  );
}

/** What a close makes of them, to the byte. */
async function statesIn(db: Db) {
  await closeDays(db, '2026-06-05');
  const states = await db.query<{ state: Buffer }>('select item_id, state from card_states order by item_id');
  return states.map(({ state }) => state.toString('hex'));
}

/** Imports the files one after the other, and at once by two processes. */
async function bothWays(first: string, second: string): Promise<{ inTurn: Db; atOnce: Db }> {
  const [inTurn, atOnce] = [await database(), await database()];
  await importFile(inTurn.db, first);
  await importFile(inTurn.db, second);
  const other = openDb({ connection: atOnce.connection, poolSize: 4 });
  const reports = await Promise.all([importFile(atOnce.db, first), importFile(other, second)]);
  await other.close();
  expect(reports.map(({ report }) => report.rows)).toEqual([ROWS + CORRECTED, ROWS + CORRECTED]);
  return { inTurn: inTurn.db, atOnce: atOnce.db };
}

describe('imports of two sources at once end as one after the other', () => {
  test('where both report the same sales: each is kept once', async () => {
    const { inTurn, atOnce } = await bothWays(salesOf('ebay', 50), salesOf('alt-sold', 50));
    const sales = await salesIn(inTurn);
    expect(sales.filter(({ state }) => state === 'duplicate').length).toBeGreaterThan(ROWS / 2);
    expect(await salesIn(atOnce)).toEqual(sales);
  });

  test('where each has its own: the ledger and the prices are the same', async () => {
    const { inTurn, atOnce } = await bothWays(salesOf('ebay', 50), salesOf('goldin', 1000));
    const sales = await salesIn(inTurn);
    expect(sales).toHaveLength(2 * (ROWS + CORRECTED));
    expect(await salesIn(atOnce)).toEqual(sales);
    expect(await statesIn(atOnce)).toEqual(await statesIn(inTurn));
  });
});
