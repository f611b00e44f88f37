import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { reporting } from './options.ts';

/** Adds the commands that set the program up: `init`, `config` and `completion`; the last needs all others to be there. */
export function addSettings(mintmark: Command): void {
  mintmark
    .command('init')
    .description('write a commented settings file; asks at a terminal for what has no option; never overwrites')
    .option('--file <path>', 'where to write it; --help names the default')
    .option('--data <folder>', 'MINTMARK_DATA: folder of everything that is kept')
    .option('--port <port>', 'PORT that serve listens on')
    .option('--base-url <address>', 'BASE_URL: address of the service as its users see it')
    .option('--database-url <url>', 'DATABASE_URL: your own PostgreSQL, instead of the embedded one')
    .option('--contact <contact>', 'SECURITY_CONTACT: an e-mail address or an https:// page')
    .option('--yes', 'ask nothing: the defaults for what has no option')
    .action(async (options) => (await import('./init.ts')).initCommand(options));
  reporting(
    mintmark.command('config'),
    '{"file": null | path, "settings": [{"name", "value", "source": "environment" | "file" | "default", "what"}]}',
  )
    .description('list every setting, its value and where that is from; secrets are hidden')
    .action(async (options) => (await import('./config.ts')).configCommand(options));
  tab(mintmark, { completionCommandName: 'completion' });
}
