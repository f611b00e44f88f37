import { Command, Option } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { GAMES } from './catalog/games.ts';
import { addBackup } from './commands/backup-commands.ts';
import { CATALOG_FORMATS } from './commands/catalog-formats.ts';
import { addCsvOptions } from './commands/csv-layout.ts';
import { endWith } from './commands/ending.ts';
import { addRecord } from './commands/record-commands.ts';
import { addSettings } from './commands/settings-commands.ts';
import { readConfig } from './config.ts';
import { CERT_FORMATS } from './graded/certs/cert-formats.ts';
import { LISTINGS_FORMATS, SALES_FORMATS } from './sales/formats/index.ts';

const HELP = `
Settings: environment variables and the file mintmark.env, which is in ~/.config/mintmark or where MINTMARK_ENV says.
mintmark init writes that file; mintmark config lists every setting.

Exit codes: 0 done, 1 fault, 2 wrong usage or setting, 3 the input cannot be used, 4 the database cannot be used,
5 some of the input could not be used, the rest was imported.`;

/** The program. Commands are loaded when called, so that --help is quick. */
function program(): Command {
  const mintmark = new Command('mintmark')
    .description('Reference prices of trading cards: a self-hosted service.')
    .addHelpText('after', HELP)
    .version(packageJson.version)
    .exitOverride();

  mintmark
    .command('serve')
    .description('answer the API')
    .action(async () => {
      // A wrong setting is reported at once: the server's code takes a second to load.
      const config = readConfig();
      await (await import('./commands/serve.ts')).serve(config);
    });
  mintmark
    .command('worker')
    .description('run what runs by itself: close the days')
    .action(async () => (await import('./commands/worker.ts')).workerCommand());
  mintmark
    .command('demo')
    .description('load simulated sales of real cards once, then serve them')
    .action(async () => (await import('./commands/demo.ts')).demoCommand());
  mintmark
    .command('migrate')
    .description('bring the database up to date')
    .action(async () => (await import('./commands/migrate.ts')).migrateCommand());
  mintmark
    .command('doctor')
    .description('say what is wrong, and what to do')
    .action(async () => (await import('./commands/doctor.ts')).doctorCommand());

  addImports(mintmark.command('import').description('read files into the catalog and the ledger'));
  addKeys(mintmark.command('keys').description('look after partner keys'));
  addIntake(mintmark.command('intake').description('decide on applications and reports'));
  addSales(mintmark.command('sales').description('look after the ledger'));
  mintmark
    .command('tags')
    .description('look after tags')
    .command('derive')
    .description('derive the tags of every item again, after an upgrade; an import does it for what it changes')
    .action(async () => (await import('./commands/import-tags.ts')).deriveTagsCommand());

  mintmark
    .command('vectors')
    .description('describe the pictures of the catalog that are new or changed; a worker does it every minute')
    .action(async () => (await import('./commands/models.ts')).vectorsCommand());
  addModels(mintmark.command('models').description('look after the model that embeds pictures'));

  mintmark
    .command('reprice')
    .description('close every day that is over and price every series')
    .option('--through <day>', 'close days through this one (YYYY-MM-DD) only, however many have no sale')
    .option('--reopen <day>', 'take back the close of the days after this one, when none of them has a sale')
    .action(async (options) => (await import('./commands/reprice.ts')).repriceCommand(options));
  addIndex(mintmark.command('index').description('look after the market indices'));
  mintmark
    .command('backtest')
    .description('print the walk-forward error of the model and of plain averages')
    .argument('[csv]', 'a CSV of sales: item,company,grade,date,price; without it, the ledger')
    .option('--json', 'print the table as one JSON object')
    .action(async (csv, options) => (await import('./commands/backtest.ts')).backtestCommand(csv, options));
  addRecord(mintmark);
  addBackup(mintmark);
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

function addImports(imports: Command): void {
  const listing = (formats: readonly { name: string; about: string }[]) =>
    `\nFormats:\n${formats.map(({ name, about }) => `  ${name.padEnd(18)} ${about}`).join('\n')}`;
  imports
    .command('catalog')
    .description('items from published card lists')
    .argument('<format>')
    .argument('<path...>', 'files or folders')
    .addHelpText('after', listing(CATALOG_FORMATS))
    .action(async (format, paths) =>
      (await import('./commands/import-catalog.ts')).importCatalogCommand(format, paths),
    );
  imports
    .command('tags')
    .description(
      'tags of items: CSV or NDJSON of kind,slug,name,game,active,aliases and itemId, href or upstreamItemId',
    )
    .argument('<file...>', 'one file; with --zero-shot, text vectors, then item vectors')
    .option(
      '--zero-shot',
      'moods by text vectors (kind,slug,name,vector) and image vectors (itemId,vector) of one model',
    )
    .action(async (files, options) => (await import('./commands/import-tags.ts')).importTagsCommand(files, options));
  addCsvOptions(imports.command('sales'))
    .description('recorded sales into the ledger')
    .argument('<format>')
    .argument('<path...>', 'files or folders')
    .addHelpText('after', listing(SALES_FORMATS))
    .option('--dry-run', 'import nothing: show what would be added, rejected and waiting, with the first rows of each')
    .action(async (format, paths, options) =>
      (await import('./commands/import-sales.ts')).importSalesCommand(format, paths, options),
    );
  addCsvOptions(imports.command('listings'))
    .description('live asks')
    .argument('<format>')
    .argument('<path...>', 'files or folders')
    .addHelpText('after', listing(LISTINGS_FORMATS))
    .option('--dry-run', 'import nothing: show what would be stored')
    .action(async (format, paths, options) =>
      (await import('./commands/import-sales.ts')).importListingsCommand(format, paths, options),
    );
  imports
    .command('certs')
    .description('slabs by cert number, with card, grade and scans')
    .argument('<format>')
    .argument('<path...>', 'files or folders')
    .addHelpText('after', listing(CERT_FORMATS))
    .action(async (format, paths) => (await import('./commands/import-certs.ts')).importCertsCommand(format, paths));
  imports
    .command('rates')
    .description('reference exchange rates: CSV date,currency,usd_per_unit')
    .argument('<csv>')
    .action(async (csv) => (await import('./commands/import-sales.ts')).importRatesCommand(csv));
  imports
    .command('images')
    .description('card images named by catalog id or source id, into the data folder')
    .argument('<folder>')
    .option('--map <csv>', 'which item each file shows: CSV file,item (the item as id)')
    .addOption(new Option('--game <game>', 'whose ids they are, where games number cards alike').choices(GAMES))
    .action(async (folder, options) =>
      (await import('./commands/import-images.ts')).importImagesCommand(folder, options),
    );
  imports
    .command('vectors')
    .description('embeddings of pictures made elsewhere: NDJSON or CSV of itemId or href, model, vector')
    .argument('<file>')
    .action(async (file) => (await import('./commands/import-vectors.ts')).importVectorsCommand(file));
  imports
    .command('upstream')
    .description('your own inventory ids: CSV item,upstream_id (the item as id or href)')
    .argument('<csv>')
    .action(async (csv) => (await import('./commands/import-upstream.ts')).importUpstreamCommand(csv));
}

function addModels(models: Command): void {
  const commands = () => import('./commands/models.ts');
  models
    .command('add')
    .description('check an ONNX file of the image encoder mobileclip-s2 and keep a copy of it')
    .argument('<file>')
    .action(async (file) => (await commands()).modelsAddCommand(file));
  models
    .command('list')
    .description('the model that was added, and how many vectors there are of each space')
    .action(async () => (await commands()).modelsListCommand());
  models
    .command('remove')
    .description('take the model away; vectors that it made stay')
    .action(async () => (await commands()).modelsRemoveCommand());
}

function addKeys(keys: Command): void {
  const call = async (name: 'issue' | 'list' | 'rotate' | 'revoke' | 'usage', ...args: string[]) =>
    (await import('./commands/keys.ts')).keysCommand(name, args);
  keys
    .command('issue')
    .description('a new key; its secret is shown once')
    .argument('<label>', 'whose it is')
    .action((label) => call('issue', label));
  keys
    .command('list')
    .description('every key, without secrets')
    .action(() => call('list'));
  keys
    .command('rotate')
    .description('a new secret for a key; the old one stays valid for a while')
    .argument('<id>')
    .option('--overlap-hours <n>', 'how long the old one stays valid', '24')
    .action((id, options) => call('rotate', id, options.overlapHours));
  keys
    .command('revoke')
    .description('revoke a key; every process rejects it within a second')
    .argument('<id>')
    .action((id) => call('revoke', id));
  keys
    .command('usage')
    .description('units that each key has taken today')
    .action(() => call('usage'));
}

function addIntake(intake: Command): void {
  const commands = () => import('./commands/intake.ts');
  intake
    .command('list')
    .description('what was sent in, the oldest first')
    .addOption(new Option('--kind <kind>', 'one kind; both unless given').choices(['application', 'report']))
    .addOption(new Option('--state <state>', 'their state').choices(['open', 'accepted', 'rejected']).default('open'))
    .option('--limit <n>', 'how many', '50')
    .action(async (options) => (await commands()).intakeListCommand(options));
  intake
    .command('accept')
    .description('give an applicant a key, whose secret is shown once; or close a report as dealt with')
    .argument('<id>')
    .option('--reason <text>', 'why; a report needs one, which is published with the corrections')
    .option('--by <name>', 'name of the decider; yours unless given')
    .action(async (id, options) => (await commands()).intakeAcceptCommand(id, options));
  intake
    .command('reject')
    .description('close an application or report without more')
    .argument('<id>')
    .requiredOption('--reason <text>', 'why')
    .option('--by <name>', 'name of the decider; yours unless given')
    .action(async (id, options) => (await commands()).intakeRejectCommand(id, options));
}

function addIndex(index: Command): void {
  index
    .command('list')
    .description('every index, its scope and its last closed day')
    .action(async () => (await import('./commands/indices.ts')).indexListCommand());
  index
    .command('rebuild')
    .description('compute levels again: publish a history, or compare with what was published (exit code 1: differs)')
    .option('--game <slug>', 'one index; all unless given')
    .option('--from <day>', 'compare from this day on (YYYY-MM-DD)')
    .option('--from-ledger', 'compute the prices again too, from the sales, in tables of their own')
    .action(async (options) => (await import('./commands/indices.ts')).indexRebuildCommand(options));
  index
    .command('audit')
    .description('check the divisor chain of every day and rotation (exit code 1: a mistake)')
    .option('--game <slug>', 'one index; all unless given')
    .action(async (options) => (await import('./commands/indices.ts')).indexAuditCommand(options));
  index
    .command('correct')
    .description('restate levels of the last 5 closed days that are off by more than 0.5%, and log it publicly')
    .requiredOption('--game <slug>', 'the index')
    .requiredOption('--reason <text>', 'published with the correction')
    .action(async (options) => (await import('./commands/indices.ts')).indexCorrectCommand(options));
}

function addSales(sales: Command): void {
  sales
    .command('unmatched')
    .description('list sales whose card could not be identified')
    .option('--limit <n>', 'how many', '50')
    .action(async (options) => (await import('./commands/sales.ts')).unmatchedCommand(options));
  sales
    .command('rejected')
    .description('list rows that are in no price, with their import, line and reason')
    .option('--limit <n>', 'how many', '50')
    .action(async (options) => (await import('./commands/sales.ts')).rejectedCommand(options));
  sales
    .command('rematch')
    .description('try the waiting sales again, after a catalog import')
    .action(async () => (await import('./commands/sales.ts')).rematchCommand());
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Its reader may leave at any time (`mintmark … | head`): the work goes on without it.
    if (error.code !== 'EPIPE') process.exit(endWith(error));
  });
}
process.on('uncaughtException', (error) => process.exit(endWith(error)));

try {
  await program().parseAsync();
} catch (error) {
  process.exitCode = endWith(error);
}
