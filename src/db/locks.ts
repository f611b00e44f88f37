import type { Session } from './client.ts';

/**
 * What one process at a time does, over all that share the database, by the keys that earlier versions use too: they may
 * run at the same time during an upgrade. A watched folder has a lock of its own.
 */
const KEYS = {
  migrate: '7264891',
  reprice: '714002',
  indices: '714003',
  scratch: '714004',
  vectors: '7264914',
  tags: `hashtext('derive_tags')`,
  ledger: `hashtext('mintmark ledger')`,
  intake: `hashtext('mintmark intake')`,
} as const;
type Lock = keyof typeof KEYS;

/** Waits for the lock and runs the work; after a fault `Db.session` closes the connection, which unlocks too. */
export async function withLock<T>(session: Session, lock: Lock, work: () => Promise<T>): Promise<T> {
  await session.query(`select pg_advisory_lock(${KEYS[lock]})`);
  const result = await work();
  await session.query(`select pg_advisory_unlock(${KEYS[lock]})`);
  return result;
}

/** Waits for the lock and keeps it until the transaction ends. */
export async function lockTransaction(session: Session, lock: Lock): Promise<void> {
  await session.query(`select pg_advisory_xact_lock(${KEYS[lock]})`);
}
