/**
 * `node --import tsx bench/bulk/bulk.ts [sales]`: makes the bulk files of the catalogs imported into MINTMARK_DATA (or DATABASE_URL), with so
 * many simulated sales where it has none, in a process of its own: time, memory and size of each file; then again with nothing changed.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLists } from '../../src/bulk/bulk-folder.ts';
import { makeBulk } from '../../src/bulk/make-bulk.ts';
import { withWorld } from '../../src/commands/world.ts';
import type { Db } from '../../src/db/client.ts';
import { dayOf } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';

const LAST_DAY = dayOf(Date.UTC(2026, 10, 20));
const DAYS = 730;
const MB = 1e6;

/** Sales of a fifth of the cards, at up to three grades each, over two years. */
async function addSales(db: Db, sales: number): Promise<void> {
  const [row] = await db.query<{ id: number }>(
    `insert into imports (kind, format, finished_at) values ('sales', 'bench', now()) returning id`,
  );
  await db.query(`insert into sources (id, display_name) values ('bench', 'Bench') on conflict do nothing`);
  await db.query('select setseed(.5)');
  await db.query(
    `with cards as (select id, row_number() over (order by id) as n, count(*) over () as all_cards from items where removed_at is null and id8 < '33333333'),
     made as (
       select k, $3::int - (random() * $4)::int as day, 1 + floor(random() * random() * (select max(all_cards) from cards))::int as card,
         (array['psa-10', 'psa-9', 'raw-A'])[1 + floor(random() * 3)::int] as grade, exp(3 + 2 * random()) as usd
       from generate_series(1, $1::int) k)
     insert into sales (source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at, known_day,
       price_usd_cents, price_minor, currency, usd_per_unit, sale_type, url, title, import_id, line)
     select 'bench', k::text, c.id, case when grade = 'raw-A' then 'RAW' else 'PSA' end, grade, grade, to_timestamp(day * 86400.0), day,
       to_timestamp(day * 86400.0), day, (usd * 100)::int, (usd * 100)::int, 'USD', 1, 'auction', 'https://market.example/' || k, 'Title', $2, k
     from made join cards c on c.n = made.card order by day`,
    [sales, row!.id, LAST_DAY, DAYS - 1],
  );
  await db.query('analyze');
}

async function make(folder: string): Promise<void> {
  await withWorld(async ({ db }) => {
    const before = process.resourceUsage().maxRSS;
    const cpu = process.cpuUsage();
    const startedMs = performance.now();
    const signal = new AbortController().signal;
    const options = {
      db,
      folder,
      baseUrl: 'https://prices.example',
      sign: () => Buffer.alloc(32),
      keep: 2,
      months: 24,
      signal,
    };
    const report = await makeBulk({ ...options, clock: Date.now });
    const { user, system } = process.cpuUsage(cpu);
    const cpuSeconds = (user + system) / 1e6;
    const seconds = (performance.now() - startedMs) / 1000;
    console.log(
      `${JSON.stringify(report)}\n${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU in the process; ` +
        `memory at most ${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB, ${(before / 1e3).toFixed(0)} MB before`,
    );
  });
}

async function main(): Promise<void> {
  const [first = '300000', folder] = process.argv.slice(2);
  if (first === '--make') return await make(folder!);
  await withWorld(async ({ db }) => {
    const [row] = await db.query<{ items: number; sales: number }>(
      'select (select count(*) from items) as items, (select count(*) from sales) as sales',
    );
    if (row!.sales === 0) await addSales(db, Number(first));
    console.log(`${row!.items} items, ${row!.sales || first} sales`);
    await reprice(db, { through: LAST_DAY });
  });
  const files = mkdtempSync(join(tmpdir(), 'mintmark-bulk-'));
  const run = () =>
    execFileSync(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), '--make', files], {
      stdio: 'inherit',
    });
  run();
  for (const { name, rows, bytes } of (await readLists(files))[0]!.files)
    console.log(`${name.padEnd(44)} ${String(rows).padStart(10)} rows ${(bytes / MB).toFixed(2).padStart(9)} MB`);
  await withWorld(({ db }) => reprice(db, { through: LAST_DAY + 1 }));
  run();
  rmSync(files, { recursive: true });
}

await main();
