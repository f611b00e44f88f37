import type { Command } from 'commander';

/** Adds `--json` to a command that reports. `shape` is what it then prints, as its help documents it. */
export function reporting(command: Command, shape: string): Command {
  return command.option('--json', 'print the report as one JSON object').addHelpText('after', `\nJSON: ${shape}`);
}

/** Adds the options of a command that decides something. */
export function deciding(command: Command): Command {
  return command
    .option('--by <name>', 'name of the decider; yours unless given')
    .option('--why <text>', 'the reason, kept with the decision');
}
