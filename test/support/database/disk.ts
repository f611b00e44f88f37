import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type Outcome, runProgram } from '../program.ts';

/**
 * A small disk in memory, mounted at a folder for the programs that `run` starts and nobody else; needs `canOpenDisk`, and
 * `canMount` to be resized or made read-only.
 */
export type Disk = {
  run(args: readonly string[], env: Record<string, string>): Promise<Outcome>;
  resize(size: string): void;
  /** Leaves so many megabytes free: a file takes the others, until `makeRoom`. */
  leaveFree(megabytes: number): void;
  makeRoom(): void;
  /** Nothing can be written from now on. */
  makeReadOnly(): void;
  /** The names of its files, one a line. */
  list(): string;
  /** The names of all its files, those of its folders too. */
  files(): string[];
  close(): Promise<void>;
};

const [uid, gid] = [process.getuid?.(), process.getgid?.()];
/** Others than root may mount file systems in a namespace of users of their own, where the kernel lets them. */
const AS_ROOT = uid === 0 ? ['-m'] : ['-m', '-U', '-r'];
const AS_MYSELF = uid === 0 ? [] : ['unshare', '-U', `--map-user=${uid}`, `--map-group=${gid}`, '--'];

/** True where a test may open a disk. */
export const canOpenDisk =
  spawnSync('unshare', [...AS_ROOT, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0 || skipped();

function skipped(): false {
  console.warn('skipped: tests that fill a disk need root or namespaces of users');
  return false;
}

/** Mounts a disk of `size` (`60m`) at `folder`. */
export async function openDisk(folder: string, size: string): Promise<Disk> {
  const mount = `mount -t tmpfs -o size=${size} none "$1" && echo mounted && exec sleep 1800`;
  const holder = spawn('unshare', [...AS_ROOT, 'sh', '-c', mount, 'sh', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(holder, 'exit');
  await once(holder.stdout, 'data');
  const users = uid === 0 ? [] : ['-U', '--preserve-credentials'];
  const inside = ['nsenter', '-t', String(holder.pid), '-m', ...users, '--'];
  function remount(options: string): void {
    const [command, ...args] = [...inside, 'mount', '-o', `remount,${options}`, folder];
    if (spawnSync(command!, args, { stdio: 'inherit' }).status !== 0) throw new Error(`${folder} cannot be remounted`);
  }
  function shell(line: string): string {
    const { status, stdout } = spawnSync(inside[0]!, [...inside.slice(1), 'sh', '-ec', line, folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`${line} failed on ${folder}`);
    return stdout;
  }
  return {
    run: (args, env) => runProgram(args, env, [...inside, ...AS_MYSELF]),
    resize: (larger) => remount(`size=${larger}`),
    leaveFree(megabytes) {
      const df = shell('df -k --output=avail "$0"');
      const filler = Number(df.split('\n')[1]) - megabytes * 1024;
      shell(`fallocate -l ${filler}k "$0/filler"`);
    },
    makeRoom: () => void shell('rm "$0/filler"'),
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
