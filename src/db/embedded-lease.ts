import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVER_ENV } from './embedded-binaries.ts';
import { isCode } from './embedded-error.ts';
import { type DataFolder, OWN_FOLDER } from './embedded-folder.ts';
import { isAlive, readIfThere } from './embedded-postmaster.ts';

/**
 * A lease is this process's hold on the server: an open write end of a named pipe that a small shell, the keeper,
 * reads. The kernel closes it however the process ends, so when the last one is gone the keeper reads the end of
 * the pipe and stops the server.
 */
export type Lease = { name: string; writeEnd: number };

const PIPE = 'attach';
const LOG = 'server.log';
const LONGEST_LOG_BYTES = 1_000_000;
const ANSWER_WITHIN_MS = 10_000;

// Arguments: our folder, the pid file, a socket folder to remove afterwards (or ''), this start's name, and the
// server's command; without a command it takes over a server whose keeper was killed.
const KEEPER = `
own=$1 pidfile=$2 socket=$3 exitfile=$1/exit.$4
shift 4
if [ $# -gt 0 ]; then
  ( "$@" >>"$own/server.log" 2>&1; echo $? >"$exitfile" ) </dev/null &
fi
while IFS= read -r name; do : >"$own/attached.$name"; done
until [ -e "$exitfile" ] || [ ! -d "$own" ]; do
  if read -r pid <"$pidfile" && kill -INT "$pid"; then :; elif [ $# -eq 0 ]; then break; fi
  sleep 0.1
done 2>/dev/null
rm -f "$exitfile"
[ -z "$socket" ] || rmdir "$socket" 2>/dev/null
`;

/** Attaches to the keeper that runs for the folder; null when none answers (it is stopping the server, or was killed). */
export async function attach(folder: string): Promise<Lease | null> {
  const own = join(folder, OWN_FOLDER);
  try {
    return await introduce(own, openSync(join(own, PIPE), constants.O_WRONLY | constants.O_NONBLOCK), newName());
  } catch (error) {
    if (isCode(error, 'ENXIO', 'ENOENT', 'EPIPE')) return null;
    throw error;
  }
}

/**
 * Starts a keeper, and through it the server when `command` is not empty.
 * @param removeAfter a socket folder that the keeper removes at the end, or ''.
 */
export async function startKeeper(
  { path, user }: DataFolder,
  command: string[],
  removeAfter: string,
): Promise<Lease | null> {
  const own = join(path, OWN_FOLDER);
  makePipe(own, user);
  const log = join(own, LOG);
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LONGEST_LOG_BYTES) truncateSync(log);
  const name = newName();
  // Opened here in an order that cannot block, and handed over: the keeper never waits for a first writer.
  const both = openSync(join(own, PIPE), constants.O_RDWR);
  const readEnd = openSync(join(own, PIPE), constants.O_RDONLY);
  const writeEnd = openSync(join(own, PIPE), constants.O_WRONLY);
  try {
    const args = ['-c', KEEPER, 'mintmark-keeper', own, join(path, 'postmaster.pid'), removeAfter, name, ...command];
    const keeper = spawn('/bin/sh', args, {
      ...user.switchTo,
      cwd: '/',
      env: SERVER_ENV,
      stdio: [readEnd, 'ignore', 'ignore'],
      detached: true,
    });
    await new Promise((resolve, reject) => keeper.once('spawn', resolve).once('error', reject));
    keeper.unref();
  } catch (error) {
    closeSync(writeEnd);
    throw error;
  } finally {
    closeSync(both);
    closeSync(readEnd);
  }
  return introduce(own, writeEnd, name);
}

/** Gives the lease back; the server stops when it was the last. False when it had been given back before. */
export function release(folder: string, lease: Lease): boolean {
  if (lease.writeEnd < 0) return false;
  rmSync(join(folder, OWN_FOLDER, `attached.${lease.name}`), { force: true });
  closeSync(lease.writeEnd);
  lease.writeEnd = -1;
  return true;
}

/** How many other leases there are. What killed processes left is swept on the way. */
export function countLeases(folder: string): number {
  const own = join(folder, OWN_FOLDER);
  let count = 0;
  for (const file of readdirSync(own)) {
    const pid = /^attached\.(\d+)-/.exec(file)?.[1];
    if (pid === undefined) continue;
    if (isAlive(Number(pid))) count++;
    else rmSync(join(own, file), { force: true });
  }
  return count;
}

/** What the server that this lease started printed since `offset`, once it has ended; null while it runs. */
export function outputIfEnded(folder: string, lease: Lease, offset: number): string | null {
  const own = join(folder, OWN_FOLDER);
  if (readIfThere(join(own, `exit.${lease.name}`)) === null) return null;
  return (readIfThere(join(own, LOG)) ?? '').slice(offset);
}

/** The length of the server's log, in bytes. */
export function logLength(folder: string): number {
  return statSync(join(folder, OWN_FOLDER, LOG), { throwIfNoEntry: false })?.size ?? 0;
}

/** Writes our name and waits until the keeper has read it: from then on it cannot miss us. */
async function introduce(own: string, writeEnd: number, name: string): Promise<Lease | null> {
  const answer = join(own, `attached.${name}`);
  try {
    writeSync(writeEnd, `${name}\n`);
    for (const end = Date.now() + ANSWER_WITHIN_MS; Date.now() < end; await sleep(5)) {
      if (statSync(answer, { throwIfNoEntry: false }) !== undefined) return { name, writeEnd };
      if (!hasReader(own)) break;
    }
  } catch (error) {
    closeSync(writeEnd);
    throw error;
  }
  closeSync(writeEnd);
  return null;
}

function hasReader(own: string): boolean {
  try {
    closeSync(openSync(join(own, PIPE), constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    if (isCode(error, 'ENXIO')) return false;
    throw error;
  }
}

/** The pipe is made once and kept: a second one of the same name would split the leases in two. */
function makePipe(own: string, user: DataFolder['user']): void {
  const pipe = join(own, PIPE);
  const made = spawnSync('mkfifo', ['-m', '600', pipe], { encoding: 'utf8' });
  if (made.error !== undefined) throw made.error;
  if (made.status === 0) chownSync(pipe, user.uid, user.gid);
  else if (statSync(pipe, { throwIfNoEntry: false })?.isFIFO() !== true) throw new Error(made.stderr.trim());
}

function newName(): string {
  return `${process.pid}-${randomBytes(6).toString('hex')}`;
}
