import { readFileSync } from 'node:fs';

/** Linux reports times in hundredths of a second to programs, whatever its clock runs at. */
const MS_PER_TICK = 10;
/** Places of user and system time behind the name of the program, which may contain anything; proc(5). */
const [USER, SYSTEM] = [11, 12];

/** CPU time that a process has used in all its threads; null on systems without /proc, and when it has ended. */
export function cpuMsOf(pid: number): number | null {
  try {
    // Synchronous: /proc never waits for a disk, and the threads for file work may all be busy.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * MS_PER_TICK;
  } catch {
    return null;
  }
}
