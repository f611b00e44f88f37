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

/** The error for a disk without room at `place`. */
export function fullDisk(place: string): EmbeddedError {
  return new EmbeddedError(
    `There is no space left on the disk of ${place}: free at least 100 MB there or choose another data folder, and start again.`,
  );
}

/** True when what PostgreSQL printed says that the disk is full. */
export function isFullDisk(text: string): boolean {
  return /No space left on device|Disk quota exceeded/i.test(text);
}

/** True when `error` is a system error of one of these codes. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
