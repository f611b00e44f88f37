import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/access/keys.ts';
import { loadPepper, pepperProblem } from '../../src/access/pepper.ts';
import { ConfigError } from '../../src/lib/config-error.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { databaseUrlOf, runProgram } from '../support/program.ts';

let database: FreshDatabase;
let base: string;
let path: string;
beforeEach(async () => {
  database = await freshDatabase();
  base = mkdtempSync(join(tmpdir(), 'mintmark-test-'));
  path = join(base, 'key-pepper');
});
afterEach(async () => {
  rmSync(base, { recursive: true });
  await database.close();
});

const failure = () =>
  loadPepper(database.db, path).then(
    () => 'loaded',
    (error: Error) => {
      expect(error).toBeInstanceOf(ConfigError);
      expect(error.message, 'one sentence').toMatch(/^[^\n]+\.$/);
      return error.message;
    },
  );

describe('the key-pepper', () => {
  test('is made once, of 32 bytes that only its owner reads, by however many processes', async () => {
    const all = await Promise.all([1, 2, 3].map(() => loadPepper(database.db, path)));
    expect(new Set(all.map((one) => one.toString('hex'))).size).toBe(1);
    expect(all[0]).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(base)).toEqual(['key-pepper']);
    expect(await loadPepper(database.db, path)).toEqual(all[0]);
  });

  test.each([0, 1, 31])('of %i bytes is rejected and left as it is', async (length) => {
    writeFileSync(path, Buffer.alloc(length, 1));
    expect(await failure()).toBe(`${path} has ${length} bytes and 32 are needed: restore the file from a backup.`);
    expect(readFileSync(path)).toHaveLength(length);
    expect(await database.db.query('select 1 from key_pepper')).toEqual([]);
  });

  test('that cannot be read is not made anew', async () => {
    mkdirSync(path);
    expect(await failure()).toContain('cannot be read (EISDIR)');
  });

  test('of another data folder is rejected by the database that has keys of the first', async () => {
    await loadPepper(database.db, path);
    path = join(base, 'other');
    expect(await failure()).toContain('copy the file key-pepper from the data folder they were made in');
    expect(existsSync(path), 'none is made').toBe(false);
    writeFileSync(path, Buffer.alloc(32, 9));
    expect(await failure()).toContain('is not the key-pepper that the keys of this database were made with');
    writeFileSync(path, readFileSync(join(base, 'key-pepper')));
    expect(await failure()).toBe('loaded');
  });

  test('is not made for a database whose keys are older than this check', async () => {
    await issueKey(database.db, Buffer.alloc(32, 7), 'old');
    expect(await failure()).toContain('copy the file key-pepper');
    writeFileSync(path, Buffer.alloc(32, 7));
    expect(await failure()).toBe('loaded');
    expect(await pepperProblem(database.db, path)).toBeNull();
  });

  test('of two folders that begin at the same moment, one is taken', async () => {
    const folders = ['a', 'b', 'c'].map((name) => join(base, name));
    for (const folder of folders) mkdirSync(folder);
    const outcomes = await Promise.allSettled(
      folders.map((folder) => loadPepper(database.db, join(folder, 'key-pepper'))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a second data folder on one database', () => {
  test('is reported by serve in one sentence, with exit code 2, and by doctor', async () => {
    const env = { DATABASE_URL: databaseUrlOf(database.connection) };
    const [first, second] = [join(base, 'first'), join(base, 'second')];
    expect((await runProgram(['keys', 'issue', 'shop'], { ...env, MINTMARK_DATA: first })).code).toBe(0);
    const served = await runProgram(['serve'], { ...env, MINTMARK_DATA: second, PORT: '0' });
    expect(served.code).toBe(2);
    expect(served.output).toMatch(
      /^mintmark: The keys of this database were made with a key-pepper that is not in [^\n]+\n$/,
    );
    const doctor = await runProgram(['doctor'], { ...env, MINTMARK_DATA: second });
    expect(doctor.code).toBe(1);
    expect(doctor.output).toMatch(/^FAIL The keys of this database .* is not in .*second/m);
    for (const name of ['key-pepper', 'record-key']) {
      writeFileSync(join(first, name), '', { flag: 'a' });
      chmodSync(join(first, name), 0o644);
    }
    chmodSync(first, 0o755);
    const open = await runProgram(['doctor'], { ...env, MINTMARK_DATA: first });
    expect(open.code).toBe(1);
    expect(open.output).toMatch(/^FAIL other users may read .*key-pepper\n.*chmod 600/m);
    expect(open.output).toMatch(/^FAIL other users may read .*record-key\n.*chmod 600/m);
    expect(open.output).toMatch(/^WARN other users may list .*first\n.*chmod go-rw/m);
    expect(statSync(second).mode & 0o777, 'a new data folder is closed').toBe(0o700);
  });
});
