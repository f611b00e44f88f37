import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type Outcome, runProgram } from '../program.ts';

/** A small disk in memory, mounted at a folder for the programs that `run` starts and nobody else; needs `canMount`. */
export type Disk = {
  run(args: readonly string[], env: Record<string, string>): Promise<Outcome>;
  resize(size: string): void;
  /** The names of its files, one a line. */
  list(): string;
  close(): Promise<void>;
};

/** Mounts a disk of `size` (`60m`) at `folder`. */
export async function openDisk(folder: string, size: string): Promise<Disk> {
  const mount = `mount -t tmpfs -o size=${size} none "$1" && echo mounted && exec sleep 600`;
  const holder = spawn('unshare', ['-m', 'sh', '-c', mount, 'sh', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(holder, 'exit');
  await once(holder.stdout, 'data');
  const inside = ['nsenter', '-t', String(holder.pid), '-m', '--'];
  return {
    run: (args, env) => runProgram(args, env, inside),
    resize(larger) {
      const [command, ...args] = [...inside, 'mount', '-o', `remount,size=${larger}`, folder];
      if (spawnSync(command!, args, { stdio: 'inherit' }).status !== 0) throw new Error(`${folder} cannot be resized`);
    },
    list: () => spawnSync(inside[0]!, [...inside.slice(1), 'ls', '-A', folder], { encoding: 'utf8' }).stdout,
    async close() {
      holder.kill('SIGKILL');
      await ended;
    },
  };
}
