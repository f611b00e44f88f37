import { spawn } from 'node:child_process';
import { dirname, resolve as resolvePath } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { inject } from 'vitest';
import type { TestProcess } from './built-program.ts';

export { freePort } from './free-port.ts';

/** A run of the program `mintmark`, as an operator starts it. */
export type Program = {
  pid: number;
  /** What it has printed so far, on both channels. */
  output(): string;
  /** What it has printed to standard output alone, and to standard error. */
  printed(): string;
  errors(): string;
  hasEnded(): boolean;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  kill(signal?: NodeJS.Signals): void;
};

export type Outcome = { code: number | NodeJS.Signals; output: string; printed: string; errors: string };

/**
 * Starts the program with these arguments; the environment has nothing but `env` and what Node needs. `through` is a
 * command that runs it, such as `nsenter`.
 */
export function startProgram(
  args: readonly string[],
  env: Record<string, string>,
  through: readonly string[] = [],
): Program {
  const { PATH = '', HOME = '' } = process.env;
  const [command, ...rest] = [...through, process.execPath, inject('program'), ...args];
  const child = spawn(command!, rest, {
    // No settings file of the person who runs the tests.
    env: { PATH, HOME, XDG_CONFIG_HOME: '/nonexistent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let printed = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  let hasEnded = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once('close', (code, signal) => {
      hasEnded = true;
      resolve(code ?? signal!);
    }),
  );
  return {
    pid: child.pid!,
    output: () => output,
    printed: () => printed,
    errors: () => errors,
    hasEnded: () => hasEnded,
    ended,
    kill: (signal = 'SIGTERM') => void child.kill(signal),
  };
}

/** Runs the program to its end. */
export async function runProgram(
  args: readonly string[],
  env: Record<string, string>,
  through: readonly string[] = [],
): Promise<Outcome> {
  const program = startProgram(args, env, through);
  const code = await program.ended;
  return { code, output: program.output(), printed: program.printed(), errors: program.errors() };
}

/** The file that runs a process of a test (`graded/runs/valuation-process`) with the program as it was built for this run. */
export function builtProcess(name: TestProcess): string {
  return resolvePath(dirname(inject('program')), '../test', `${name}.js`);
}

/** Resolves with the address once `serve` listens. */
export async function untilServing(program: Program): Promise<string> {
  for (;;) {
    const address = /"address":"([^"]+)"/.exec(program.errors())?.[1];
    if (address !== undefined) return address;
    if (program.hasEnded()) throw new Error(`it has ended: ${program.output()}`);
    await sleep(20);
  }
}

/** The connection as DATABASE_URL states it. */
export function databaseUrlOf({ connectionString, user, host, database }: pg.ClientConfig): string {
  return connectionString ?? `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host!)}`;
}
