import { readFileSync } from 'node:fs';
import { median } from '../http/http-load.ts';

/** CPU milliseconds of this process so far: the clock of a shared machine says little. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** CPU milliseconds that a waiting process has used; null where the system does not report it (Linux does). */
export function cpuMsOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return null;
  }
}

/** Milliseconds of one call of each task: in CPU and on the clock. */
export type Cost = { cpuMs: number; wallMs: number };

/** Asks all tasks once a round, and gives each task's median over the rounds. `clock` reads the CPU that counts. */
export async function medianCosts<Task>(
  tasks: readonly Task[],
  rounds: number,
  run: (task: Task) => unknown,
  clock: () => number = ownCpuMs,
): Promise<Cost[]> {
  const all = tasks.map(() => ({ cpu: [] as number[], wall: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const [i, task] of tasks.entries()) {
      const cpu = clock();
      const begun = performance.now();
      await run(task);
      all[i]!.wall.push(performance.now() - begun);
      all[i]!.cpu.push(clock() - cpu);
    }
  }
  return all.map(({ cpu, wall }) => ({ cpuMs: median(cpu), wallMs: median(wall) }));
}
