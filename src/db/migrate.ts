import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { amongOthers, type LockPatience, StillInTheWay } from './among-others.ts';
import type { Db, Session, Sql } from './client.ts';
import { withLock } from './locks.ts';

/** Why the migrations cannot be applied: one sentence that says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** The folder of the migrations, next to `src` (and next to `dist` once built). */
export const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** `giveUpMs`: the longest import or close that is waited for. */
const PATIENCE: LockPatience = { cancelAfterMs: 15_000, giveUpMs: 15 * 60_000 };

/**
 * Applies the migrations that are missing, in the order of their names (`NNNN_name.sql`), each in its own
 * transaction, or, of indexes, each statement in its own. Forward only; processes that start together wait for each other.
 * Others go on working meanwhile: where an import or a close has a table that a migration changes, the migration is tried
 * until `giveUpMs` have passed. Reads give way to it after `cancelAfterMs`: on a busy machine there is always another one.
 * @returns the names applied now.
 * @throws MigrationError when an applied file changed or is missing, or a file has no such name.
 */
export async function migrate(
  db: Db,
  folder: URL = MIGRATIONS,
  patience: LockPatience = PATIENCE,
): Promise<{ applied: string[] }> {
  const files = readMigrations(folder);
  return db.session((session) => withLock(session, 'migrate', () => applyMissing(db, session, files, patience)));
}

async function applyMissing(db: Db, session: Session, files: Migration[], patience: LockPatience) {
  const known = await readHistory(session);
  checkHistory(files, known, 'database');
  const applied: string[] = [];
  for (const file of missingIn(known, files)) {
    const among = (work: () => Promise<unknown>) => applyAmongOthers(db, session, file, patience, work);
    const statements = indexStatements(file.sql);
    for (const statement of statements ?? []) await among(() => session.query(statement));
    await among(() => (statements === null ? apply(session, file) : note(session, file)));
    applied.push(file.name);
  }
  return { applied };
}

const INDEX_STATEMENT = /^(create (?:unique )?|drop )index (?!on\b|concurrently\b)(?:if (?:not )?exists )?/i;

/**
 * The statements of a migration that only makes and drops indexes with names, in a form that may be repeated; null of any other. Together they would hold the table against imports until all indexes are built, and then want it from them
 * alone: a deadlock, after which all would be built again.
 */
function indexStatements(sql: string): string[] | null {
  const statements = sql.replace(/--.*$/gm, '').split(';');
  const all = statements.map((one) => one.trim()).filter((one) => one !== '');
  if (!all.every((one) => INDEX_STATEMENT.test(one))) return null;
  return all.map((one) =>
    one.replace(INDEX_STATEMENT, (_, verb: string) => `${verb}index if ${/^drop/i.test(verb) ? '' : 'not '}exists `),
  );
}

/** Does `work` in a transaction that gives way to others; it is undone where it fails. */
async function applyAmongOthers(
  db: Db,
  session: Session,
  file: Migration,
  patience: LockPatience,
  work: () => Promise<unknown>,
): Promise<void> {
  await amongOthers(db, session, work, patience).catch((error: unknown) => {
    const reason =
      error instanceof StillInTheWay
        ? 'waits for a table that another process has: run it again when imports, closes and backups have ended, or with the old processes stopped.'
        : `failed and was undone: ${messageOf(error)}.`;
    throw new MigrationError(`Migration ${file.name} ${reason}`, { cause: error });
  });
}

/**
 * Applies missing migrations inside the transaction of the caller: all, or of a backup those that its database had.
 * @throws MigrationError when this program does not have them.
 */
export async function migrateWithin(session: Session, history?: readonly AppliedMigration[]): Promise<void> {
  const files = readMigrations(MIGRATIONS);
  if (history !== undefined) checkHistory(files, history, 'backup');
  const names = new Set((history ?? files).map(({ name }) => name));
  for (const file of missingIn(await readHistory(session), files)) if (names.has(file.name)) await apply(session, file);
}

/**
 * The migrations of the database, oldest first.
 * @throws MigrationError unless they are those of this program.
 */
export async function ownHistory(session: Session): Promise<AppliedMigration[]> {
  const files = readMigrations(MIGRATIONS);
  const known = await readHistory(session);
  checkHistory(files, known, 'database');
  const [missing] = missingIn(known, files);
  if (missing !== undefined)
    throw new MigrationError(`The database lacks migration ${missing.name}: run mintmark migrate.`);
  return known;
}

async function readHistory(session: Session): Promise<AppliedMigration[]> {
  await session.query(`create table if not exists migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  return session.query('select name, sha256 from migrations order by name collate "C"');
}

async function apply(session: Session, file: Migration): Promise<void> {
  await session.query(file.sql);
  await note(session, file);
}

async function note(session: Session, { name, sha256 }: AppliedMigration): Promise<void> {
  await session.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256]);
}

function missingIn(known: readonly AppliedMigration[], files: readonly Migration[]): Migration[] {
  const done = new Set(known.map(({ name }) => name));
  return files.filter(({ name }) => !done.has(name));
}

/** True when the database has every migration of this program; later ones of a newer program do no harm. */
export async function isMigrated(db: Sql): Promise<boolean> {
  ownNames ??= readMigrations(MIGRATIONS).map(({ name }) => name);
  const [row] = await db.query<{ count: number }>('select count(*) as count from migrations where name = any($1)', [
    ownNames,
  ]);
  return row!.count === ownNames.length;
}

let ownNames: string[] | undefined;

/** A migration as a database or a backup lists it. */
export type AppliedMigration = { name: string; sha256: string };

type Migration = AppliedMigration & { sql: string };

function readMigrations(folder: URL): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && name !== 'schema.sql');
  const numbers = new Set<string>();
  return names.sort().map((name) => {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
    if (number === undefined) throw new MigrationError(`Rename migrations/${name} to the form 0001_words.sql.`);
    if (numbers.has(number))
      throw new MigrationError(`Two migrations have the number ${number}: give ${name} the next free one.`);
    numbers.add(number);
    const sql = readFileSync(new URL(name, folder), 'utf8').replaceAll('\r\n', '\n');
    return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

function checkHistory(
  files: readonly Migration[],
  known: readonly AppliedMigration[],
  place: 'database' | 'backup',
): void {
  const byName = new Map(files.map((file) => [file.name, file]));
  for (const { name, sha256 } of known) {
    const file = byName.get(name);
    if (file === undefined) {
      throw new MigrationError(
        `The ${place} has migration ${name}, which this version of the program does not know: run the version that made it, or a newer one.`,
      );
    }
    if (file.sha256 !== sha256) {
      throw new MigrationError(
        `Migration ${name} was changed after it was applied to this ${place}: put the file back and write the change as a new migration.`,
      );
    }
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
