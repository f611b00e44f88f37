import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../src/files.ts';
import { folderOfRun } from './support/database/run-folder.ts';
import { runProgram } from './support/program.ts';

const isRoot = process.getuid?.() === 0;
const folder = folderOfRun();
const ORDINARY = '54001';
const asOrdinary = ['setpriv', `--reuid=${ORDINARY}`, `--regid=${ORDINARY}`, '--clear-groups'];

/** What init, which makes the folder of the file and the file, says to an ordinary user. */
async function saidOf(path: string): Promise<string> {
  const { errors, code } = await runProgram(['init', '--yes', '--file', path], {}, asOrdinary);
  expect(code).toBe(1);
  return errors;
}

test.skipIf(!isRoot)(
  'of a path that may not be used, the folder, its owner and the command that mends it are named',
  async () => {
    chmodSync(folder, 0o755);
    const theirs = join(folder, 'theirs');
    mkdirSync(theirs, { mode: 0o755 });
    const write = `User ${ORDINARY} may not write the folder ${theirs}, which belongs to root: as root, run "chown ${ORDINARY} ${theirs}".`;
    expect(await saidOf(join(theirs, 'mintmark.env'))).toBe(
      `mintmark: ${join(theirs, 'mintmark.env')} cannot be used (open). ${write}\n`,
    );
    expect(await saidOf(join(theirs, 'new', 'deeper', 'mintmark.env'))).toContain(
      `may not write the folder ${theirs}, which belongs to root: as root, run "install -d -o ${ORDINARY} ${join(theirs, 'new')}".`,
    );
    chmodSync(theirs, 0o700);
    expect(await saidOf(join(theirs, 'new', 'mintmark.env'))).toContain(
      `User ${ORDINARY} may not enter the folder ${theirs}, which belongs to root: as root, run "chmod o+x ${theirs}", or choose a folder elsewhere.`,
    );
    chmodSync(theirs, 0o755);
    const own = join(theirs, 'own');
    mkdirSync(own, { mode: 0o500 });
    chownSync(own, Number(ORDINARY), Number(ORDINARY));
    expect(await saidOf(join(own, 'mintmark.env'))).toContain(
      `User ${ORDINARY} may not write the folder ${own}, though it is the owner: run "chmod u+rwx ${own}".`,
    );
  },
);

test.skipIf(!isRoot)(
  'of a file that may not be read, the file is named, and who may read it is not everyone',
  async () => {
    chmodSync(folder, 0o755);
    const path = join(folder, 'mintmark.env');
    writeFileSync(path, 'PORT=0\n', { mode: 0o600 });
    const { errors, code } = await runProgram(['config'], { MINTMARK_ENV: path }, asOrdinary);
    expect(errors).toContain(
      `User ${ORDINARY} may not read the file ${path}, which belongs to root: as root, run "chgrp ${ORDINARY} ${path} && chmod g+r ${path}"`,
    );
    expect(code).toBe(2);
    // As the guide makes it: another group would take it from the service.
    chmodSync(path, 0o640);
    const again = await runProgram(['config'], { MINTMARK_ENV: path }, asOrdinary);
    expect(again.errors).toContain(
      `User ${ORDINARY} may not read the file ${path}, which belongs to root, and which its group may read: run this as a user of that group`,
    );
    expect(again.errors).not.toContain('chgrp');
  },
);

test.skipIf(!isRoot)(
  'of a folder into which nothing may be written it is said why, also of one that is not there yet',
  () => {
    chmodSync(folder, 0o755);
    const [theirs, own] = [join(folder, 'backups'), join(folder, 'ordinary')];
    mkdirSync(theirs, { mode: 0o755 });
    mkdirSync(own, { mode: 0o700 });
    chownSync(own, Number(ORDINARY), Number(ORDINARY));
    const [command, ...args] = asOrdinary as [string, ...string[]];
    const denialOfWriting = (place: string) => {
      const code = `const { writeDenialOf } = await import('./src/files.ts'); console.log(writeDenialOf('${place}'))`;
      const run = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', code];
      const { stdout, stderr } = spawnSync(command, [...args, ...run], { encoding: 'utf8' });
      return stdout.trim() || stderr;
    };
    for (const place of [theirs, join(theirs, 'new')])
      expect(denialOfWriting(place)).toContain(
        `User ${ORDINARY} may not write the folder ${theirs}, which belongs to root`,
      );
    for (const place of [own, join(own, 'new', 'deeper')]) expect(denialOfWriting(place)).toBe('null');
    chmodSync(theirs, 0o700);
    expect(denialOfWriting(theirs)).toContain(`as root, run "chown -R ${ORDINARY} ${theirs}"`);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a folder that cannot be made is a fault at once, also where names have no room',
  () => {
    expect(() => makeFolder('/proc/mintmark/a')).toThrow(/ENOENT|EACCES/);
  },
);

test('a folder is made with those above it, and stays as it is when it is there', () => {
  const path = join(folder, 'a/b/c');
  makeFolder(path, 0o700);
  makeFolder(path, 0o755);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});
