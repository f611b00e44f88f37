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
  backup: '714005',
  bulk: '714006',
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

/** Runs the work unless another process has the lock: then it returns null. */
export async function tryWithLock<T>(session: Session, lock: Lock, work: () => Promise<T>): Promise<T | null> {
  const [row] = await session.query<{ taken: boolean }>(`select pg_try_advisory_lock(${KEYS[lock]}) as taken`);
  if (!row!.taken) return null;
  const result = await work();
  await session.query(`select pg_advisory_unlock(${KEYS[lock]})`);
  return result;
}

/** SQL: a process has the lock. Unlike an attempt to take it, this is in nobody's way. */
export function isLocked(lock: 'backup'): string {
  return `exists (select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${KEYS[lock]}
    and database = (select oid from pg_database where datname = current_database()))`;
}

/** Waits for the lock and keeps it until the transaction ends. */
export async function lockTransaction(session: Session, lock: Lock): Promise<void> {
  await session.query(`select pg_advisory_xact_lock(${KEYS[lock]})`);
}
