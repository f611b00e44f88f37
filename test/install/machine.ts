import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { findPostmaster, isAlive } from '../../src/db/embedded-postmaster.ts';
import { scratchFolder } from '../support/scratch.ts';

export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/** An ordinary user, where this process may become one; else the user that runs this. */
const ORDINARY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** What git would check out, roughly: neither packages nor a build. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'coverage']);

/** From SIGTERM to the end of the last process. */
const STOP_MS = 5000;

type As = { uid?: number; gid?: number };

export type Program = {
  pid: number;
  output(): string;
  hasEnded(): boolean;
  /** Milliseconds from SIGTERM to its end. */
  terminate(): Promise<number>;
};

const folders: string[] = [];
const running = new Set<ChildProcess>();

afterAll(() => {
  for (const { pid } of running) if (pid !== undefined && isAlive(pid)) process.kill(-pid, 'SIGKILL');
  for (const folder of folders.splice(0)) execFileSync('rm', ['-rf', folder]);
});

/** A new folder that the ordinary user may write and everybody may enter; it is removed at the end. */
export function newFolder(): string {
  const folder = scratchFolder(tmpdir());
  own(folder);
  folders.push(folder);
  return folder;
}

/** A copy of this checkout that belongs to the ordinary user. */
export function cloneTo(folder: string): void {
  cpSync(CHECKOUT, folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  own(folder);
}

export function own(folder: string): void {
  if (ORDINARY.uid !== undefined) execFileSync('chown', ['-R', `${ORDINARY.uid}:${ORDINARY.gid}`, folder]);
}

/** Removes a data folder, and the database that root keeps in another place. */
export function dropData(folder: string): void {
  const database = realpathSync(folder);
  rmSync(folder, { recursive: true, force: true });
  rmSync(database, { recursive: true, force: true });
  if (database !== folder) rmSync(dirname(database), { recursive: true, force: true });
}

/** The environment of a person who has set nothing: the Node that runs this comes first, settings of ours are left out. */
function environment(home: string, settings: Record<string, string>): Record<string, string> {
  const { PATH = '', http_proxy, https_proxy, no_proxy, NODE_EXTRA_CA_CERTS } = process.env;
  const network = { http_proxy, https_proxy, no_proxy, NODE_EXTRA_CA_CERTS };
  const known = Object.entries(network).filter((one): one is [string, string] => one[1] !== undefined);
  return {
    ...Object.fromEntries(known),
    PATH: `${dirname(process.execPath)}:${PATH}`,
    HOME: home,
    ...settings,
  };
}

/** Starts a command in a process group of its own. `home` holds what it may keep, npm's cache for one. */
export function start(
  [command, ...args]: [string, ...string[]],
  { cwd, home, as = ORDINARY, env = {} }: { cwd: string; home: string; as?: As; env?: Record<string, string> },
): Program {
  const child = spawn(command, args, {
    ...as,
    cwd,
    env: environment(home, env),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const closed = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    pid: child.pid!,
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async terminate() {
      const startedMs = performance.now();
      child.kill('SIGTERM');
      await closed;
      return performance.now() - startedMs;
    },
  };
}

/** Runs a command to its end; fails with its output unless it exits with 0. */
export async function run(command: [string, ...string[]], options: Parameters<typeof start>[1]): Promise<string> {
  const program = start(command, options);
  const child = [...running].find(({ pid }) => pid === program.pid)!;
  if (child.exitCode === null) await new Promise((resolve) => child.once('close', resolve));
  expect(child.exitCode, `${command.join(' ')}:\n${program.output()}`).toBe(0);
  return program.output();
}

/** Waits until the program answers; fails with its output when it ends instead. */
export async function untilServing(program: Program, base: string): Promise<void> {
  const untilMs = performance.now() + 8 * 60_000;
  while (!program.hasEnded() && performance.now() < untilMs) {
    const status = await fetch(`${base}/health`).then(
      (answer) => answer.status,
      () => null,
    );
    if (status === 200) return;
    await sleep(250);
  }
  throw new Error(`it does not answer: ${program.output()}`);
}

/** SIGTERM to the one process that was started ends it and everything that it started, within 5 s. */
export async function expectStops(program: Program, database: string): Promise<void> {
  const server = findPostmaster(realpathSync(database));
  expect(server, 'the embedded database runs').not.toBeNull();
  const group = membersOf(program.pid);
  expect(group.length).toBeGreaterThan(0);
  const tookMs = await program.terminate();
  await expect.poll(() => [...group, server!.pid].filter(isRunning), { timeout: STOP_MS, interval: 20 }).toEqual([]);
  expect(tookMs, program.output()).toBeLessThan(STOP_MS);
}

/** An orphan that has ended stays in the table of processes where the first process of a container does not reap it. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

/** Every process that descends from one, itself included. */
function membersOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  const family = new Set([pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const [child, parent] of pairs) if (family.has(parent)) family.add(child);
  }
  return [...family];
}
