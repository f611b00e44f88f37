import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { denialOf } from '../files.ts';

/** What the embedded server reports about itself; a pino logger fits. */
export type EmbeddedLog = { info(message: string): void; warn(message: string): void };

/** Why the embedded PostgreSQL cannot be used: `message` is one sentence that says what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

/** Turns an error of the file system met while working on `place` into an `EmbeddedError`; other errors stay as they are. */
export function explained(error: unknown, place: string): unknown {
  if (isCode(error, 'ENOSPC', 'EDQUOT')) return fullDisk(place);
  if (isCode(error, 'EROFS')) {
    return new EmbeddedError(
      `The database folder ${place} is on a file system that is mounted read-only: mount it for writing, choose another data folder, or set DATABASE_URL.`,
    );
  }
  if (isCode(error, 'EACCES', 'EPERM')) {
    return new EmbeddedError(
      `The database folder ${place} cannot be used. ${denialOf(place)}, choose another data folder, or set DATABASE_URL.`,
    );
  }
  if (error instanceof Error && 'syscall' in error) {
    return new EmbeddedError(
      `The database folder ${place} cannot be used (${error.message}): choose another data folder, or set DATABASE_URL.`,
    );
  }
  return error;
}

/** The error for a disk without room at `place`; `then` is what to do once there is room. */
export function fullDisk(
  place: string,
  then = 'free at least 100 MB there or choose another data folder, and start again',
): EmbeddedError {
  const bytes = freeBytes(place);
  const free = bytes === null ? '' : ` (${Math.floor(bytes / 1e6)} MB free)`;
  return new EmbeddedError(`There is no space left on the disk of ${place}${free}: ${then}.`);
}

/**
 * What work on the embedded server of `folder` ended with, where the disk is full: a server that cannot write its log ends, and
 * all that its clients see is a lost connection. Other errors stay as they are.
 */
export function fullDiskIn(folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedError) return error;
  const { code = '' } = error as { code?: string };
  const isLost = /^(57P|08|ECONNRE|EPIPE|ENOENT)/.test(code) || /Connection terminated/.test(error.message);
  const isFull = code === '53100' || (isLost && (freeBytes(folder) ?? Infinity) < FULL_BELOW_BYTES);
  return isFull
    ? fullDisk(folder, 'free at least 100 MB there and run the command again; nothing that was stored is lost')
    : error;
}

/**
 * A server that had no room has less than this afterwards: it writes its log in files of 16 MB, each made whole, and removes as it
 * ends what it had not finished.
 */
const FULL_BELOW_BYTES = 64 * 2 ** 20;

function freeBytes(place: string): number | null {
  // A folder that could not be made is on the disk of the one above it.
  for (let at = place; ; at = dirname(at)) {
    try {
      const { bavail, bsize } = statfsSync(at);
      return bavail * bsize;
    } catch (error) {
      if (!isCode(error, 'ENOENT') || at === dirname(at)) return null;
    }
  }
}

/** True when what PostgreSQL printed says that the disk is full. */
export function isFullDisk(text: string): boolean {
  return /No space left on device|Disk quota exceeded/i.test(text);
}

/** True when `error` is a system error of one of these codes. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
