import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** What a command took: seconds on the clock, MB of memory at most, and the report that it printed. */
export type CommandCost = { seconds: number; mb: number; report: Record<string, unknown> };

const POLL_MS = 100;

/** Runs a command of the compiled program with `--json`; throws with what it wrote when it fails. */
export async function runCommand(
  program: string,
  env: NodeJS.ProcessEnv,
  words: readonly string[],
): Promise<CommandCost> {
  const begun = performance.now();
  const child = spawn(process.execPath, [program, ...words, '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, errors, mb] = ['', '', 0];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-2000);
  });
  const poll = setInterval(() => {
    mb = Math.max(mb, mostMemoryMb(child));
  }, POLL_MS);
  const [code] = (await once(child, 'close')) as [number];
  clearInterval(poll);
  if (code !== 0) throw new Error(`mintmark ${words.join(' ')} ended with ${code}: ${errors}`);
  return { seconds: (performance.now() - begun) / 1000, mb, report: JSON.parse(out) };
}

/** Of Linux: the most that a process has had in memory; 0 once it has ended. */
function mostMemoryMb({ pid }: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
