import type { Session } from './client.ts';

/** What one process at a time does, over all that share the database. A watched folder has a lock of its own. */
type Lock = 'migrate' | 'reprice' | 'indices' | 'scratch' | 'tags' | 'ledger' | 'vectors' | 'intake';

/** Waits for the lock and runs the work; after a fault `Db.session` closes the connection, which unlocks too. */
export async function withLock<T>(session: Session, lock: Lock, work: () => Promise<T>): Promise<T> {
  await session.query(`select pg_advisory_lock(hashtext('mintmark ' || $1))`, [lock]);
  const result = await work();
  await session.query(`select pg_advisory_unlock(hashtext('mintmark ' || $1))`, [lock]);
  return result;
}

/** Waits for the lock and holds it until the transaction ends. */
export async function lockTransaction(session: Session, lock: Lock): Promise<void> {
  await session.query(`select pg_advisory_xact_lock(hashtext('mintmark ' || $1))`, [lock]);
}
