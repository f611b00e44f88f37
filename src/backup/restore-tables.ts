import { pipeline } from 'node:stream/promises';
import type { Session } from '../db/client.ts';
import { lockTransaction } from '../db/locks.ts';
import { migrateWithin } from '../db/migrate.ts';
import { dropOwnSchema } from '../db/own-schema.ts';
import { NotRestorable, UnusableBackup } from './backup-error.ts';
import type { About, Manifest } from './contents.ts';
import { newRowHash, type RowSummary } from './row-hash.ts';
import { type BackupTable, backupTables, copyOut, listTables, PORTABLE } from './tables.ts';

/**
 * Tables that a server fills when it starts, before anything is in it. The pepper and the key noted there are those of the
 * data folder, which a restore compares with its own.
 */
const FILLED_BY_START = ['api_keys_version', 'key_pepper', 'record_keys', 'quota_budgets'];
const LOCK_WITHIN = '10s';
const LOCK_TIMEOUT = '55P03';

/** Constraints that are taken away while rows arrive in any order, as statements that put them back. */
export type Removed = string[];

/**
 * Begins a transaction in which the database, which has to be empty, becomes one of the version of the backup.
 * @returns what `endTables` has to put back.
 * @throws NotRestorable | MigrationError
 */
export async function beginTables(session: Session, about: About): Promise<Removed> {
  await session.query('begin');
  await session.query(PORTABLE);
  await lockTransaction(session, 'migrate');
  await rejectRows(session);
  await dropOwnSchema(session);
  await migrateWithin(session, about.migrations);
  await createPastTables(session, about);
  const tables = new Map((await listTables(session)).map((table) => [table.name, table]));
  for (const { name, columns } of about.tables) {
    const known = tables.get(name)?.columns;
    const unknown = known === undefined ? name : columns.find((column) => !known.includes(column));
    if (unknown !== undefined) throw new UnusableBackup(`its migrations do not make ${unknown}`);
  }
  return await removeConstraints(session, [...tables.keys()]);
}

/** Creates the tables of prices that earlier versions of the model published, each like the one of its name now. */
async function createPastTables(session: Session, { tables }: About): Promise<void> {
  const own = backupTables();
  for (const { name } of tables) {
    const [schema, table] = name.split('.') as [string, string?];
    if (table === undefined) continue;
    if (!own.includes(table)) throw new UnusableBackup(`its migrations do not make ${name}`);
    await session.query(`create schema if not exists ${schema}`);
    await session.query(`create table ${name} (like public.${table} including all)`);
  }
}

/** Loads the rows of a table, in COPY's text format. */
export async function loadTable(
  session: Session,
  { name, columns }: About['tables'][number],
  pieces: AsyncIterable<Buffer>,
): Promise<RowSummary> {
  const rows = newRowHash();
  const counted = async function* () {
    for await (const piece of pieces) {
      rows.update(piece);
      yield piece;
    }
  };
  await pipeline(counted, session.copyIn(`copy ${name} (${columns.join(', ')}) from stdin`));
  return rows.summary();
}

/** Puts constraints and sequences in force when all rows are there; the transaction goes on. */
export async function endTables(session: Session, about: About, removed: Removed): Promise<void> {
  for (const statement of removed) await session.query(statement);
  for (const { name, value, isCalled } of about.sequences)
    await session.query('select setval($1::regclass, $2, $3)', [name, value, isCalled]);
}

/** The first table whose rows are not those of the manifest; null if all are. */
export function differingTable(manifest: Manifest, loaded: ReadonlyMap<string, RowSummary>): string | null {
  const empty = newRowHash().summary();
  const differing = manifest.tables.find(({ name, rows, hash }) => {
    const found = loaded.get(name) ?? empty;
    return found.rows !== rows || found.hash !== hash;
  });
  return differing?.name ?? null;
}

/** Summaries of the rows that tables of the database have. */
export async function hashTables(
  session: Session,
  tables: readonly Pick<BackupTable, 'name' | 'columns'>[],
): Promise<Map<string, RowSummary>> {
  const summaries = new Map<string, RowSummary>();
  for (const table of tables) {
    const rows = newRowHash();
    for await (const chunk of copyOut(session, table)) rows.update(chunk);
    summaries.set(table.name, rows.summary());
  }
  return summaries;
}

async function rejectRows(session: Session): Promise<void> {
  const tables = (await listTables(session)).map(({ name }) => name);
  if (tables.length === 0) return;
  await session.query(`set local lock_timeout = '${LOCK_WITHIN}'`);
  await session
    .query(`lock table ${tables.join(', ')} in access exclusive mode`)
    .catch((error: Error & { code?: string }) => {
      if (error.code !== LOCK_TIMEOUT) throw error;
      throw new NotRestorable(
        `Other processes use the database (${error.message}): stop every serve and worker, and run the command again.`,
      );
    });
  for (const name of backupTables()) {
    if (FILLED_BY_START.includes(name) || !tables.includes(name)) continue;
    const [row] = await session.query(`select from ${name} limit 1`);
    if (row !== undefined)
      throw new NotRestorable(
        `This installation is not empty (table ${name} has rows) and stays as it is: restore into an empty database and data folder.`,
      );
  }
}

/** Rows of a backup satisfied every constraint: keys to other tables are checked when all are there, triggers do not run. */
async function removeConstraints(session: Session, tables: readonly string[]): Promise<Removed> {
  const keys = await session.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid in (select to_regclass(own) from unnest($1::text[]) own)
     order by conrelid::regclass::text, conname`,
    [tables],
  );
  for (const { table, name } of keys) await session.query(`alter table ${table} drop constraint ${name}`);
  for (const name of tables) {
    await session.query(`alter table ${name} disable trigger user`);
    // Some migrations insert rows.
    await session.query(`delete from ${name}`);
  }
  return [
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
    ...tables.map((name) => `alter table ${name} enable trigger user`),
  ];
}
