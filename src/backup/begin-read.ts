import type { Session } from '../db/client.ts';
import { withLock } from '../db/locks.ts';
import { type AppliedMigration, ownHistory } from '../db/migrate.ts';
import { type BackupTable, listTables, PORTABLE, readSequences } from './tables.ts';

/** The state of the database at one moment, which the session reads until it commits. */
export type DatabaseState = {
  migrations: AppliedMigration[];
  tables: BackupTable[];
  sequences: Awaited<ReturnType<typeof readSequences>>;
};

/**
 * Begins a transaction that sees the database as it is now, whatever is written meanwhile. Nobody waits for it but what
 * would change tables themselves: migrations. When the work fails, the session is closed, not rolled back: it may be in the
 * middle of a copy.
 * @throws MigrationError when the database is of another version of the program.
 */
export async function beginRead(session: Session): Promise<DatabaseState> {
  const { migrations, tables } = await withLock(session, 'migrate', async () => {
    const own = { migrations: await ownHistory(session), tables: await listTables(session) };
    await session.query('begin isolation level repeatable read read only');
    // Not these statements but the release of the lock fixes the moment: no table can change its columns any more.
    await session.query(`lock table ${own.tables.map(({ name }) => name).join(', ')} in access share mode`);
    await session.query(PORTABLE);
    return own;
  });
  return { migrations, tables, sequences: await readSequences(session) };
}
