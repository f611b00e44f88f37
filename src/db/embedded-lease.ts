import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVER_ENV } from './embedded-binaries.ts';
import { fullDisk, isCode, isFullDisk } from './embedded-error.ts';
import { type DataFolder, OWN_FOLDER } from './embedded-folder.ts';
import { isAlive } from './embedded-postmaster.ts';

/**
 * A lease is this process's hold on the server: an open write end of a named pipe that a small shell, the keeper,
 * reads. The kernel closes it however the process ends, so when the last one ends the keeper reads the end of
 * the pipe and stops the server.
 */
export type Lease = { name: string; writeEnd: number };

/** A lease on a server that we started ourselves: its process, and whether that has ended. */
type Start = Lease & { serverPid: number; hasEnded(): boolean; won(): void };

const PIPE = 'attach';
const LOG = 'server.log';
const LONGEST_LOG_BYTES = 1_000_000;
const POLL_MS = 5;
const ANSWER_WITHIN_MS = 10_000;

/** A server that was signaled to stop while it recovers from a crash never does: after this time it is ended at once. */
export const STOP_WITHIN_MS = 10_000;

// Arguments: our folder, a socket folder to remove at the end (or ''), and either the number of a server whose keeper
// was killed, or '' and the command of a server to start. The common pipe (0) is read only once the starter says on
// its own pipe (3) that this server has won the folder: one keeper at a time reads it.
const KEEPER = `
own=$1 socket=$2 server=$3
shift 3
guard() {
  while IFS= read -r name; do : >"$own/attached.$name"; done
  end
}
end() {
  kill -INT "$server"
  tries=0
  while kill -0 "$server" && [ $tries -lt ${STOP_WITHIN_MS / 100} ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -QUIT "$server"
}
clear() { [ -z "$socket" ] || rmdir "$socket"; }
if [ $# -eq 0 ]; then
  guard
  while kill -0 "$server"; do sleep 0.1; done
  clear
  exit
fi
exec 4<&0 </dev/null
"$@" >>"$own/server.log" 2>&1 3<&- 4<&- &
server=$!
echo "$server"
{ read -r won <&3 && guard || end; } <&4 >/dev/null &
guard=$!
exec 3<&- 4<&-
wait "$server"
kill "$guard"
clear
echo ended
`;

