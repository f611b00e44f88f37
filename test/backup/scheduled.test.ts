import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { backUpOnSchedule } from '../../src/backup/scheduled.ts';
import { freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';

test('a backup of the schedule that fails is one line of the log, with the reason as a sentence, which doctor has too', async () => {
  const { db, close } = await freshDatabase();
  const dataDir = folderOfRun();
  const folder = join(dataDir, 'file', 'backups');
  writeFileSync(join(dataDir, 'file'), '');
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
  const world = { db, log, clock: Date.now, dataDir, signal: new AbortController().signal };
  await backUpOnSchedule(world, { folder, keep: 7, hour: 3, minute: 30, settings: [] });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 50, reason: `${folder} is not a folder.`, msg: 'the backup failed' },
  ]);
  expect(await db.query('select problem from backups')).toEqual([{ problem: `${folder} is not a folder.` }]);
  await close();
});
