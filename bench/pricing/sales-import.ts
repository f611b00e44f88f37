/**
 * `npx tsx bench/pricing/sales-import.ts [rows]`: imports sales with known items from the own CSV, and for comparison copies the same
 * rows, ready made, into the same table with the same indexes. Prints both rates and their ratio; the aim is 50%.
 */
import { once } from 'node:events';
import { chmodSync, createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openDb } from '../../src/db/client.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { formatDay, parseDay } from '../../src/lib/day.ts';
import { mintmarkSales } from '../../src/sales/formats/mintmark.ts';
import { importSales } from '../../src/sales/import/import-sales.ts';
import { ensureSources } from '../../src/sales/known-sources.ts';

const ROWS = Number(process.argv[2] ?? 300_000);
const ITEMS = 50_000;
const TODAY = parseDay('2026-11-21')!;
const GRADES = [
  ['PSA', '10'],
  ['PSA', '9'],
  ['CGC', '9.5'],
  ['RAW', 'A'],
];

const COLUMNS = `source, source_sale_id, revision, item_id, company, grade, grade_key, sold_at, sold_day, known_at,
  known_day, price_usd_cents, price_minor, currency, usd_per_unit, sale_type, quantity, cert, url, title, detail,
  rejection, duplicate_of, import_id, line`;

const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
// As root the server runs as another user, who has to enter.
chmodSync(folder, 0o755);
const log = { info: () => {}, warn: (message: string) => console.warn(message) };
const server = await startEmbedded({ folder: join(folder, 'postgres'), log, durable: true });
const db = openDb({ connection: server.connection, poolSize: 4 });
try {
  await migrate(db);
  await db.query(
    `insert into sets (game, segment, name, identity) values ('pokemon', 'bench', 'Bench', 'pokemon|bench')`,
  );
  await db.query(
    `insert into items (id, game, set_id, number, name, language, stem, identity_key)
     select md5(n::text)::uuid, 'pokemon', 1, n::text, 'Card', 'English', n || '-card', n::text
     from generate_series(1, ${ITEMS}) n`,
  );
  await ensureSources(db, ['ebay', 'goldin', 'myslabs']);
  const ids = (await db.query<{ id: string }>('select id from items order by identity_key')).map((row) => row.id);
  const path = join(folder, 'sales.csv');
  await writeCsv(path, ids);
  await db.query('vacuum analyze');

  const options = { format: mintmarkSales, paths: [path], today: TODAY };
  const importOnce = () =>
    timed(async () => {
      const report = await importSales(db, options);
      if (report.added !== ROWS) throw new Error(`added ${report.added} of ${ROWS}`);
    });
  // The rows as the import left them, as one file in COPY's own format: what raw COPY is given.
  const dump = join(folder, 'sales.copy');
  const copyOnce = () =>
    timed(() =>
      db.session(async (session) => {
        await pipeline(createReadStream(dump), session.copyIn(`copy sales (${COLUMNS}) from stdin`));
      }),
    );
  const clear = () => db.query('truncate sales, sale_voids, sale_uses restart identity cascade');
  let importMs = await importOnce();
  await db.session(async (session) => {
    await pipeline(
      session.copyOut(`copy (select ${COLUMNS} from sales order by id) to stdout`),
      createWriteStream(dump),
    );
  });
  const againMs = await timed(async () => {
    const report = await importSales(db, options);
    if (report.repeated !== ROWS) throw new Error(`repeated ${report.repeated} of ${ROWS}`);
  });
  // The two take turns, and the better run of each counts: other work on the machine disturbs both alike.
  await clear();
  let copyMs = await copyOnce();
  await clear();
  importMs = Math.min(importMs, await importOnce());
  await clear();
  copyMs = Math.min(copyMs, await copyOnce());
  const rate = (ms: number) => `${Math.round((ROWS / ms) * 1000).toLocaleString('en')} rows/s`;
  console.log(`sales import        ${rate(importMs)}`);
  console.log(`the same file again ${rate(againMs)}`);
  console.log(`raw COPY            ${rate(copyMs)}`);
  console.log(`ratio import / COPY ${((copyMs / importMs) * 100).toFixed(0)}%  (aim: at least 50%)`);
} finally {
  await db.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function writeCsv(path: string, ids: string[]): Promise<void> {
  const out = createWriteStream(path);
  out.write('item_id,company,grade,price,currency,sold_at,source,sale_id,sale_type,cert,url\n');
  for (let n = 0; n < ROWS; n++) {
    const [company, grade] = GRADES[n % GRADES.length]!;
    const source = ['ebay', 'ebay', 'goldin', 'myslabs'][(n * 7) % 4];
    const day = formatDay(TODAY - 1 - ((n * 7919) % 1000));
    const price = `${5 + ((n * 31) % 900)}.${String(n % 100).padStart(2, '0')}`;
    // A multiplier prime to the number of items scatters the sales over them.
    const line = `${ids[(n * 7907) % ITEMS]},${company},${grade},${price},USD,${day}T12:${String(n % 60).padStart(2, '0')}:00Z,${source},${100000000000 + n},auction,,https://www.ebay.com/itm/${100000000000 + n}\n`;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}
