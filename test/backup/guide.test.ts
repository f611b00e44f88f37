import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { canMount, isRoot } from '../support/database/embedded-process.ts';
import { guideBlock } from '../support/guide.ts';
import { runProgram } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';

let base: string;
beforeEach(() => {
  base = scratchFolder();
  // The command that the guide writes.
  mkdirSync(join(base, 'bin'));
  writeFileSync(join(base, 'bin/mintmark'), `#!/bin/sh\nexec ${process.execPath} ${inject('program')} "$@"\n`, {
    mode: 0o755,
  });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Follows the guide from the installation at `data` to one at `restored`. */
async function backUpAndRestore(data: string, restored: string, through: string[]): Promise<void> {
  const backups = join(restored, '../backups');
  let file = 'absent';
  const follow = (words: string, folder: string): string => {
    const script = guideBlock('backup.md', words)
      .replaceAll(/\/var\/backups\/mintmark\/\S+\.tar/g, file)
      .replaceAll('/var/backups/mintmark', backups);
    const [command, ...args] = [...through, 'sh', '-ec', script];
    const run = spawnSync(command!, args, {
      cwd: base,
      env: { PATH: `${join(base, 'bin')}:${process.env.PATH}`, MINTMARK_DATA: folder, XDG_CONFIG_HOME: '/nonexistent' },
      encoding: 'utf8',
    });
    expect(run.status, run.stderr).toBe(0);
    return run.stdout;
  };
  const mintmark = (args: string[], folder: string) => runProgram(args, { MINTMARK_DATA: folder }, through);
  expect(await mintmark(['keys', 'issue', 'the shop'], data)).toMatchObject({ code: 0 });
  expect(follow('sh backup', data)).toContain(backups);
  file = join(backups, readdirSync(backups)[0]!);
  expect(follow('sh verify', data)).toContain('verified: ');
  expect(follow('sh restore', restored)).toContain('restored: ');
  const keys = await mintmark(['keys', 'list'], restored);
  expect(keys).toMatchObject({ code: 0, output: expect.stringMatching(/–\s+the shop\n/) });
  expect((await mintmark(['doctor'], restored)).output).not.toContain('FAIL');
}

describe('the guide of backups, followed', () => {
  test.skipIf(!isRoot)('moves the keys of an ordinary user', async () => {
    for (const name of ['home', 'elsewhere']) {
      mkdirSync(join(base, name), { mode: 0o700 });
      chownSync(join(base, name), 1, 1);
    }
    const asUser = ['setpriv', '--reuid=1', '--regid=1', '--clear-groups'];
    await backUpAndRestore(join(base, 'home', 'data'), join(base, 'elsewhere', 'data'), asUser);
  });

  test.skipIf(!canMount)('moves the keys of root, whose database is outside of the data folder', async () => {
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
