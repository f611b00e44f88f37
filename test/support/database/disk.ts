import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type Outcome, runProgram } from '../program.ts';

/** A small disk in memory, mounted at a folder for the programs that `run` starts and nobody else; needs `canMount`. */
export type Disk = {
  run(args: readonly string[], env: Record<string, string>): Promise<Outcome>;
  resize(size: string): void;
  /** Nothing can be written from now on. */
  makeReadOnly(): void;
  /** The names of its files, one a line. */
  list(): string;
  /** The names of all its files, those of its folders too. */
  files(): string[];
  close(): Promise<void>;
};

/** Mounts a disk of `size` (`60m`) at `folder`. */
export async function openDisk(folder: string, size: string): Promise<Disk> {
  const mount = `mount -t tmpfs -o size=${size} none "$1" && echo mounted && exec sleep 600`;
  const holder = spawn('unshare', ['-m', 'sh', '-c', mount, 'sh', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(holder, 'exit');
  await once(holder.stdout, 'data');
  const inside = ['nsenter', '-t', String(holder.pid), '-m', '--'];
  function remount(options: string): void {
    const [command, ...args] = [...inside, 'mount', '-o', `remount,${options}`, folder];
    if (spawnSync(command!, args, { stdio: 'inherit' }).status !== 0) throw new Error(`${folder} cannot be remounted`);
  }
  return {
    run: (args, env) => runProgram(args, env, inside),
    resize: (larger) => remount(`size=${larger}`),
    makeReadOnly: () => remount('ro'),
    list: () => spawnSync(inside[0]!, [...inside.slice(1), 'ls', '-A', folder], { encoding: 'utf8' }).stdout,
    files: () =>
      spawnSync(inside[0]!, [...inside.slice(1), 'find', folder, '-type', 'f', '-printf', '%f\\n'], {
        encoding: 'utf8',
      })
        .stdout.split('\n')
        .slice(0, -1),
    async close() {
      holder.kill('SIGKILL');
      await ended;
    },
  };
}
