/**
 * `node --import tsx bench/growth/growth.ts <items> <sales> <certs> [results.ndjson]`: a generated installation of that size in an
 * embedded PostgreSQL in a temporary folder, by the commands of the compiled program: imports, the first `reprice`, the close of a day
 * with as many sales as the others, memory of each process, the search index, routes uncached and cached, disk. Prints each figure;
 * appends them to the file, from which `growth-curves.ts` draws. A temporary folder with 4 kB for each sale and item is needed.
 */
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '../../src/db/client.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { formatDay } from '../../src/lib/day.ts';
import { buildProgram } from '../../test/support/built-program.ts';
import { startServer } from '../http/http-load.ts';
import { buildInChild } from '../search/search-growth.ts';
import { runCommand } from './growth-command.ts';
import { DAYS, LAST_DAY, SOLD_SHARE, writeCatalog, writeCerts, writeSales } from './growth-files.ts';
import { routeTimes, searchReady } from './growth-routes.ts';

const [items = 100_000, sales = 1_000_000, certs = 100_000] = process.argv.slice(2, 5).map(Number);
const results = process.argv[5];
const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
// As root the server runs as another user, who has to enter.
chmodSync(folder, 0o755);
const log = { info: () => {}, warn: (message: string) => console.warn(message) };
const server = await startEmbedded({ folder: join(folder, 'postgres'), log, durable: true });
const { connection } = server;
const db = openDb({ connection, poolSize: 2 });
try {
  await measure();
} finally {
  await db.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

function say(what: string, figures: Record<string, number>): void {
  const words = Object.entries(figures).map(
    ([name, value]) => `${name} ${value < 10 ? value.toFixed(2) : Math.round(value)}`,
  );
  console.log(`${what.padEnd(32)} ${words.join(', ')}`);
  if (results) appendFileSync(results, `${JSON.stringify({ items, sales, certs, what, ...figures })}\n`);
}

async function measure(): Promise<void> {
  const program = await buildProgram(folder);
  const { host, database, user, port } = connection;
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, MINTMARK_DATA: join(folder, 'data') },
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port ?? 5432}`,
  };
  const run = async (what: string, ...words: string[]) => {
    const { seconds, mb } = await runCommand(program, env, words);
    say(what, { seconds, mb });
  };
  const file = (name: string) => join(folder, name);
  await writeCatalog(file('catalog.ndjson'), items);
  await run('import of the catalog', 'import', 'catalog', 'mintmark', file('catalog.ndjson'));
  const ids = (await db.query<{ id: string }>('select id from items order by id')).map(({ id }) => id);
  const sold = ids.slice(0, Math.ceil(SOLD_SHARE * ids.length));
  const aDay = Math.ceil(sales / DAYS);
  await writeSales(file('sales.csv'), sold, { fromDay: LAST_DAY - DAYS + 1, toDay: LAST_DAY, aDay });
  await run('import of the sales', 'import', 'sales', 'mintmark', file('sales.csv'));
  rmSync(file('sales.csv'));
  await writeCerts(file('certs.csv'), ids, certs);
  await run('import of the certs', 'import', 'certs', 'mintmark', file('certs.csv'));
  const through = (day: number) => ['--through', formatDay(day)];
  await run('first reprice, with indices', 'reprice', ...through(LAST_DAY));
  const next = LAST_DAY + 1;
  await writeSales(file('day.csv'), sold, { fromDay: next, toDay: next, aDay });
  await run('import of a day', 'import', 'sales', 'mintmark', file('day.csv'));
  await run('close of that day, with indices', 'reprice', ...through(next));
  await run('close of a day without sales', 'reprice', ...through(next + 1));
  await db.query('vacuum analyze');
  await sayDisk();
  const built = await buildInChild(connection);
  say('search index', {
    seconds: built.seconds,
    mb: built.indexMb,
    'bytes an item': (built.indexMb * 2 ** 20) / built.items,
    'ms of a name': built.nameMs,
    // The judged queries, of which a generated catalog has hardly a word.
    'ms of unknown words': built.textMs,
  });
  const [large] = await db.query<{ path: string }>(
    `select '/card/' || s.game || '/' || s.segment as path from items i join sets s on s.id = i.set_id
     group by s.id order by count(*) desc limit 1`,
  );
  const start = (cacheMb: number) =>
    startServer({ serve: 'app', connection, cacheMb, env: { VISITS_PER_SECOND: '0' } });
  for (const { route, ...times } of await routeTimes(db, start, { ids: sold, certs, largeSet: large!.path }))
    say(route, times);
  const serving = await start(128);
  await searchReady(serving);
  say('a server', { mb: (await serving.usage()).rssBytes / 2 ** 20 });
  serving.stop();
}

async function sayDisk(): Promise<void> {
  const [row] = await db.query<Record<string, number>>(
    `select pg_database_size(current_database()) / 1e6 as mb, pg_total_relation_size('items') / 1e6 as "mb of items",
       pg_total_relation_size('sales') / 1e6 as "mb of sales", pg_total_relation_size('card_snapshots') / 1e6 as "mb of snapshots",
       pg_total_relation_size('record_days') / 1e6 as "mb of the record"`,
  );
  say('disk', Object.fromEntries(Object.entries(row!).map(([name, mb]) => [name, Number(mb)])));
}
