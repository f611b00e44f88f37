import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { type Db, openDb } from '../../src/db/client.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { parseDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';

export type BenchDatabase = { db: Db; connection: ClientConfig; stop(): Promise<void> };

/** A migrated embedded database in a temporary folder, removed by `stop`. */
export async function benchDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
  // As root the server runs as another user, who has to enter.
  chmodSync(folder, 0o755);
  const log = { info: () => {}, warn: (message: string) => console.warn(message) };
  const server = await startEmbedded({ folder: join(folder, 'postgres'), log, durable: false });
  const db = openDb({ connection: server.connection, poolSize: 4 });
  await migrate(db);
  return {
    db,
    connection: server.connection,
    async stop() {
      await db.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const ITEMS_PER_SET = 300;
/** The last day that `fillPricedItems` closes. */
export const PRICED_THROUGH = parseDay('2026-06-29')!;
/** Sales of a card by grade: most cards trade seldom. */
const GRADES = ['psa-10', 'psa-9', 'raw-A'] as const;
const SALES_PER_GRADE = 2;
const SALE_SPAN_DAYS = 240;

/**
 * Fills the catalog with `count` items in sets of 300, each (or one in `soldOneIn`) with six sales in three grades over eight
 * months, prices them, and returns the paths of their overviews.
 */
export async function fillPricedItems(db: Db, count: number, soldOneIn = 1): Promise<string[]> {
  await insertItems(db, count, soldOneIn);
  await reprice(db, { through: PRICED_THROUGH });
  await db.query('vacuum analyze');
  const rows = await db.query<{ path: string }>(
    `select '/v1/items/' || i.game || '/' || s.segment || '/' || i.stem || '-' || i.id8 || '/overview' as path
     from items i join sets s on s.id = i.set_id order by i.id`,
  );
  return rows.map(({ path }) => path);
}

/** The same before any price. */
export async function insertItems(db: Db, count: number, soldOneIn: number): Promise<void> {
  await db.query(
    `insert into sets (game, segment, name, code, identity)
     select 'pokemon', 'set-s' || n, 'Set ' || n, 's' || n, 'bench ' || n
     from generate_series(1, $1::int) n`,
    [Math.ceil(count / ITEMS_PER_SET)],
  );
  await db.query(
    `insert into items (id, game, set_id, number, name, language, image_url, stem, identity_key)
     select md5(n::text)::uuid, 'pokemon', s.id, (n % ${ITEMS_PER_SET})::text, 'Card ' || n, 'English',
       'https://images.example/' || n || '.webp', n % ${ITEMS_PER_SET} || '-card-' || n, n::text
     from generate_series(0, $1::int - 1) n join sets s on s.code = 's' || 1 + n / ${ITEMS_PER_SET}`,
    [count],
  );
  await db.query(`insert into sources (id, display_name) values ('ebay', 'eBay')`);
  await db.query(`insert into imports (kind, format) values ('sales', 'bench')`);
  await db.query(
    `insert into sales (source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at,
       known_day, price_usd_cents, price_minor, currency, usd_per_unit, sale_type, import_id, line)
     select 'ebay', 'b' || row_number() over (), md5(n::text)::uuid, 'PSA', '10', ($2::text[])[g],
       to_timestamp(day * 86400.0), day, to_timestamp(day * 86400.0), day, cents, cents, 'USD', 1, 'auction', 1, 1
     from generate_series(0, $1::int - 1) n, generate_series(1, ${GRADES.length}) g,
       generate_series(1, ${SALES_PER_GRADE}) k,
       lateral (select (${PRICED_THROUGH} - (n::bigint * 7919 + g * 31 + k * 104729) % ${SALE_SPAN_DAYS})::int as day,
         (1000 + n % 900 * 100) / g as cents) sale
     where n % $3 = 0 order by day`,
    [count, GRADES, soldOneIn],
  );
}
