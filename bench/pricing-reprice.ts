/**
 * `npx tsx bench/pricing-reprice.ts [sales]`: `reprice` end to end, from a ledger of synthetic sales in the embedded
 * PostgreSQL to stored prices, in a process of its own; then what a read and a later day cost. Prints the time a sale
 * and the memory against the aims: 35 us and 1.2 GB for a million sales.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { type Db, openDb } from '../src/db/client.ts';
import { copyRows } from '../src/db/copy.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { formatDay } from '../src/lib/day.ts';
import { closedDay, movers, quotesOf } from '../src/pricing/read.ts';
import { reprice } from '../src/pricing/reprice.ts';
import { type SyntheticSale, syntheticMarket } from '../test/pricing/synthetic-market.ts';

const FIRST_DAY = 19_358;
const DAYS = 1096;
const CARDS = 4100;
const UNSOLD_ITEMS = 146_000;
const AIM_US = 35;
const AIM_MB = 1200;

const [mode, given] = process.argv.slice(2);
if (mode === '--child') await child(JSON.parse(given!) as pg.ClientConfig);
else await main(Number(mode ?? 1_000_000));

async function main(wanted: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
  // As root the server runs as another user, who has to enter.
  chmodSync(folder, 0o755);
  const log = { info: () => {}, warn: (message: string) => console.warn(message) };
  const server = await startEmbedded({ folder: join(folder, 'postgres'), log });
  const db = openDb({ connection: server.connection, poolSize: 2 });
  try {
    await migrate(db);
    const sales = await fillLedger(db, wanted);
    const self = fileURLToPath(import.meta.url);
    const run = ['--import', 'tsx', self, '--child', JSON.stringify(server.connection)];
    const { ms, mb } = JSON.parse(execFileSync(process.execPath, run, { encoding: 'utf8' })) as {
      ms: number;
      mb: number;
    };
    const us = (1000 * ms) / sales;
    console.log(
      `reprice    ${sales} sales in ${(ms / 1000).toFixed(1)} s: ${us.toFixed(1)} us a sale, ${mb.toFixed(0)} MB`,
    );
    console.log(`ratio      ${(us / AIM_US).toFixed(2)} of the aim in time, ${(mb / AIM_MB).toFixed(2)} in memory`);
    await db.query('analyze');
    await timeReads(db);
    const moversStart = performance.now();
    const moved = await movers(db, ['pokemon', 'sports', 'one-piece', 'mtg'], 48);
    console.log(`movers     ${moved.length} in ${(performance.now() - moversStart).toFixed(0)} ms, once for a close`);
    const day = (await closedDay(db))!;
    const start = performance.now();
    await reprice(db, { through: day + 1 });
    console.log(`one day    without sales ${(performance.now() - start).toFixed(0)} ms`);
  } finally {
    await db.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function child(connection: pg.ClientConfig): Promise<void> {
  const db = openDb({ connection, poolSize: 2 });
  const start = performance.now();
  await reprice(db, { through: FIRST_DAY + DAYS - 1 });
  const ms = performance.now() - start;
  await db.close();
  console.log(JSON.stringify({ ms, mb: process.resourceUsage().maxRSS / 1024 }));
}

function itemId(card: number): string {
  return `00000000-0000-4000-8000-${String(card).padStart(12, '0')}`;
}

/** A catalog with many items that never sell, and the sales of those that do. */
async function fillLedger(db: Db, wanted: number): Promise<number> {
  const sales = syntheticMarket({ seed: 5, days: DAYS, cards: CARDS, sales: wanted });
  const cards = new Map(sales.map((sale) => [sale.card, sale]));
  await db.session(async (session) => {
    await session.query(`insert into imports (kind, format) values ('sales', 'bench')`);
    await session.query(`insert into sources (id, display_name) values ('a', 'A'), ('b', 'B')`);
    const games = new Map(sales.map(({ set, game }) => [set, game]));
    await session.query(
      `insert into sets (id, game, segment, name, identity) overriding system value
       select n + 1, g, 'set-' || n, 'Set', 'bench:' || n from unnest($1::int[], $2::text[]) as made (n, g)`,
      [[...games.keys()], [...games.values()]],
    );
    await copyRows(session, 'items (id, game, set_id, name, language, stem, identity_key)', itemRows(cards));
    const columns = `source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at, known_day,
      price_usd_cents, price_minor, currency, sale_type, import_id, line`;
    await copyRows(session, `sales (${columns})`, saleRows(sales));
  });
  await db.query('analyze');
  return sales.length;
}

function* itemRows(cards: ReadonlyMap<number, SyntheticSale>) {
  for (const { card, game, set } of cards.values()) {
    yield [itemId(card), game, set + 1, `Card ${card}`, 'English', `card-${card}`, `bench:${card}`];
  }
  for (let i = 0; i < UNSOLD_ITEMS; i++) {
    const card = 1_000_000 + i;
    yield [itemId(card), 'mtg', 1, `Card ${card}`, 'English', `card-${card}`, `bench:${card}`];
  }
}

function* saleRows(sales: readonly SyntheticSale[]) {
  let n = 0;
  for (const { card, day, gradeKey, priceUsdCents, venue } of sales) {
    const sold = FIRST_DAY + day;
    const at = `${formatDay(sold)}T12:00:00Z`;
    const source = n % 3 === 0 ? 'a' : 'b';
    const price = [priceUsdCents, priceUsdCents, 'USD'];
    yield [source, String(n++), itemId(card), 'PSA', gradeKey, gradeKey, at, sold, at, sold, ...price, venue, 1, 1];
  }
}

/** Quotes of one item at a time, over items that sold and, as most do, not. */
async function timeReads(db: Db): Promise<void> {
  for (const [what, first, step] of [
    ['sold', 0, 1],
    ['unsold', 1_000_000, 7],
  ] as const) {
    const ms: number[] = [];
    let series = 0;
    for (let i = 0; i < 1000; i++) {
      const start = performance.now();
      const quotes = await quotesOf(db, [itemId(first + i * step)]);
      ms.push(performance.now() - start);
      series += quotes.get(itemId(first + i * step))?.length ?? 0;
    }
    ms.sort((a, b) => a - b);
    const mean = (series / 1000).toFixed(1);
    console.log(
      `quotesOf   ${what} item (${mean} series): p50 ${ms[500]!.toFixed(2)} ms, p99 ${ms[990]!.toFixed(2)} ms`,
    );
  }
}
