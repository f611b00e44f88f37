import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDatabase, type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { openDisk } from '../support/database/disk.ts';
import { canMount } from '../support/database/embedded-process.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, runProgram, startProgram } from '../support/program.ts';
import { fillInstallation } from './installation.ts';

const folder = folderOfRun();
const dataDir = join(folder, 'data');
let source: FreshDatabase;
let env: Record<string, string>;
let file: string;
const newFolder = (name: string) => join(folder, name);
const stateOf = async () =>
  (
    await source.db.query<{ problem: string | null; bytes: number | null }>(
      'select problem, bytes from backups order by id desc limit 1',
    )
  )[0]!;

beforeAll(async () => {
  source = await freshDatabase();
  mkdirSync(dataDir);
  await fillInstallation(source.db, dataDir);
  // Some 30 MB that do not compress: long enough to be killed in, too large for a small disk.
  await source.db.query(
    `insert into record_parameters select sha256(i::text::bytea),
       (select string_agg(encode(sha256((i * 10000 + n)::text::bytea), 'hex'), '') from generate_series(1, 900) n)
     from generate_series(1, 1000) i`,
  );
  env = { MINTMARK_DATA: dataDir, DATABASE_URL: databaseUrlOf(source.connection) };
  const made = await runProgram(['backup', newFolder('good'), '--json'], env);
  expect(made, made.output).toMatchObject({ code: 0 });
  file = JSON.parse(made.printed).place;
});
afterAll(() => source.close());

