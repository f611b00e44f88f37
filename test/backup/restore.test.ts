import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDb } from '../../src/db/client.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { freshDatabase } from '../support/database/database.ts';
import { statement, withDatabase } from '../support/database/database-server.ts';
import { hasDebianServer, startDebianServer } from '../support/database/debian-server.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, runProgram } from '../support/program.ts';
import { answersOf, fillInstallation, tableHashes } from './installation.ts';

const SILENT = { info: () => {}, warn: () => {} };
const folder = folderOfRun();
const BACKUPS = join(folder, 'backups');
const SETTINGS = { BASE_URL: 'https://prices.example', SERVICE_NAME: "Card's shop", LOG_LEVEL: 'warn' };

/** Where an installation of its own database is. */
type Place = { env: Record<string, string>; dataDir: string; open(): Promise<{ db: Db; close(): Promise<void> }> };

const embedded = (name: string): Place => {
  const dataDir = join(folder, name);
  return {
    dataDir,
    env: { MINTMARK_DATA: dataDir, ...SETTINGS },
    async open() {
      const { connection, stop } = await startEmbedded({
        folder: join(dataDir, 'postgres'),
        log: SILENT,
        durable: false,
      });
      const db = openDb({ connection, poolSize: 4 });
      return {
        db,
        async close() {
          await db.close();
          await stop();
        },
      };
    },
  };
};
const own = (name: string, server: pg.ClientConfig): Place => {
  const [dataDir, connection] = [join(folder, name), withDatabase(server, name)];
  return {
    dataDir,
    env: { MINTMARK_DATA: dataDir, DATABASE_URL: databaseUrlOf(connection), ...SETTINGS },
    async open() {
      const db = openDb({ connection, poolSize: 4 });
      return { db, close: () => db.close() };
    },
  };
};

async function look<T>(place: Place, at: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = await place.open();
  return await at(db).finally(close);
}

const home = embedded('home');
let items: string[];
let file: string;
let expected: { hashes: Awaited<ReturnType<typeof tableHashes>>; answers: Map<string, string> };

beforeAll(async () => {
  const { db, close } = await home.open();
  await migrate(db);
  ({ items } = await fillInstallation(db, home.dataDir));
  expected = { hashes: await tableHashes(db), answers: await answersOf(db, home.dataDir, items) };
  const made = await runProgram(['backup', BACKUPS], home.env);
  expect(made, made.output).toMatchObject({ code: 0 });
  expect(made.printed).toMatch(/^\/\S+\.tar: \d+ tables, [\d,]+ rows, 5 files, \d+(\.\d+)? [kM]B in [\d.]+ s\n$/);
  file = made.printed.split(': ')[0]!;
  await close();
});

/** Everything is there as it was when the backup was made. */
async function expectRestored(place: Place): Promise<void> {
  await look(place, async (db) => {
    expect(Object.fromEntries(await tableHashes(db))).toEqual(Object.fromEntries(expected.hashes));
    const answers = await answersOf(db, place.dataDir, items);
    expect([...answers.keys()]).toEqual([...expected.answers.keys()]);
    for (const [path, answer] of answers) expect(answer, path).toBe(expected.answers.get(path));
    // What the database guards, counts and computes by itself.
    await expect(db.query('delete from index_levels')).rejects.toThrow(/append-only/);
    await expect(db.query(`update items set set_id = -1`)).rejects.toThrow(/foreign key/);
    const [row] = await db.query<{ top: number; next: number }>(
      `select (select max(id) from sales) as top, nextval('sales_id_seq') as next`,
    );
    expect(row!.next).toBeGreaterThan(row!.top);
    expect(await db.query('select value_class from crawl_states')).toEqual([{ value_class: 33 }]);
  });
  for (const name of ['key-pepper', 'record-key'])
    expect(readFileSync(join(place.dataDir, name))).toEqual(readFileSync(join(home.dataDir, name)));
  expect(statSync(join(place.dataDir, 'key-pepper')).mode & 0o777).toBe(0o600);
  expect(existsSync(join(place.dataDir, 'restore.part'))).toBe(false);
}

