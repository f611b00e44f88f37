import { expect } from 'vitest';
import type { Db } from '../../src/db/client.ts';

/** Waits until so many wait for the lock of closes. */
export async function waiting(db: Db, count: number): Promise<void> {
  await expect
    .poll(
      () =>
        db.query(`select 1 from pg_locks where locktype = 'advisory' and not granted and
      database = (select oid from pg_database where datname = current_database())`),
      { timeout: 20_000 },
    )
    .toHaveLength(count);
}
