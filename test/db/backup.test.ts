import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSubIndices } from '../../src/indices/sub-indices.ts';
import { canMount, isRoot } from '../support/database/embedded-process.ts';
import { guideBlock } from '../support/guide.ts';
import { runProgram } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';

let base: string;
beforeEach(() => {
  base = scratchFolder();
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Follows the guide: a key is issued, the folder backed up, removed, and restored at `restored`. */
async function backUpAndRestore(data: string, restored: string, through: string[]): Promise<void> {
  const follow = (words: string, folder: string) => {
    const [command, ...args] = [...through, 'sh', '-ec', guideBlock('operate.md', words)];
    const run = spawnSync(command!, args, {
      cwd: join(base, 'elsewhere'),
      env: { PATH: process.env.PATH, MINTMARK_DATA: folder },
      encoding: 'utf8',
    });
    expect(run.status, run.stderr).toBe(0);
  };
  const mintmark = (args: string[], folder: string) => runProgram(args, { MINTMARK_DATA: folder }, through);
  expect(await mintmark(['keys', 'issue', 'the shop'], data)).toMatchObject({ code: 0 });
  follow('sh backup', data);
  follow('sh restore', restored);
  const keys = await mintmark(['keys', 'list'], restored);
  expect(keys).toMatchObject({ code: 0, output: expect.stringContaining('live\tthe shop') });
  expect(lstatSync(join(restored, 'postgres')).isDirectory(), 'the database itself, not a link').toBe(true);
  expect((await mintmark(['doctor'], restored)).output).not.toContain('FAIL');
}

describe('the backup of the guide, restored as the guide says', () => {
  test.skipIf(!isRoot)('has the keys of an ordinary user', async () => {
    for (const name of ['home', 'elsewhere']) {
      mkdirSync(join(base, name), { mode: 0o700 });
      chownSync(join(base, name), 1, 1);
    }
    const asUser = ['setpriv', '--reuid=1', '--regid=1', '--clear-groups'];
    await backUpAndRestore(join(base, 'home', 'data'), join(base, 'elsewhere', 'data'), asUser);
  });

  test.skipIf(!canMount)('has the keys of root, whose database is outside of the data folder', async () => {
    for (const name of ['home', 'elsewhere', 'var']) mkdirSync(join(base, name));
    chmodSync(join(base, 'home'), 0o700);
    // What is kept in /var/lib stays in this test's own.
    const inside = ['unshare', '-m', 'sh', '-ec', 'mount --bind "$0" /var/lib; exec "$@"', join(base, 'var')];
    await backUpAndRestore(join(base, 'home', 'data'), join(base, 'elsewhere', 'data'), inside);
    expect(lstatSync(join(base, 'home', 'data', 'postgres')).isSymbolicLink()).toBe(true);
    expect(existsSync(join(base, 'var', 'mintmark'))).toBe(true);
    const doctor = await runProgram(['doctor'], { MINTMARK_DATA: join(base, 'home', 'data') }, inside);
    expect(doctor.output).toMatch(/^ok {3}PostgreSQL .* in \/var\/lib\/mintmark\/postgres-\w{6}$/m);
  });
});

test('the sub-indices of the guide are read as they are printed', () => {
  expect(
    readSubIndices(guideBlock('operate.md', 'yaml indices'), 'operate.md').map(({ slug, universe }) => [
      slug,
      universe,
    ]),
  ).toEqual([
    ['base-set-psa-10', { set: 'base-base1', grade: 'psa-10' }],
    ['charizards', { tag: 'character:charizard', years: [1996, 1999] }],
  ]);
});
