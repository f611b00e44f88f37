import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { scratchFolder } from '../scratch.ts';

const DEBIAN = '/usr/lib/postgresql';
const OLDEST = 15;

/** The programs of an installed PostgreSQL: the oldest that Debian's packages have put there and that we support. */
const installed = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
  .filter((version) => Number(version) >= OLDEST && existsSync(join(DEBIAN, version, 'bin', 'initdb')))
  .sort((a, b) => Number(a) - Number(b))
  .map((version) => join(DEBIAN, version, 'bin'))
  .at(0);

/** True where a test can have a server of another version than the embedded one. */
export const hasDebianServer = installed !== undefined;
if (!hasDebianServer) console.warn('skipped: tests of an own PostgreSQL need the Debian package postgresql');

/** Starts such a server, empty, with a superuser; only with `hasDebianServer`. */
export function startDebianServer(): { connection: pg.ClientConfig; stop(): void } {
  const folder = join(scratchFolder(), 'server');
  mkdirSync(folder);
  // PostgreSQL does not run as root.
  const isRoot = process.getuid!() === 0;
  if (isRoot) chownSync(folder, 1, 1);
  const asUser = isRoot ? ['setpriv', '--reuid=1', '--regid=1', '--clear-groups'] : [];
  const run = (...command: string[]) => {
    const [program, ...args] = [...asUser, ...command];
    execFileSync(program!, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  const data = join(folder, 'data');
  run(join(installed!, 'initdb'), '-D', data, '-U', 'operator', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`;
  run(join(installed!, 'pg_ctl'), '-D', data, '-l', join(folder, 'log'), '-w', '-o', options, 'start');
  return {
    connection: { host: folder, user: 'operator', database: 'postgres' },
    stop() {
      run(join(installed!, 'pg_ctl'), '-D', data, '-w', '-m', 'fast', 'stop');
      rmSync(join(folder, '..'), { recursive: true, force: true });
    },
  };
}
