import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { userName } from '../files.ts';
import { makeDataFolder } from './data-folder.ts';
import { type Binaries, findBinaries, SERVER_ENV } from './embedded-binaries.ts';
import { EmbeddedError, type EmbeddedLog, fullDisk, isCode, isFullDisk } from './embedded-error.ts';
import { canEnter, type ServerUser, serverUser } from './embedded-user.ts';

/** A database folder that is ready to be served: its real path, the user that serves it and the programs. */
export type DataFolder = { path: string; user: ServerUser; binaries: Binaries };

/** Our own files inside the database folder; its presence says that the folder is ours. */
export const OWN_FOLDER = 'mintmark';
/** Where root's databases live when the database user cannot enter the configured folder. Kept at boot, unlike /tmp. */
const REACHABLE_BASE = '/var/lib/mintmark';
const ABANDONED_AFTER_MS = 600_000;

/**
 * Checks the folder and makes a new database there when it is absent or empty.
 * @param durable false only for tests: the new files are not forced to disk.
 * @throws EmbeddedError for a folder that is not ours, of another major version, out of reach, or a full disk.
 */
export function prepareFolder(folder: string, durable: boolean, log: EmbeddedLog): DataFolder {
  if (!hasContent(folder)) initialise(folder, durable, log);
  const path = realpathSync(folder);
  const ownerUid = statSync(path).uid;
  const user = serverUser(ownerUid);
  if (user.switchTo.uid === undefined && ownerUid !== user.uid) {
    throw new EmbeddedError(
      `The database folder ${folder} belongs to user ${ownerUid} and you are user ${user.uid}: run as its owner, or choose another data folder.`,
    );
  }
  if (!existsSync(join(path, OWN_FOLDER)) || !existsSync(join(path, 'PG_VERSION'))) {
    throw new EmbeddedError(
      `The folder ${folder} is not empty and is not a database that this program made: choose another data folder, or move its content away.`,
    );
  }
  if (ownerUid !== user.uid) give(path, user);
  // A restored backup: its data folder may be root's alone.
  if (!canEnter(user, path) && !(letIn(user, dirname(path)) && canEnter(user, path))) {
    throw new EmbeddedError(
      `The database user (${user.uid}) cannot enter ${path}: open the folders above it with "chmod o+x", or choose another data folder, such as /var/lib/mintmark.`,
    );
  }
  chmodSync(path, 0o700);
  const binaries = findBinaries(user, dirname(path));
  const major = Number(readFileSync(join(path, 'PG_VERSION'), 'utf8'));
  if (major !== binaries.major) {
    throw new EmbeddedError(
      `The database folder ${folder} was written by PostgreSQL ${major} and this program brings ${binaries.major}: serve it with a PostgreSQL ${major} of your own and set DATABASE_URL, or move it away to begin with an empty database.`,
    );
  }
  return { path, user, binaries };
}

/** False for an absent or empty folder. Throws for a file and for a link to nowhere. */
function hasContent(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!existsSync(folder)) {
    throw new EmbeddedError(
      `The database that ${folder} points to is missing: put it back, or delete that link to begin with an empty database.`,
    );
  }
  if (!statSync(folder).isDirectory()) {
    throw new EmbeddedError(`${folder} is not a folder: move it away, or choose another data folder.`);
  }
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    // Not ours to read: the next checks find its owner.
    if (isCode(error, 'EACCES', 'EPERM')) return true;
    throw error;
  }
}

