import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { EmbeddedError, isCode } from './embedded-error.ts';
import type { DataFolder } from './embedded-folder.ts';
import { canEnter } from './embedded-user.ts';

/** A server that runs for a folder, as its postmaster.pid states. */
export type Postmaster = { pid: number; socketFolder: string; state: 'starting' | 'ready' | 'stopping' };

/** Longest path of a unix socket, in bytes: 107 on Linux, 103 on macOS. */
const LONGEST_SOCKET_PATH = 103;
const EMPTY_AFTER_MS = 5_000;

/** The server that runs for the folder, or null. A pid file whose number another program has by now is removed. */
export function findPostmaster(folder: string): Postmaster | null {
  const file = join(folder, 'postmaster.pid');
  const text = readIfThere(file);
  if (text === null) return null;
  // A server writes it at once; empty for longer, it was left by a crash of the machine, and PostgreSQL would not start over it.
  if (text === '' && Date.now() - (modifiedMs(file) ?? Date.now()) > EMPTY_AFTER_MS) rmSync(file, { force: true });
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!isAlive(pid)) return null;
  if (!isPostgresOf(pid, folder)) {
    // PostgreSQL would not start while any process of its user has this number.
    if (readIfThere(file) === text) rmSync(file, { force: true });
    return null;
  }
  const state = lines[7] === 'ready' || lines[7] === 'stopping' ? lines[7] : 'starting';
  return { pid, socketFolder: lines[4] ?? '', state };
}

function modifiedMs(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** True while any process has this number. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

/** By the command line, which all may read; the working folder would need a right that root in a container lacks. */
function isPostgresOf(pid: number, folder: string): boolean {
  if (!existsSync('/proc/self/cmdline')) {
    return (
      basename(spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()) === 'postgres'
    );
  }
  const words = (readIfThere(`/proc/${pid}/cmdline`) ?? '').split('\0');
  const served = words.includes('-D') ? words[words.indexOf('-D') + 1] : undefined;
  // A server that somebody started by hand in another way passes for ours: better than two for one folder.
  return basename(words[0]!) === 'postgres' && (served === undefined || !isAbsolute(served) || served === folder);
}

/**
 * Where the server puts its socket: in the database folder, which only its user may enter; where that path is too
 * long, in a new folder with a random name that nobody could have made before us (`temporary`: to be removed after).
 */
export function chooseSocketFolder({ path, user }: DataFolder): { socketFolder: string; temporary: boolean } {
  const fits = (folder: string) => Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH;
  if (fits(path)) return { socketFolder: path, temporary: false };
  const base = [tmpdir(), '/tmp'].find((folder) => fits(join(folder, 'mintmark-XXXXXX')) && canEnter(user, folder));
  if (base === undefined) {
    throw new EmbeddedError(
      `The path of the database socket in ${path} is too long and ${tmpdir()} cannot be used instead: choose a data folder with a path under 90 bytes.`,
    );
  }
  const socketFolder = mkdtempSync(join(base, 'mintmark-'));
  chownSync(socketFolder, user.uid, user.gid);
  return { socketFolder, temporary: true };
}

/** The text of a file, or null when there is none. */
export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // Of a process that ends while its file in /proc is read, ESRCH.
    if (isCode(error, 'ENOENT') || isCode(error, 'ESRCH')) return null;
    throw error;
  }
}
