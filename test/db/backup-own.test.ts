import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb } from '../../src/db/client.ts';
import { anItem, aSale } from '../support/builders.ts';
import { statement, withDatabase } from '../support/database/database-server.ts';
import { guideBlock } from '../support/guide.ts';
import { databaseUrlOf, freePort, runProgram, startProgram, untilServing } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';

const DEBIAN = '/usr/lib/postgresql';
const OLDEST = 15;

/** The programs of an installed PostgreSQL, server and client: the newest that Debian's packages have put there. */
const installed = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
  .filter((version) => Number(version) >= OLDEST && existsSync(join(DEBIAN, version, 'bin', 'initdb')))
  .sort((a, b) => Number(a) - Number(b))
  .map((version) => join(DEBIAN, version, 'bin'))
  .at(-1);
if (installed === undefined)
  console.warn('skipped: the backup of an own PostgreSQL needs the Debian package postgresql');

let base: string;
let server: pg.ClientConfig;
beforeAll(() => {
  if (installed === undefined) return;
  base = scratchFolder();
  const folder = join(base, 'server');
  mkdirSync(folder);
  // PostgreSQL does not run as root.
  const isRoot = process.getuid!() === 0;
  if (isRoot) chownSync(folder, 1, 1);
  const asUser = isRoot ? ['setpriv', '--reuid=1', '--regid=1', '--clear-groups'] : [];
  const run = (...command: string[]) => {
    const [program, ...args] = [...asUser, ...command];
    execFileSync(program!, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  const data = join(folder, 'data');
  run(join(installed, 'initdb'), '-D', data, '-U', 'operator', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`;
  run(join(installed, 'pg_ctl'), '-D', data, '-l', join(folder, 'log'), '-w', '-o', options, 'start');
  stop = () => run(join(installed, 'pg_ctl'), '-D', data, '-w', '-m', 'fast', 'stop');
  server = { host: folder, user: 'operator', database: 'postgres' };
});
let stop = () => {};
afterAll(() => {
  stop();
  if (installed !== undefined) rmSync(base, { recursive: true, force: true });
});

/** Every row of the tables that people and imports fill, and of the migrations. */
async function rowsOf(connection: pg.ClientConfig): Promise<Record<string, unknown[]>> {
  const db = openDb({ connection, poolSize: 1 });
  const rows: Record<string, unknown[]> = {};
  for (const table of [
    'migrations',
    'api_keys',
    'key_pepper',
    'items',
    'item_withdrawals',
    'sources',
    'sales',
    'imports',
  ])
    rows[table] = await db.query(`select t::text from ${table} t order by 1`);
  await db.close();
  return rows;
}

test.skipIf(installed === undefined)(
  'the dump of the guide, taken from a running server and loaded as the guide says, has everything',
  async () => {
    const [home, elsewhere] = [join(base, 'home'), join(base, 'elsewhere')];
    for (const folder of [home, elsewhere]) mkdirSync(folder);
    for (const name of ['before', 'after']) await statement(server, `create database ${name}`);
    const [before, after] = [withDatabase(server, 'before'), withDatabase(server, 'after')];
    const envOf = (connection: pg.ClientConfig, folder: string) => ({
      DATABASE_URL: databaseUrlOf(connection),
      MINTMARK_DATA: join(folder, 'data'),
    });
    const follow = (block: string, env: Record<string, string>) => {
      const run = spawnSync('sh', ['-ec', guideBlock('operate.md', block)], {
        cwd: elsewhere,
        env: { PATH: `${installed}:${process.env.PATH}`, ...env },
        encoding: 'utf8',
      });
      expect([run.status, run.stderr]).toEqual([0, '']);
    };
    const [old, restored] = [envOf(before, home), envOf(after, elsewhere)];

    expect(await runProgram(['keys', 'issue', 'the shop'], old)).toMatchObject({ code: 0 });
    const db = openDb({ connection: before, poolSize: 2 });
    const itemId = await anItem(db);
    await aSale(db, { itemId });
    await db.query('update items set removed_at = now() where id = $1', [itemId]);
    await db.close();
    const serving = startProgram(['serve'], { ...old, PORT: String(await freePort()) });
    try {
      await untilServing(serving);
      follow('sh dump', old);
    } finally {
      serving.kill();
      await serving.ended;
    }
    follow('sh restore', restored);
    follow('sh load', restored);

    const rows = await rowsOf(after);
    expect(rows).toEqual(await rowsOf(before));
    for (const [table, some] of Object.entries(rows)) expect(some.length, table).toBeGreaterThan(0);
    const keys = await runProgram(['keys', 'list'], restored);
    expect(keys).toMatchObject({ code: 0, output: expect.stringContaining('live\tthe shop') });
    expect((await runProgram(['doctor'], restored)).output).not.toContain('FAIL');
    // What the database guards and counts by itself is there too.
    const loaded = openDb({ connection: after, poolSize: 1 });
    await loaded.query('update items set removed_at = null where id = $1', [itemId]);
    const noted = await loaded.query('select withdrawn from item_withdrawals order by id');
    expect(noted).toEqual([{ withdrawn: true }, { withdrawn: false }]);
    await expect(loaded.query('delete from item_withdrawals')).rejects.toThrow(/append-only/);
    await loaded.close();
  },
);
