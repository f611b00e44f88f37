/**
 * `node --import tsx bench/catalog/catalog-import.ts <format> <path…>`: imports a catalog into an empty database (aim: at least
 * 8,000 items a second), and for comparison copies the same rows, ready made, into the same tables with the same indexes.
 * Prints both rates, their ratio, and the most memory the importing process held (aim with bench/catalog/grow-yugioh.ts's
 * catalog of 342,607 printings: at most 500 MB). The import runs in a process of its own, compiled; the database's is not counted.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../../src/db/client.ts';
import { compiledProgram } from '../compiled-program.ts';
import { benchDatabase } from '../http/http-database.ts';
import type { Imported, ImportOrder } from './import-process.ts';

const TABLES = ['sets', 'set_sources', 'items', 'item_sources'];

await compare(process.argv[2], process.argv.slice(3));

async function compare(formatName: string | undefined, paths: string[]): Promise<void> {
  if (formatName === undefined || paths.length === 0) {
    console.error('usage: node --import tsx bench/catalog/catalog-import.ts <format> <path…>');
    process.exit(2);
  }
  const { db, connection, stop } = await benchDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
  try {
    const child = fork(await compiledProgram('catalog/import-process'));
    child.send({ connection, formatName, paths } satisfies ImportOrder);
    const [imported] = (await once(child, 'message')) as [Imported];
    const rawMs = await rawCopyMs(db, folder);
    const rate = (ms: number) => `${Math.round((imported.items / ms) * 1000).toLocaleString('en')} items/s`;
    console.log(
      `${imported.records.toLocaleString('en')} records, ${imported.items.toLocaleString('en')} items, ${(imported.ms / 1000).toFixed(1)} s`,
    );
    console.log(`import   ${rate(imported.ms)}  (aim: at least 8,000)`);
    console.log(`raw COPY ${rate(rawMs)}`);
    console.log(`ratio import / COPY ${((rawMs / imported.ms) * 100).toFixed(0)}%`);
    console.log(`most memory of the importing process ${(imported.maxRssBytes / 2 ** 20).toFixed(0)} MB`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await stop();
  }
}

/** Copies what the import left out of the tables and, once they are empty, back in; the best of two. */
async function rawCopyMs(db: Db, folder: string): Promise<number> {
  const columns = new Map<string, string>();
  const rows = await db.query<{ table: string; columns: string }>(
    `select table_name as table, string_agg(column_name, ', ' order by ordinal_position) as columns
     from information_schema.columns
     where table_schema = 'public' and table_name = any($1) and is_generated = 'NEVER' group by table_name`,
    [TABLES],
  );
  for (const row of rows) columns.set(row.table, row.columns);
  const target = (table: string) => `${table} (${columns.get(table)})`;
  for (const table of TABLES) {
    await db.session((session) =>
      pipeline(session.copyOut(`copy ${target(table)} to stdout`), createWriteStream(join(folder, table))),
    );
  }
  const runs: number[] = [];
  for (let run = 0; run < 2; run++) {
    // Without the triggers that keep what is published: the tables of indices refer to items.
    await db.session((session) =>
      session.query(
        `set session_replication_role = replica; truncate ${TABLES.join(', ')} cascade; reset session_replication_role`,
      ),
    );
    const begun = performance.now();
    for (const table of TABLES) {
      await db.session((session) =>
        pipeline(createReadStream(join(folder, table)), session.copyIn(`copy ${target(table)} from stdin`)),
      );
    }
    runs.push(performance.now() - begun);
  }
  return Math.min(...runs);
}
