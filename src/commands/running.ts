import type { Command } from 'commander';

let names = '';

/** Notes which command this process runs, such as `import sales`: its connections to the database have that name. */
export function noteRunning(command: Command): void {
  const path: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) path.unshift(at.name());
  names = path.join(' ');
}

/** The command that this process runs; empty before one does. */
export function runningCommand(): string {
  return names;
}