describe('a backup', () => {
  test('that is killed leaves a file that the next one removes, and doctor says so', async () => {
    // Where the last one went: another place is the matter of the person who named it.
    const backups = newFolder('good');
    const killed = startProgram(['backup', backups], env);
    const begun = () => readdirSync(backups).filter((name) => statSync(join(backups, name)).size > 0);
    for (;;) {
      await sleep(5);
      if (begun().length > 1) break;
      expect(killed.hasEnded(), killed.output()).toBe(false);
    }
    killed.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    const [whole, part] = [
      expect.stringMatching(/^mintmark-.*\.tar$/),
      expect.stringMatching(/^mintmark-.*\.tar\.part$/),
    ];
    expect(readdirSync(backups).sort()).toEqual([whole, part]);
    // The server notices that its client is gone.
    await expect
      .poll(async () => (await runProgram(['doctor'], env)).output)
      .toMatch(/^FAIL the backup of \S+ failed: It was cut off before its end\. Last backup \S+: \/\S+\.tar\n {5}→ /m);
    const next = await runProgram(['backup', backups], env);
    expect(next, next.output).toMatchObject({ code: 0 });
    expect(readdirSync(backups).sort()).toEqual([whole, whole]);
    expect((await runProgram(['doctor'], env)).output).toMatch(/^ok {3}last backup /m);
  });

  test('that is asked to stop leaves nothing', async () => {
    const backups = newFolder('stopped');
    const stopped = startProgram(['backup', backups], env);
    while (!statSync(backups, { throwIfNoEntry: false }) || readdirSync(backups).length === 0) await sleep(5);
    stopped.kill('SIGTERM');
    expect(await stopped.ended).toBe(1);
    expect(stopped.errors()).toBe('mintmark: The backup was stopped before its end.\n');
    expect(readdirSync(backups)).toEqual([]);
  });

  test.skipIf(!canMount)('that fills the disk ends with a sentence and leaves nothing; those before stay', async () => {
    const backups = newFolder('full');
    mkdirSync(backups);
    const disk = await openDisk(backups, '8m');
    try {
      const run = await disk.run(['backup', backups], env);
      expect(run).toMatchObject({
        code: 1,
        printed: '',
        errors: `mintmark: There is no space left on the disk of ${backups}: make room, or choose another place.\n`,
      });
      expect(disk.list()).toBe('');
      expect(await stateOf()).toEqual({ problem: run.errors.slice('mintmark: '.length, -1), bytes: null });
    } finally {
      await disk.close();
    }
  });

  test('to a program that ends is a fault, not a backup', async () => {
    const run = await runProgram(['backup', '-'], env, [
      'sh',
      '-c',
      '{ "$@"; echo "rc $?" >&2; } | head -c 1000 | wc -c',
      'sh',
    ]);
    expect(run.printed.trim()).toBe('1000');
    expect(run.errors).toBe('mintmark: The reader of standard output ended before the backup did.\nrc 1\n');
    expect((await stateOf()).problem).toMatch(/^The reader/);
  });

  test('to standard output is the same as to a folder, and warns of a file that others read', async () => {
    const to = join(folder, 'streamed.tar');
    const run = await runProgram(['backup', '-', '--json'], env, ['sh', '-c', 'umask 022; exec "$@" > "$0"', to]);
    expect(run, run.output).toMatchObject({ code: 0 });
    // Lines of progress may come in between.
    const lines = run.errors.trim().split('\n');
    expect(lines[0]).toMatch(/^warning: other users may read the file/);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ place: '-', bytes: statSync(to).size });
    expect(await runProgram(['backup', 'verify', to], {})).toMatchObject({ code: 0 });
    const closed = join(folder, 'closed.tar');
    const own = await runProgram(['backup', '-'], env, ['sh', '-c', 'umask 077; exec "$@" > "$0"', closed]);
    expect(own.errors).not.toContain('warning');
  });

  test('runs once at a time', async () => {
    await source.db.session(async (session) => {
      await session.query('select pg_advisory_lock(714005)');
      const run = await runProgram(['backup', newFolder('second')], env);
      expect(run).toMatchObject({ code: 1, errors: expect.stringMatching(/^mintmark: Another backup .* is running/) });
      await session.query('select pg_advisory_unlock(714005)');
    });
  });

  test('without the pepper or the record key of its database is not made', async () => {
    for (const name of ['key-pepper', 'record-key']) {
      const elsewhere = newFolder(`without-${name}`);
      mkdirSync(elsewhere);
      for (const kept of ['key-pepper', 'record-key'])
        if (kept !== name) copyFileSync(join(dataDir, kept), join(elsewhere, kept));
      const run = await runProgram(['backup', newFolder('none')], { ...env, MINTMARK_DATA: elsewhere });
      expect(run).toMatchObject({ code: 2, errors: expect.stringContaining(name) });
    }
    expect(readdirSync(newFolder('none'))).toEqual([]);
  });

  test('of a machine without the pictures has everything else, and says so', async () => {
    const elsewhere = newFolder('without-pictures');
    mkdirSync(elsewhere);
    for (const kept of ['key-pepper', 'record-key']) copyFileSync(join(dataDir, kept), join(elsewhere, kept));
    const run = await runProgram(['backup', newFolder('pictures'), '--json'], { ...env, MINTMARK_DATA: elsewhere });
    expect(run).toMatchObject({ code: 5, errors: expect.stringContaining('5 files of pictures or models are not in') });
    expect(JSON.parse(run.printed)).toMatchObject({ files: 0, missing: 5 });
  });
});

