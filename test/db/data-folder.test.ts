import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDataFolder } from '../../src/db/data-folder.ts';
import { folderOfRun } from '../support/database/run-folder.ts';

test('only its owner may look into a data folder, and into the folders around it that are made with it', () => {
  const around = join(folderOfRun(), 'share', 'mintmark');
  makeDataFolder(join(around, 'demo'));
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  expect([modeOf(join(around, 'demo')), modeOf(around)]).toEqual([0o700, 0o711]);
});
