import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIGRATIONS, migrate } from '../../src/db/migrate.ts';
import { emptyDatabase, type FreshDatabase } from '../support/database/database.ts';

const LAST = '0033_plain_names.sql';
let database: FreshDatabase;
let folder: string;
const at = () => pathToFileURL(`${folder}/`);

beforeAll(async () => {
  database = await emptyDatabase();
  folder = mkdtempSync(join(tmpdir(), 'mintmark-migrations-'));
  for (const name of readdirSync(MIGRATIONS))
    if (/^\d{4}_/.test(name) && name < LAST) copyFileSync(new URL(name, MIGRATIONS), join(folder, name));
  await migrate(database.db, at());
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

test('a filled database of the version before is upgraded whole, also after a crash in the middle of it', async () => {
  const { db } = database;
  await db.query(readFileSync(new URL('before-0033.sql', import.meta.url), 'utf8'));
  const whole = readFileSync(new URL(LAST, MIGRATIONS), 'utf8');
  writeFileSync(join(folder, LAST), `${whole}\nselect pg_terminate_backend(pg_backend_pid());`);
  await expect(migrate(db, at())).rejects.toThrow(/^Migration 0033_plain_names.sql failed and was undone/);
  expect(await db.query('select leased from quota_leases order by 1')).toEqual([{ leased: 3 }, { leased: 12 }]);
  expect(await migrate(db)).toMatchObject({ applied: expect.arrayContaining([LAST]) });
  expect(await migrate(db)).toEqual({ applied: [] });
  expect(await db.query('select policy, taken, granted from quota_budgets order by 1')).toEqual([
    { policy: 'daily', taken: 12, granted: 5 },
    { policy: 'image', taken: 3, granted: 1 },
  ]);
  expect(await db.query('select id, latencies_ms from service_clients')).toEqual([
    { id: 'psa', latencies_ms: [30, 10, 20] },
  ]);
  expect(await db.query('select raw from rejected_rows')).toEqual([{ raw: 'raw' }]);
  expect(await db.query('select snapshots from card_snapshots')).toEqual([{ snapshots: Buffer.from([1, 2]) }]);
});