/** Makes the database next to its place and moves it there whole: two processes, or a kill, never leave half of one. */
function initialise(folder: string, durable: boolean, log: EmbeddedLog): void {
  const parent = dirname(folder);
  makeDataFolder(parent);
  const user = serverUser(null);
  const reachable = canEnter(user, parent) || (readdirSync(parent).length === 0 && letIn(user, parent));
  const base = reachable ? realpathSync(parent) : REACHABLE_BASE;
  if (!reachable) mkdirSync(base, { recursive: true, mode: 0o755 });
  sweepAbandoned(base, `${basename(folder)}.new-`);
  const { initdb } = findBinaries(user, base);
  const made = mkdtempSync(join(base, `${basename(folder)}.new-`));
  try {
    chownSync(made, user.uid, user.gid);
    runInitdb(initdb, made, user, durable);
    mkdirSync(join(made, OWN_FOLDER), { mode: 0o700 });
    chownSync(join(made, OWN_FOLDER), user.uid, user.gid);
    if (reachable) renameSync(made, folder);
    else moveOutOfTheWay(made, folder, log);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (isCode(error, 'EBUSY')) {
      throw new EmbeddedError(
        `${folder} is a mount point: mount the folder above it instead, or choose another data folder.`,
      );
    }
    // Another process of ours made it meanwhile: its database is taken.
    if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
}

/** Opens root's own data folder to the database user, to pass through and not to list. True when that lets him in. */
function letIn(user: ServerUser, folder: string): boolean {
  const { uid } = statSync(folder);
  if (user.switchTo.uid === undefined || uid !== process.getuid?.()) return false;
  if (!canEnter(user, dirname(folder))) return false;
  chownSync(folder, uid, user.gid);
  chmodSync(folder, 0o710);
  return canEnter(user, folder);
}

function moveOutOfTheWay(made: string, folder: string, log: EmbeddedLog): void {
  const kept = made.replace('.new-', '-');
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) rmdirSync(folder);
  renameSync(made, kept);
  try {
    symlinkSync(kept, folder);
  } catch (error) {
    rmSync(kept, { recursive: true, force: true });
    throw error;
  }
  log.warn(
    `the database user cannot enter ${dirname(folder)}: the database lives in ${kept}, and ${folder} links to it`,
  );
}

function runInitdb(initdb: string, folder: string, user: ServerUser, durable: boolean): void {
  const options = ['--username=mintmark', '--auth=trust', '--encoding=UTF8', '--no-instructions'];
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const run = spawnSync(initdb, ['-D', folder, ...options, ...locale, ...(durable ? [] : ['--no-sync'])], {
    ...user.switchTo,
    cwd: '/',
    env: SERVER_ENV,
    encoding: 'utf8',
  });
  if (run.status === 0) return;
  if (run.error !== undefined) throw run.error;
  if (isFullDisk(run.stderr)) throw fullDisk(folder);
  if (/could not look up effective user ID/.test(run.stderr)) {
    throw new EmbeddedError(
      `User id ${user.uid} has no entry in /etc/passwd, which PostgreSQL needs to make a database: add one, run as a user that has one, or set DATABASE_URL.`,
    );
  }
  if (/Permission denied/.test(run.stderr)) {
    const base = dirname(folder);
    const owner = userName(statSync(base).uid);
    throw new EmbeddedError(
      `The database user (${userName(user.uid)}) may not use ${base}, which belongs to ${owner}: if it is a service's, run the command as its user and with its settings (runuser -u ${owner} -- env MINTMARK_ENV=<its file> mintmark …); else choose another data folder.`,
    );
  }
  throw new EmbeddedError(
    `PostgreSQL could not make a database in ${folder} (${reasonIn(run.stderr)}): mend that, or set DATABASE_URL.`,
  );
}

/** The line of PostgreSQL's output that says why it gave up. */
export function reasonIn(output: string): string {
  const lines = output.trim().split('\n');
  return (lines.find((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? '').replace(
    /^.*?(FATAL|PANIC|error):\s*/,
    '',
  );
}

function give(path: string, user: ServerUser): void {
  const run = spawnSync('chown', ['-RhP', `${user.uid}:${user.gid}`, path], { encoding: 'utf8' });
  if (run.status !== 0)
    throw new EmbeddedError(`${path} cannot be given to user ${user.uid}: run "chown -R ${user.uid} ${path}".`);
}

/** Removes what a killed process left of making a database. */
function sweepAbandoned(base: string, prefix: string): void {
  for (const name of readdirSync(base)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(base, name);
    if (Date.now() - statSync(path).mtimeMs > ABANDONED_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
}
