import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, inTransaction, type Session } from './client.ts';
import { cancelReadsBefore } from './locks.ts';

/**
 * What changes tables waits no longer than this for a lock, then gives way and tries again: requests that queue behind it are
 * answered within their limit (two seconds), and PostgreSQL's check for deadlocks (one second) never has to end one.
 */
const LOCK_WITHIN_MS = 500;
/** SQLSTATE of a lock that was not to be had in time, and of a deadlock. */
const IN_THE_WAY = ['55P03', '40P01'];

/** `cancelAfterMs`: when reads that are in the way are canceled; `giveUpMs`: when others have been waited for long enough. */
export type LockPatience = { cancelAfterMs: number; giveUpMs: number };

/** Another process has had a table for longer than `giveUpMs`. */
export class StillInTheWay extends Error {
  override name = 'StillInTheWay';
}

/**
 * Does `work`, which changes tables, in a transaction while others go on using them: where one of them has a table, the
 * transaction is rolled back and begun again, until `giveUpMs` have passed. Reads give way to it after `cancelAfterMs`: on a
 * busy machine there is always another one.
 * @throws StillInTheWay
 */
export async function amongOthers<T>(
  db: Pick<Db, 'connection'>,
  session: Session,
  work: () => Promise<T>,
  { cancelAfterMs, giveUpMs }: LockPatience = { cancelAfterMs: 15_000, giveUpMs: Number.POSITIVE_INFINITY },
): Promise<T> {
  const begunMs = Date.now();
  for (;;) {
    const waitedMs = Date.now() - begunMs;
    try {
      return await inTransaction(session, async () => {
        await session.query(`set local lock_timeout = ${LOCK_WITHIN_MS}`);
        if (waitedMs < cancelAfterMs) return await work();
        const [row] = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
        const stopCanceling = await cancelReadsBefore(db.connection, row!.pid, LOCK_WITHIN_MS / 5);
        return await work().finally(stopCanceling);
      });
    } catch (error) {
      if (!IN_THE_WAY.includes((error as { code?: string }).code ?? '')) throw error;
      if (waitedMs > giveUpMs) throw new StillInTheWay('Another process has a table.', { cause: error });
      session.reportWaits(LOCK_WITHIN_MS / 2);
      await sleep(LOCK_WITHIN_MS / 2 + Math.random() * LOCK_WITHIN_MS);
    }
  }
}
