import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockTransaction, tryWithLock, withLock } from '../../src/db/locks.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

type Lock = Parameters<typeof withLock>[1];

/** The keys of earlier versions. They never change: during an upgrade an old and a new version run side by side. */
const KEYS: Readonly<Record<Lock, string>> = {
  migrate: '7264891',
  reprice: '714002',
  indices: '714003',
  scratch: '714004',
  backup: '714005',
  bulk: '714006',
  catalog: '714007',
  vectors: '7264914',
  tags: `hashtext('derive_tags')`,
  ledger: `hashtext('mintmark ledger')`,
  intake: `hashtext('mintmark intake')`,
};
const LOCKS = Object.keys(KEYS) as Lock[];

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

/** Which locks an earlier version could not take now. */
async function takenLocks(): Promise<Lock[]> {
  const tries = LOCKS.map((lock) => `pg_try_advisory_xact_lock(${KEYS[lock]}) as ${lock}`);
  const [free] = await database.db.query<Record<Lock, boolean>>(`select ${tries.join(', ')}`);
  return LOCKS.filter((lock) => !free![lock]);
}

describe.each(LOCKS)('the lock of %s', (lock) => {
  test('keeps out an earlier version for as long as the work takes, and nothing else', async () => {
    const { db } = database;
    expect(await db.session((session) => withLock(session, lock, takenLocks))).toEqual([lock]);
    expect(await takenLocks()).toEqual([]);
  });

  test('is taken only where it is free, and is free again after the work', async () => {
    const { db } = database;
    const inside = () =>
      db.session(async (other) => [await takenLocks(), await tryWithLock(other, lock, async () => 'twice')]);
    expect(await db.session((session) => tryWithLock(session, lock, inside))).toEqual([[lock], null]);
    expect(await takenLocks()).toEqual([]);
  });

  test('keeps out an earlier version until a transaction ends, and nothing else', async () => {
    const taken = await database.db.transaction(async (session) => {
      await lockTransaction(session, lock);
      return takenLocks();
    });
    expect(taken).toEqual([lock]);
    expect(await takenLocks()).toEqual([]);
  });
});
