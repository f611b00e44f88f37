import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listKeys, openKeyRing } from '../../src/access/keys.ts';
import { issueDemoKey } from '../../src/ops/demo/key.ts';
import { emptyDatabase, freshDatabase } from '../support/database/database.ts';
import { databaseUrlOf, freePort, startProgram } from '../support/program.ts';

test("the demo writes nothing into the server of DATABASE_URL: the operator's own", async () => {
  const operators = await emptyDatabase();
  const base = mkdtempSync(join(tmpdir(), 'mintmark-test-'));
  const demo = startProgram(['demo'], {
    DATABASE_URL: databaseUrlOf(operators.connection),
    MINTMARK_DATA: base,
    PORT: String(await freePort()),
  });
  // It has opened and migrated its database by then.
  await expect.poll(() => demo.output(), { timeout: 60_000, interval: 50 }).toContain('loading the catalog');
  expect(await operators.db.query("select tablename from pg_tables where schemaname = 'public'")).toEqual([]);
  expect(existsSync(join(base, 'demo', 'postgres', 'PG_VERSION'))).toBe(true);
  demo.kill('SIGKILL');
  await demo.ended;
  await expect
    .poll(() => existsSync(join(base, 'demo', 'postgres', 'postmaster.pid')), { timeout: 30_000 })
    .toBe(false);
  rmSync(base, { recursive: true });
  await operators.close();
});

test('of the keys that starts of the demo have shown, the last one is live, and other keys stay', async () => {
  const { db, close } = await freshDatabase();
  const pepper = Buffer.alloc(32, 7);
  await db.query(`insert into api_keys (id, secret_hash, label) values ('mk_shop', '\\x01', 'shop')`);
  const shown = [await issueDemoKey(db, pepper), await issueDemoKey(db, pepper), await issueDemoKey(db, pepper)];
  const live = (await listKeys(db)).filter(({ revoked_at }) => revoked_at === null).map(({ id }) => id);
  expect(live).toEqual(['mk_shop', shown[2]!.id]);
  const ring = await openKeyRing(db, pepper, Date.now);
  expect(shown.map(({ id, secret }) => ring.accepts(id, secret))).toEqual([false, false, true]);
  ring.close();
  await close();
});