describe('a restore', () => {
  let target: FreshDatabase;
  let into: Record<string, string>;
  beforeAll(async () => {
    target = await emptyDatabase();
    into = { MINTMARK_DATA: newFolder('into'), DATABASE_URL: databaseUrlOf(target.connection) };
  });
  afterAll(() => target.close());

  /** Nothing of the backup is there. */
  async function expectUntouched(): Promise<void> {
    expect(await target.db.query('select from sales union all select from api_keys')).toEqual([]);
    expect(readdirSync(into.MINTMARK_DATA!)).toEqual([]);
  }
  const damagedFile = (name: string, damage: (bytes: Buffer) => Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, damage(readFileSync(file)));
    return path;
  };
  const flip = (at: (length: number) => number) => (bytes: Buffer) => {
    bytes[at(bytes.length)]! ^= 16;
    return bytes;
  };

  test('of a file with a wrong byte changes nothing, whether it is read from a file or a stream', async () => {
    await runProgram(['migrate'], into);
    for (const [name, damage] of [
      ['early.tar', flip(() => 700)],
      ['middle.tar', flip((length) => length >> 1)],
      ['late.tar', flip((length) => length - 3000)],
      ['seal.tar', flip((length) => length - 1500)],
      ['cut.tar', (bytes: Buffer) => bytes.subarray(0, bytes.length - 5000)],
      ['empty.tar', () => Buffer.alloc(0)],
    ] as const) {
      const path = damagedFile(name, damage);
      // Each run starts a program: both ways where the damage is found first and last.
      const stream = ['sh', '-c', 'exec "$@" < "$0"', path];
      for (const through of name === 'early.tar' || name === 'seal.tar' ? [[], stream] : [[]]) {
        const run = await runProgram(['restore', through.length === 0 ? path : '-'], into, through);
        expect(run, `${name} ${run.output}`).toMatchObject({
          code: 3,
          errors: expect.stringMatching(/^mintmark: This backup cannot be used: [^\n]+\.\n$/m),
        });
        await expectUntouched();
      }
    }
  });

  test('of what is not there or not a backup is a sentence', async () => {
    expect(await runProgram(['restore', join(folder, 'absent.tar')], into)).toMatchObject({
      code: 3,
      errors: expect.stringMatching(/absent\.tar does not exist\.\n$/),
    });
    const text = join(folder, 'notes.txt');
    writeFileSync(text, 'notes\n'.repeat(1000));
    expect(await runProgram(['restore', text], into)).toMatchObject({
      code: 3,
      errors: expect.stringContaining('not a backup'),
    });
  });

  test('that is killed is run again', async () => {
    const killed = startProgram(['restore', file], into);
    while (!statSync(join(into.MINTMARK_DATA!, 'restore.part'), { throwIfNoEntry: false })) {
      await sleep(2);
      expect(killed.hasEnded(), killed.output()).toBe(false);
    }
    killed.kill('SIGKILL');
    await killed.ended;
    expect(await target.db.query('select from sales')).toEqual([]);
    const again = await runProgram(['restore', file], into);
    expect(again, again.output).toMatchObject({ code: 0 });
    expect(readdirSync(into.MINTMARK_DATA!).sort()).toEqual([
      'images',
      'key-pepper',
      'models',
      'record-key',
      'restored-settings',
    ]);
  });

  test('into an installation with rows, or with the pepper of another, changes nothing', async () => {
    const count = () => target.db.query('select count(*) as sales from sales');
    const before = await count();
    expect(await runProgram(['restore', file], into)).toMatchObject({
      code: 4,
      errors: expect.stringMatching(
        /^mintmark: This installation is not empty \(table \w+ has rows\) and stays as it is/,
      ),
    });
    expect(await count()).toEqual(before);

    const empty = await freshDatabase();
    const other = newFolder('other');
    mkdirSync(other);
    writeFileSync(join(other, 'key-pepper'), Buffer.alloc(32, 1));
    const run = await runProgram(['restore', file], {
      MINTMARK_DATA: other,
      DATABASE_URL: databaseUrlOf(empty.connection),
    });
    expect(run).toMatchObject({
      code: 4,
      errors: expect.stringContaining('key-pepper belongs to another installation'),
    });
    expect(readFileSync(join(other, 'key-pepper'))).toEqual(Buffer.alloc(32, 1));
    expect(await empty.db.query('select from sales')).toEqual([]);
    await empty.close();
  });

  test('waits ten seconds for other processes, not for ever', async () => {
    const busy = await freshDatabase();
    await busy.db.transaction(async (session) => {
      await session.query('lock table sales in share mode');
      const run = await runProgram(['restore', file], {
        MINTMARK_DATA: newFolder('busy'),
        DATABASE_URL: databaseUrlOf(busy.connection),
      });
      expect(run).toMatchObject({ code: 4, errors: expect.stringContaining('Other processes use the database') });
    });
    await busy.close();
  });
});
