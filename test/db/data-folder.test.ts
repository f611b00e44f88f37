import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDataFolder } from '../../src/db/data-folder.ts';
import { freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, runProgram } from '../support/program.ts';

test('only its owner may look into a data folder, and into the folders around it that are made with it', () => {
  const around = join(folderOfRun(), 'share', 'mintmark');
  makeDataFolder(join(around, 'demo'));
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  expect([modeOf(join(around, 'demo')), modeOf(around)]).toEqual([0o700, 0o711]);
});

test('a data folder that cannot be made is named as that, with the command that makes it, not as a database', async () => {
  const file = join(folderOfRun(), 'file');
  writeFileSync(file, '');
  expect(() => makeDataFolder(join(file, 'data'))).toThrow(
    /^The data folder .*file.data cannot be made \(.+\): choose another one with MINTMARK_DATA\.$/,
  );
  if (process.getuid?.() !== 0) return;
  const database = await freshDatabase();
  const data = join(dirname(file), 'data');
  const env = { DATABASE_URL: databaseUrlOf(database.connection), MINTMARK_DATA: data };
  const asAnother = ['setpriv', '--reuid=1', '--regid=1', '--clear-groups'];
  const { code, output } = await runProgram(['doctor'], env, asAnother);
  expect([code, output]).toEqual([
    4,
    expect.stringMatching(
      /^mintmark: The data folder (\S+) cannot be made\. User (\w+) may not \w+ the folder \S+, which belongs to root: as root, run "[^"]+", or choose another one with MINTMARK_DATA\.\n$/,
    ),
  ]);
  await database.close();
});
