import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The SHA-256 of a file of any size. Throws what reading it throws. */
export async function fileDigest(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest();
}

/**
 * Makes a folder and those above it, where they are not there. Node's own recursive `mkdir` never ends where a file system has no
 * room for names, as in `/proc`. Throws what making one throws.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return;
  const parent = dirname(resolve(path));
  if (parent !== resolve(path)) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process has made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Forces the names in a folder to disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Why a folder cannot be read; null where it can. */
export async function whyUnreadable(folder: string): Promise<Error | null> {
  return await access(folder, constants.R_OK | constants.X_OK).then(
    () => null,
    (error: Error) => error,
  );
}

/** What is wrong with a file or its disk, in a sentence that says what to do; null of what is not such a fault. */
export function faultOfFile(error: Error): string | null {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return null;
  const place = path ?? 'the output';
  if (code === 'ENOSPC' || code === 'EDQUOT') return `There is no space left on the disk of ${place}: make room.`;
  if (code === 'EROFS') return `${place} is on a file system that is mounted read-only: mount it for writing.`;
  if (code === 'EMFILE' || code === 'ENFILE') return 'Too many files are open: raise the limit (ulimit -n).';
  if (code === 'EACCES' || code === 'EPERM')
    return `${place} cannot be used (${syscall})${path === undefined ? '' : `. ${denialOf(path, syscall === 'mkdir')}`}.`;
  if (code === 'ENOENT') return `${place} does not exist.`;
  if (code === 'EISDIR') return `${place} is a folder; give a file.`;
  if (code === 'ENOTDIR') return `${place} is not a folder.`;
  return null;
}

/**
 * Why this user may not use a path, as the beginning of a sentence: which folder or file denies it, whose that is, and the
 * command that mends it. `isNewFolder`: it was to be made.
 */
export function denialOf(path: string, isNewFolder = false): string {
  const uid = process.getuid?.();
  const { place, right } = firstDenied(resolve(path));
  const { uid: owner, isFolder, mode } = entryAt(place)!;
  const what = `may not ${right} the ${isFolder ? 'folder' : 'file'} ${place}`;
  if (owner === uid)
    return `User ${userName(uid)} ${what}, though it is the owner: run "chmod u+${isFolder ? 'rwx' : 'rw'} ${place}"`;
  const theirs = `User ${userName(uid)} ${what}, which belongs to ${userName(owner)}`;
  // Someone chose these rights, such as those of a service.
  if (right === 'read' && (mode & constants.S_IRGRP) !== 0)
    return `${theirs}, and which its group may read: run this as a user of that group, such as the one of the service`;
  const mends = {
    // A folder above may be private on purpose, as /root is.
    enter: place === resolve(path) ? `chown -R ${userName(uid)} ${place}` : `chmod o+x ${place}`,
    // Not for everyone: it may be a file of passwords.
    read: `chgrp ${idOf(['-ng']) ?? process.getgid?.()} ${place} && chmod g+r ${place}`,
    // What is above it may hold other things, as /var does.
    write: isNewFolder
      ? `install -d -o ${userName(uid)} ${path}`
      : `chown ${isFolder && place === resolve(path) ? '-R ' : ''}${userName(uid)} ${place}`,
  };
  const other = right === 'enter' && place !== resolve(path) ? ', or choose a folder elsewhere' : '';
  return `${theirs}: as root, run "${mends[right]}"${other}`;
}

/** Why this user may not write into a folder, which need not be there yet, as by `denialOf`; null where it may. */
export function writeDenialOf(folder: string): string | null {
  const { place, right } = firstDenied(resolve(folder));
  if (entryAt(place)?.isFolder === false) return `${place} is not a folder`;
  const isAllowed = right === 'write' && isAllowedAt(place, constants.W_OK);
  return isAllowed ? null : denialOf(folder, entryAt(resolve(folder)) === null);
}

/** The outermost place on a path that denies something; what can be read cannot be written. */
function firstDenied(path: string): { place: string; right: 'enter' | 'read' | 'write' } {
  const parent = dirname(path);
  if (parent !== path) {
    const outer = firstDenied(parent);
    if (outer.right === 'enter' || entryAt(parent) === null) return outer;
    if (entryAt(path) === null) return { place: parent, right: 'write' };
  }
  if (entryAt(path)?.isFolder && !isAllowedAt(path, constants.X_OK)) return { place: path, right: 'enter' };
  return { place: path, right: isAllowedAt(path, constants.R_OK) ? 'write' : 'read' };
}

function isAllowedAt(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Null where there is nothing, or nothing that this user may see. */
function entryAt(path: string): { uid: number; isFolder: boolean; mode: number } | null {
  try {
    const stats = statSync(path);
    return { uid: stats.uid, isFolder: stats.isDirectory(), mode: stats.mode };
  } catch {
    return null;
  }
}

/** The name of a user, or the number of one without a name. */
export function userName(uid: number | undefined): string {
  return idOf(['-nu', String(uid)]) ?? String(uid);
}

function idOf(args: readonly string[]): string | null {
  const { status, stdout } = spawnSync('id', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
