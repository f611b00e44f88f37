import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '../../../src/db/embedded.ts';
import { readIfThere } from '../../../src/db/embedded-postmaster.ts';
import { builtProcess } from '../program.ts';
import type { Failed, Held } from './embedded-holder.ts';

export type Holder = {
  pid: number;
  said: Held & Failed;
  /** What it printed as warnings so far. */
  warnings(): string;
  /** Ends it in order and waits; with a signal, at once. */
  end(signal?: NodeJS.Signals): Promise<void>;
};

export type HolderOptions = {
  uid?: number;
  gid?: number;
  /** Shell commands to run before, as root in a mount namespace of its own. */
  mounts?: string;
  /** The checkout to run from, from its sources; as built for this run when absent. */
  checkout?: string;
};

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

/** True where a test may mount file systems for its own processes. */
export const canMount =
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0 || say('mount file systems');

/** True where a test may run processes as other users. */
export const isRoot = process.getuid?.() === 0 || say('run as other users');

function say(what: string): false {
  console.warn(`skipped: tests that ${what} need root`);
  return false;
}

/** The keepers that run for a database folder. */
export function keepersOf(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const isKeeper = (pid: string) => {
    const command = readIfThere(`/proc/${pid}/cmdline`) ?? '';
    return command.includes('mintmark-keeper') && command.includes(folder);
  };
  return pids.filter(isKeeper).map(Number);
}

/** Makes a database that `copyDatabase` gives away: quicker than to make each anew. `base` must be a temporary folder. */
export async function pristineDatabase(base: string): Promise<string> {
  chmodSync(base, 0o755);
  const folder = join(base, 'pristine');
  const { stop } = await startEmbedded({ folder, log: { info: () => {}, warn: console.warn }, durable: false });
  await stop();
  return folder;
}

/** Copies a stopped database with its owners, or gives it to `uid`. */
export function copyDatabase(from: string, to: string, uid?: number): void {
  mkdirSync(dirname(to), { recursive: true });
  execFileSync('cp', ['-a', from, to]);
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, to]);
}

/** Starts a process that holds the embedded server of `folder`; resolves when it reported the outcome. */
export async function holdEmbedded(folder: string, options: HolderOptions = {}): Promise<Holder> {
  const { uid, gid = uid, mounts, checkout } = options;
  const script =
    checkout === undefined
      ? [builtProcess('support/database/embedded-holder')]
      : ['--import', 'tsx', 'test/support/database/embedded-holder.ts'];
  const program = [process.execPath, ...script, folder];
  const namespaced = [
    'unshare',
    '-m',
    'sh',
    '-ec',
    `${mounts}\ncd "${checkout ?? CHECKOUT}"\nexec "$@"`,
    'sh',
    ...program,
  ];
  const [command, ...args] = mounts === undefined ? program : namespaced;
  const child = spawn(command!, args, { uid, gid, cwd: CHECKOUT, stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let first: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    first = line;
    break;
  }
  if (first === undefined) throw new Error(`the holder ended without a word: ${errors}`);
  return {
    pid: child.pid!,
    said: JSON.parse(first),
    warnings: () => errors,
    async end(signal) {
      if (signal === undefined) child.stdin.end();
      else child.kill(signal);
      await exited;
    },
  };
}
