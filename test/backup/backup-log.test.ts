import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteBegin, noteEnd, readBackupState } from '../../src/backup/backup-log.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.close());

/** Attempts in their order: the folder, and whether it went well; `…` was cut off. */
test.each<[attempts: string, schedule: string | null, failed: string | null]>([
  ['/a ok', null, null],
  ['/a bad', null, '/a'],
  ['/a ok, /a bad', null, '/a'],
  ['/a bad, /a ok', null, null],
  ['/a ok, /a …', null, '/a'],
  // A mistyped folder, or another disk that is full, is seen by the person who typed it.
  ['/a ok, /b bad', null, null],
  ['/a ok, /a bad, /b bad', null, '/a'],
  ['/a ok, /b bad, /a ok', null, null],
  ['/b bad, /c bad', null, '/c'],
  // The schedule has moved to another folder.
  ['/a ok, /b bad', '/b', '/b'],
  ['/a ok, /b bad, /a ok', '/b', null],
  ['- ok, - bad', null, '-'],
  ['- ok, /a bad', null, null],
])('after %s with the schedule at %s the failed one is %s', async (attempts, schedule, failed) => {
  const { db } = fresh;
  await db.query('truncate backups');
  for (const attempt of attempts.split(', ')) {
    const [place, outcome] = attempt.split(' ') as [string, string];
    const id = await noteBegin(db, place);
    const file = place === '-' ? '-' : `${place}/mintmark-${id}.tar`;
    if (outcome !== '…') await noteEnd(db, id, outcome === 'ok' ? { place: file, bytes: 1 } : { problem: place });
  }
  const state = await readBackupState(db, schedule);
  const problem = attempts.endsWith('…') ? 'It was cut off before its end.' : failed;
  expect(state.failed?.problem ?? null).toBe(problem);
  expect(state.last !== null).toBe(attempts.includes('ok'));
});
