import { Command, CommanderError, Option } from 'commander';
import { addIntake, addKeys, addServices } from './commands/access-commands.ts';
import { addAudit } from './commands/audit-commands.ts';
import { addBackup } from './commands/backup-commands.ts';
import { addImport, addImports } from './commands/import-commands.ts';
import { reporting } from './commands/options.ts';
import { addPictures, addPrices } from './commands/price-commands.ts';
import { addRecord } from './commands/record-commands.ts';
import { noteRunning } from './commands/running.ts';
import { addSales } from './commands/sales-commands.ts';
import { addSettings } from './commands/settings-commands.ts';
import { versionLine } from './commands/version.ts';
import { readConfig } from './config.ts';
import { PARTS } from './http/parts/parts.ts';

const HELP = `
Settings: environment variables and the file mintmark.env, which is in ~/.config/mintmark or where MINTMARK_ENV says.
mintmark init writes that file; mintmark config lists every setting.

Exit codes: 0 done, 1 fault, 2 wrong usage or setting, 3 the input cannot be used, 4 the database cannot be used,
5 some of the input could not be used, the rest was imported.`;

/** The program. Commands are loaded when called, so that --help is quick. */
export function program(): Command {
  const mintmark = new Command('mintmark')
    .description('Reference prices of trading cards: a self-hosted service.')
    .addHelpText('after', HELP)
    .option('-V, --version', 'print the version, the day and the commit of the program')
    .on('option:version', printVersion)
    .hook('preAction', (_program, command) => noteRunning(command))
    .exitOverride();

  mintmark
    .command('serve')
    .description('answer the API and the pages')
    .addOption(new Option('--only <part>', 'serve one part; a proxy sends the rest to other processes').choices(PARTS))
    .action(async ({ only }) => {
      // A wrong setting is reported at once: the server's code takes a second to load.
      const config = readConfig();
      await (await import('./commands/serve.ts')).serve(config, only);
    });
  mintmark
    .command('worker')
    .description('do what a service does by itself: close days, crawl markets, make backups and files')
    .action(async () => (await import('./commands/worker.ts')).workerCommand());
  mintmark
    .command('demo')
    .description('load simulated sales of real cards once, then serve them')
    .action(async () => (await import('./commands/demo.ts')).demoCommand());
  mintmark
    .command('mcp')
    .description(
      'answer a language model over standard input and output: prices as tools of the Model Context Protocol',
    )
    .option('--url <address>', 'an installation to call, with MCP_KEY and MCP_SECRET; your own database unless given')
    .action(async (options) => (await import('./commands/mcp.ts')).mcpCommand(options));
  reporting(mintmark.command('migrate'), '{"migrations": [name]}')
    .description('bring the database up to date')
    .action(async (options) => (await import('./commands/migrate.ts')).migrateCommand(options));
  reporting(mintmark.command('doctor'), '{"findings": [{"state": "ok" | "warn" | "fail", "what", "advice"}]}')
    .description('say what is wrong, and what to do; exit code 1: a line says FAIL. A WARN alone is exit code 0')
    .action(async (options) => (await import('./commands/doctor.ts')).doctorCommand(options));
  reporting(mintmark.command('desk'), '{"url"}')
    .description(
      'open a page on this machine for what waits for a person: unmatched sales, suspects, reports and so on',
    )
    .option('--port <n>', 'where it listens, on 127.0.0.1 only; any free one unless given', '0')
    .option('--by <name>', 'name that decisions are kept with; yours unless given')
    .option('--no-open', 'only print the link')
    .action(async (options) => (await import('./commands/desk.ts')).deskCommand(options));
  addImport(mintmark);
  addImports(mintmark);
  addSales(mintmark);
  addKeys(mintmark);
  addIntake(mintmark);
  addServices(mintmark);
  addAudit(mintmark);
  addPictures(mintmark);
  addPrices(mintmark);
  addRecord(mintmark);
  addBackup(mintmark);
  reporting(mintmark.command('bulk'), '{"day", "made", "kept", "rows", "bytes", "dropped"} | {"made": 0}')
    .description('make the files of GET /v1/bulk of the last close now, as a worker does after each close')
    .action(async (options) => (await import('./commands/bulk.ts')).bulkCommand(options));
  mintmark
    .command('plot')
    .description('draw the sales, the reference price and its range of one card and grade as an SVG')
    .argument('<item>', 'its id, or the path of its page: /card/…')
    .argument('<grade>', 'psa-10, bgs-9-5, raw-A and so on')
    .option('--from <day>', 'the first day drawn (YYYY-MM-DD); that of its first sale unless given')
    .option('--to <day>', 'the last day drawn (YYYY-MM-DD); today unless given')
    .option('--out <file>', 'write to this file; to standard output unless given')
    .action(async (item, grade, options) => (await import('./commands/plot.ts')).plotCommand(item, grade, options));
  addSettings(mintmark);
  return mintmark;
}

function printVersion(): never {
  console.log(versionLine());
  throw new CommanderError(0, 'commander.version', '');
}
