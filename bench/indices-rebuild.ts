/**
 * `npx tsx bench/indices-rebuild.ts [sales]`: 1,096 days of the four indexed games from stored price states to levels, in
 * a process of its own: publishing the history, then recomputing it against what was published; then one more day.
 * Prints seconds against the aim of 10, and memory.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { INDEXED_GAMES } from '../src/catalog/games.ts';
import { type Db, openDb } from '../src/db/client.ts';
import { copyRows } from '../src/db/copy.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { closeIndices } from '../src/indices/close.ts';
import { GAME_INDICES } from '../src/indices/definitions.ts';
import { rebuildIndex } from '../src/indices/rebuild.ts';
import { formatDay } from '../src/lib/day.ts';
import { reprice } from '../src/pricing/reprice.ts';
import { type SyntheticSale, syntheticMarket } from '../test/pricing/synthetic-market.ts';

const FIRST_DAY = 19_358;
const DAYS = 1096;
const LAST_DAY = FIRST_DAY + DAYS - 1;
const CARDS = 4100;
const UNSOLD_ITEMS = 146_000;
const AIM_S = 10;

const [mode, given, work] = process.argv.slice(2);
if (mode === '--child') await child(JSON.parse(given!) as pg.ClientConfig, work!);
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
    await reprice(db, { through: LAST_DAY });
    await db.query('analyze');
    for (const what of ['publish', 'compare']) {
      const self = fileURLToPath(import.meta.url);
      const run = ['--import', 'tsx', self, '--child', JSON.stringify(server.connection), what];
      const told = JSON.parse(execFileSync(process.execPath, run, { encoding: 'utf8' })) as Told;
      const { seconds, cpuSeconds, mb, levels } = told;
      console.log(
        `${what.padEnd(8)} ${levels} levels from ${sales} sales in ${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s CPU of ours), ${mb.toFixed(0)} MB: ${(seconds / AIM_S).toFixed(2)} of the aim`,
      );
    }
    await reprice(db, { through: LAST_DAY + 1 });
    const start = performance.now();
    await closeIndices(db, { through: LAST_DAY + 1 });
    console.log(`one day  ${(performance.now() - start).toFixed(0)} ms for four indices`);
  } finally {
    await db.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Told = { seconds: number; cpuSeconds: number; mb: number; levels: number };

async function child(connection: pg.ClientConfig, what: string): Promise<void> {
  const db = openDb({ connection, poolSize: 2 });
  const start = performance.now();
  const before = process.cpuUsage();
  let levels = 0;
  if (what === 'publish') ({ levels } = await closeIndices(db, { through: LAST_DAY }));
  else {
    for (const index of GAME_INDICES) {
      const report = await rebuildIndex(db, index, {});
      if (report.differences.length > 0) throw new Error(JSON.stringify(report.differences.slice(0, 5)));
      levels += report.levels;
    }
  }
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  await db.close();
  const told: Told = { seconds, cpuSeconds: (user + system) / 1e6, mb: process.resourceUsage().maxRSS / 1024, levels };
  console.log(JSON.stringify(told));
}

function itemId(card: number): string {
  return `00000000-0000-4000-8000-${String(card).padStart(12, '0')}`;
}

/** The market's four games are the indexed ones; a catalog with many items that never sell. */
async function fillLedger(db: Db, wanted: number): Promise<number> {
  const sales = syntheticMarket({ seed: 5, days: DAYS, cards: CARDS, sales: wanted });
  const gameOf = new Map([...new Set(sales.map(({ game }) => game))].map((game, i) => [game, INDEXED_GAMES[i]!]));
  const cards = new Map(sales.map((sale) => [sale.card, { ...sale, game: gameOf.get(sale.game)! }]));
  await db.session(async (session) => {
    await session.query(`insert into imports (kind, format) values ('sales', 'bench')`);
    await session.query(`insert into sources (id, display_name) values ('a', 'A'), ('b', 'B')`);
    const games = new Map([...cards.values()].map(({ set, game }) => [set, game]));
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