/** Attaches to the keeper that runs for the folder; null when none answers (it is stopping the server, or was killed). */
export async function attach(folder: string): Promise<Lease | null> {
  try {
    const writeEnd = openSync(join(folder, OWN_FOLDER, PIPE), constants.O_WRONLY | constants.O_NONBLOCK);
    const lease = { name: newName(), writeEnd };
    return (await confirm(folder, lease)) ? lease : null;
  } catch (error) {
    if (isCode(error, 'ENXIO', 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Starts a server through a keeper of its own. The caller says `won` once the folder is this server's.
 * @param command the server's program and arguments.
 * @param removeAfter a socket folder that the keeper removes at the end, or ''.
 */
export async function startServer(data: DataFolder, command: string[], removeAfter: string): Promise<Start> {
  if (logLength(data.path) > LONGEST_LOG_BYTES) truncateSync(join(data.path, OWN_FOLDER, LOG));
  const { keeper, writeEnd } = await spawnKeeper(data, [removeAfter, '', ...command]);
  let said = '';
  let closed = false;
  const fromKeeper = keeper.stdout as Socket;
  const toKeeper = keeper.stdio[3] as Socket;
  toKeeper.on('error', () => {});
  const answered = new Promise<void>((resolve) => {
    fromKeeper.on('data', (chunk) => {
      said += chunk;
      resolve();
    });
    fromKeeper.on('close', () => {
      closed = true;
      resolve();
    });
  });
  await answered;
  letOutlive(keeper);
  return {
    name: newName(),
    writeEnd,
    serverPid: Number.parseInt(said, 10),
    hasEnded: () => closed || said.includes('ended'),
    won: () => toKeeper.end('won\n', () => toKeeper.destroy()),
  };
}

/** Starts a keeper for a running server whose keeper was killed, and attaches to it. */
export async function takeOver(data: DataFolder, serverPid: number, removeAfter: string): Promise<Lease | null> {
  const { keeper, writeEnd } = await spawnKeeper(data, [removeAfter, String(serverPid)]);
  letOutlive(keeper);
  const lease = { name: newName(), writeEnd };
  return (await confirm(data.path, lease)) ? lease : null;
}

/** The keeper outlives us while others are attached: its pipes must not keep this process. */
function letOutlive(keeper: ChildProcess): void {
  (keeper.stdout as Socket).unref();
  (keeper.stdio[3] as Socket).unref();
}

async function spawnKeeper(
  { path, user }: DataFolder,
  args: string[],
): Promise<{ keeper: ChildProcess; writeEnd: number }> {
  const own = join(path, OWN_FOLDER);
  makePipe(own, user);
  // Opened here in an order that cannot block, and handed over: the keeper never waits for a first writer.
  const both = openSync(join(own, PIPE), constants.O_RDWR);
  const readEnd = openSync(join(own, PIPE), constants.O_RDONLY);
  const writeEnd = openSync(join(own, PIPE), constants.O_WRONLY);
  try {
    const keeper = spawn('/bin/sh', ['-c', KEEPER, 'mintmark-keeper', own, ...args], {
      ...user.switchTo,
      cwd: '/',
      env: SERVER_ENV,
      stdio: [readEnd, 'pipe', 'ignore', 'pipe'],
      detached: true,
    });
    await new Promise((resolve, reject) => keeper.once('spawn', resolve).once('error', reject));
    keeper.unref();
    return { keeper, writeEnd };
  } catch (error) {
    closeSync(writeEnd);
    throw error;
  } finally {
    closeSync(both);
    closeSync(readEnd);
  }
}

/** Gives the lease back; the server stops when it was the last. False when it had been given back before. */
export function release(folder: string, lease: Lease): boolean {
  if (lease.writeEnd < 0) return false;
  rmSync(join(folder, OWN_FOLDER, `attached.${lease.name}`), { force: true });
  closeLease(lease);
  return true;
}

/** How many other leases there are. Files left by killed processes are removed on the way. */
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

/** What the server printed since its log had `offset` bytes. */
export function logSince(folder: string, offset: number): string {
  const log = join(folder, OWN_FOLDER, LOG);
  return existsSync(log) ? readFileSync(log).subarray(offset).toString() : '';
}

/** The length of the server's log, in bytes. */
export function logLength(folder: string): number {
  return statSync(join(folder, OWN_FOLDER, LOG), { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Writes our name and waits until the keeper has read it: from then on it cannot miss us. False, and the lease is given up,
 * when it does not.
 */
export async function confirm(folder: string, lease: Lease): Promise<boolean> {
  const own = join(folder, OWN_FOLDER);
  const answer = join(own, `attached.${lease.name}`);
  try {
    writeSync(lease.writeEnd, `${lease.name}\n`);
    for (const end = Date.now() + ANSWER_WITHIN_MS; Date.now() < end; await sleep(POLL_MS)) {
      if (statSync(answer, { throwIfNoEntry: false }) !== undefined) return true;
      if (!hasReader(own)) break;
    }
  } catch (error) {
    if (!isCode(error, 'EPIPE')) throw error;
  }
  closeLease(lease);
  return false;
}

function closeLease(lease: Lease): void {
  if (lease.writeEnd >= 0) closeSync(lease.writeEnd);
  lease.writeEnd = -1;
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
  else if (isFullDisk(made.stderr)) throw fullDisk(own);
  else if (statSync(pipe, { throwIfNoEntry: false })?.isFIFO() !== true) throw new Error(made.stderr.trim());
}

function newName(): string {
  return `${process.pid}-${randomBytes(6).toString('hex')}`;
}
