import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Db, openDb } from '../../src/db/client.ts';
import { type Embedded, startEmbedded } from '../../src/db/embedded.ts';
import { findPostmaster } from '../../src/db/embedded-postmaster.ts';
import { type Disk, openDisk } from '../support/database/disk.ts';
import { canMount, keepersOf } from '../support/database/embedded-process.ts';
import { freePort, type Program, startProgram } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';

let base: string;
let folder: string;
let programs: Program[];
let disk: Disk | null;
beforeEach(() => {
  base = scratchFolder();
  folder = join(base, 'postgres');
  programs = [];
  disk = null;
});
afterEach(async () => {
  for (const program of programs) program.kill('SIGKILL');
  await Promise.all(programs.map(({ ended }) => ended));
  await disk?.close();
  const left = findPostmaster(folder);
  if (left !== null) process.kill(left.pid, 'SIGQUIT');
  await expect.poll(() => findPostmaster(folder), { timeout: 10_000 }).toBeNull();
  rmSync(base, { recursive: true, force: true });
});

const start = (): Promise<Embedded> =>
  startEmbedded({ folder, log: { info: () => {}, warn: () => {} }, durable: false });

const readLog = () => readFileSync(join(folder, 'mintmark', 'server.log'), 'utf8');

/** Kills a backend that writes, and returns once the server has begun to recover: from then on it cannot be stopped in order. */
async function crash(db: Db): Promise<void> {
  await db.query('create table if not exists filled (n int, text text)');
  const writing = Array.from({ length: 4 }, () =>
    db.query('insert into filled select n, md5(n::text) from generate_series(1, 2000000) n').catch(() => 'lost'),
  );
  const writers = () =>
    db.query<{ pid: number }>(
      `select pid from pg_stat_activity where query like 'insert into filled%' and now() - query_start > interval '0.5 s'`,
    );
  await expect.poll(async () => (await writers()).length, { timeout: 10_000 }).toBe(4);
  process.kill((await writers())[0]!.pid, 'SIGKILL');
  expect(await Promise.all(writing)).toEqual(['lost', 'lost', 'lost', 'lost']);
  await expect.poll(readLog, { timeout: 10_000 }).toContain('reinitializing');
}

describe('after a crash under load', () => {
  test('the last process that leaves has the server ended, and the next start works', async () => {
    const first = await start();
    const db = openDb({ connection: first.connection, poolSize: 6 });
    await db.query('create table kept as select 7 as seven');
    await crash(db);
    await db.close();
    await first.stop();
    expect(findPostmaster(folder)).toBeNull();
    const second = await start();
    const again = openDb({ connection: second.connection, poolSize: 1 });
    expect(await again.query('select seven, (select count(*) from filled) as filled from kept')).toEqual([
      { seven: 7, filled: 0 },
    ]);
    await again.close();
    await second.stop();
    expect(findPostmaster(folder)).toBeNull();
  });

  test('a start that finds the server stopping for good, without a keeper, ends it and works', async () => {
    const first = await start();
    const db = openDb({ connection: first.connection, poolSize: 6 });
    await crash(db);
    await db.close();
    const stuck = findPostmaster(folder)!;
    for (const pid of keepersOf(folder)) process.kill(pid, 'SIGKILL');
    process.kill(stuck.pid, 'SIGINT');
    // The state of its lock file may stay that of the recovery; its log has what it is doing.
    await expect.poll(readLog, { timeout: 10_000 }).toContain('fast shutdown request');
    const second = await start();
    expect(findPostmaster(folder)?.pid).not.toBe(stuck.pid);
    const again = openDb({ connection: second.connection, poolSize: 1 });
    expect(await again.query('select 1 as one')).toEqual([{ one: 1 }]);
    await again.close();
    await first.stop();
    await second.stop();
    expect(findPostmaster(folder)).toBeNull();
  });
});

/** Cards of a catalog file that takes some megabytes in the database. */
function catalogLines(count: number): string {
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ game: 'pokemon', set: { key: 'base', name: 'Base Set' }, number: String(n), name: `Card ${n}` }),
  );
  return `${lines.join('\n')}\n`;
}

describe.runIf(canMount)('a disk of 60 MB', () => {
  test('that an import has run full lets the next start say so, and work as soon as there is room', async () => {
    mkdirSync(join(base, 'disk'));
    disk = await openDisk(join(base, 'disk'), '60m');
    const [large, small] = [join(base, 'large.ndjson'), join(base, 'small.ndjson')];
    writeFileSync(large, catalogLines(60_000));
    writeFileSync(small, catalogLines(10));
    const env = { MINTMARK_DATA: join(base, 'disk', 'data') };
    const full = await disk.run(['import', 'catalog', 'mintmark', large], env);
    expect(full.code).not.toBe(0);
    // Which of the two depends on what was written when the disk was full: a table, or the log of changes.
    expect(full.output).toMatch(/^mintmark: .*(No space left|no space left|connection to the database was lost)/m);
    expect(full.output.match(/^mintmark: /gm), full.output).toHaveLength(1);
    expect(full.output).not.toMatch(/^ {4}at /m);
    const startedMs = Date.now();
    const next = await disk.run(['migrate'], env);
    expect(Date.now() - startedMs, 'it does not wait for a server that never stops').toBeLessThan(45_000);
    expect([0, 4]).toContain(next.code);
    if (next.code === 4) expect(next.output).toMatch(/^mintmark: There is no space left on the disk of [^\n]+\n$/);
    disk.resize('200m');
    const roomy = await disk.run(['import', 'catalog', 'mintmark', small], env);
    expect(roomy.code, roomy.output).toBe(0);
  });
});

describe('a server that ends while serve runs', () => {
  let port: number;
  const health = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
  async function serve(): Promise<Program> {
    port = await freePort();
    const env = { MINTMARK_DATA: base, PORT: String(port), LIMITS: 'off' };
    const program = startProgram(['serve'], env);
    programs.push(program);
    await expect.poll(health, { timeout: 60_000, interval: 100 }).toBe(200);
    return program;
  }

  test('is started again within seconds, each time', async () => {
    const program = await serve();
    for (let round = 0; round < 2; round++) {
      const { pid } = findPostmaster(folder)!;
      process.kill(pid, 'SIGKILL');
      await expect.poll(health, { timeout: 5_000, interval: 20 }).toBe(503);
      await expect.poll(health, { timeout: 15_000, interval: 100 }).toBe(200);
      expect(findPostmaster(folder)?.pid).not.toBe(pid);
    }
    program.kill();
    expect(await program.ended).toBe(0);
    expect(findPostmaster(folder)).toBeNull();
  });

  test('and cannot be started again ends the program with code 4 and one sentence', async () => {
    const program = await serve();
    appendFileSync(join(folder, 'postgresql.conf'), '\nno such setting\n');
    process.kill(findPostmaster(folder)!.pid, 'SIGKILL');
    expect(await program.ended).toBe(4);
    expect(program.output()).toMatch(/\nmintmark: PostgreSQL did not start on [^\n]+\n$/);
  });

  test('because its folder is gone ends the program with code 4 and one sentence', async () => {
    const program = await serve();
    renameSync(base, `${base}-away`);
    const code = await program.ended;
    renameSync(`${base}-away`, base);
    expect(code, program.output()).toBe(4);
    expect(program.output()).toMatch(
      /\nmintmark: The folder of the embedded PostgreSQL, [^\n]+, is gone: mount it[^\n]+\n$/,
    );
  });
});