test('the installation has rows in almost every table, and answers everywhere', () => {
  const empty = [...expected.hashes].filter(([, { rows }]) => rows === 0).map(([name]) => name);
  expect(empty.length, empty.join()).toBeLessThan(8);
  const failing = [...expected.answers]
    .filter(([path, answer]) => (path.includes(' ') ? answer.startsWith('5') : !answer.startsWith('200 ')))
    .map(([path]) => path);
  // The withdrawn card.
  expect(failing.filter((path) => !path.includes(items.at(-1)!))).toEqual([]);
});

describe('a backup of the embedded database', () => {
  test('is a file that only its owner reads, with the settings in force', async () => {
    expect(readdirSync(BACKUPS)).toEqual([file.split('/').at(-1)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is restored into another embedded database', async () => {
    const place = embedded('moved');
    const restored = await runProgram(['restore', file], place.env);
    expect(restored, restored.output).toMatchObject({ code: 0 });
    expect(restored.printed).toMatch(
      /^restored: \d+ tables with [\d,]+ rows and 5 files, as of 20\S+, made by Mintmark \d/,
    );
    await expectRestored(place);
    const settings = parseEnv(readFileSync(join(place.dataDir, 'restored-settings/mintmark.env'), 'utf8'));
    expect(settings).toEqual({ ...SETTINGS, MINTMARK_DATA: home.dataDir });
    const doctor = await runProgram(['doctor'], place.env);
    // The days since the backup are open until a worker starts.
    expect(doctor.output.match(/^FAIL .*/gm)).toEqual([expect.stringMatching(/^FAIL prices are closed through /)]);
    expect((await runProgram(['keys', 'list'], place.env)).printed).toMatch(/–\s+the shop\n/);
  });

  test.skipIf(!hasDebianServer)('is restored into a PostgreSQL of another version, and from there back', async () => {
    const server = startDebianServer();
    try {
      await statement(server.connection, 'create role shop login');
      await statement(server.connection, 'create database own owner shop');
      // An ordinary user: servers in the cloud give no superuser.
      const place = own('own', { ...server.connection, user: 'shop' });
      const restored = await runProgram(['restore', file, '--json'], place.env);
      expect(restored, restored.output).toMatchObject({ code: 0 });
      expect(JSON.parse(restored.printed)).toMatchObject({ tables: expected.hashes.size, files: 5 });
      await expectRestored(place);

      const made = await runProgram(['backup', join(folder, 'own-backups'), '--json'], place.env);
      expect(made, made.output).toMatchObject({ code: 0 });
      const back = embedded('back');
      expect(await runProgram(['restore', JSON.parse(made.printed).place], back.env)).toMatchObject({ code: 0 });
      await expectRestored(back);
    } finally {
      server.stop();
    }
  });

  test('is restored from standard input, into the data folder that it is of', async () => {
    // The step from the embedded database to an own one on the same machine.
    const { connection, close } = await freshDatabase();
    const place = { ...own(connection.database!, connection), dataDir: home.dataDir };
    const env = { ...place.env, MINTMARK_DATA: home.dataDir };
    const run = await runProgram(['restore', '-'], env, ['sh', '-c', 'exec "$@" < "$0"', file]);
    expect(run, run.output).toMatchObject({ code: 0 });
    await expectRestored(place);
    await close();
  });

  test('is verified in a scratch database, without the installation', async () => {
    const env = { MINTMARK_DATA: '/nonexistent', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const run = await runProgram(['backup', 'verify', file], env);
    expect(run, run.output).toMatchObject({ code: 0 });
    expect(run.printed).toMatch(/^verified: \d+ tables with [\d,]+ rows are as they were backed up, 5 files; made 20/);
    const { printed } = await runProgram(['backup', 'verify', file, '--json'], env);
    expect(JSON.parse(printed)).toMatchObject({ files: 5 });
  });
});
