import type { Command } from 'commander';
import { reporting } from './options.ts';

/** Adds the commands of prices and indices. */
export function addPrices(mintmark: Command): void {
  reporting(
    mintmark.command('reprice'),
    `{"closedDay": null | day, "days", "sales", "indexDays", "continuedFrom": null | {"version", "untilDay"}}; with --reopen {"reopened"}`,
  )
    .description('close every day that is over and price every series')
    .option('--through <day>', 'close days through this one (YYYY-MM-DD) only, however many have no sale')
    .option('--from-start', 'compute all prices again from the first sale, after older sales came in; asks first')
    .option('--yes', 'do not ask')
    .option('--reopen <day>', 'take back the close of the days after this one, when none of them has a sale')
    .action(async (options) => (await import('./reprice.ts')).repriceCommand(options));

  const index = mintmark.command('index').description('list, check, correct and rebuild the market indices');
  const commands = () => import('./indices.ts');
  reporting(index.command('list'), '{"indices": [{"slug", "label", "game", "universe": {…}, "closedDay"}]}')
    .description('every index, its scope and the day of its last level')
    .action(async (options) => (await commands()).indexListCommand(options));
  reporting(
    index.command('rebuild'),
    '{"indices": [{"slug", "levels", "firstPublished", "differences": [{"day", "what", "published", "recomputed"}]}]}',
  )
    .description('compute levels again: publish a history, or compare with what was published (exit code 1: differs)')
    .option('--game <slug>', 'one index; all unless given')
    .option('--from <day>', 'compare from this day on (YYYY-MM-DD)')
    .option('--from-ledger', 'compute the prices again too, from the sales, in tables of their own')
    .action(async (options) => (await commands()).indexRebuildCommand(options));
  reporting(
    index.command('audit'),
    '{"indices": [{"slug", "baseDay", "lastDay", "levels", "rotations", "skipped", "mistakes": [text]}]}',
  )
    .description('check the divisor chain of every day and rotation (exit code 1: a mistake)')
    .option('--game <slug>', 'one index; all unless given')
    .action(async (options) => (await commands()).indexAuditCommand(options));
  reporting(
    index.command('correct'),
    `{"slug", "levels", "corrected": [{"day", "oldLevel", "newLevel"}],
  "left": [{"day", "oldLevel", "newLevel", "because"}]}`,
  )
    .description('restate levels of the last 5 closed days that are off by more than 0.5%, and log it publicly')
    .requiredOption('--game <slug>', 'the index')
    .requiredOption('--reason <text>', 'published with the correction')
    .action(async (options) => (await commands()).indexCorrectCommand(options));

  reporting(mintmark.command('backtest'), 'the groups of the table with their errors, as printed without it')
    .description('print the walk-forward error of the model and of plain averages')
    .argument('[csv]', 'a CSV of sales: item,company,grade,date,price; without it, the ledger')
    .action(async (csv, options) => (await import('./backtest.ts')).backtestCommand(csv, options));
}

/** Adds the commands of tags, vectors and models. */
export function addPictures(mintmark: Command): void {
  reporting(
    mintmark.command('tags').description('derive tags from the catalog').command('derive'),
    '{"items", "newTags", "added", "removed"}',
  )
    .description('derive the tags of every item again, after an upgrade; an import does it for what it changes')
    .action(async (options) => (await import('./import-tags.ts')).deriveTagsCommand(options));
  const commands = () => import('./models.ts');
  reporting(
    mintmark.command('vectors'),
    '{"models": [{"model", "made", "copied", "dropped", "vectors", "unreadable": [{"hash", "message"}]}]}',
  )
    .description('describe the pictures of the catalog that are new or changed; a worker does it every minute')
    .action(async (options) => (await commands()).vectorsCommand(options));
  const models = mintmark.command('models').description('add, list and remove models that embed pictures');
  reporting(models.command('add'), '{"name", "sha256", "inputName", "outputName", "isKnown", "dropped"}')
    .description('check an ONNX file of the image encoder mobileclip-s2 and keep a copy of it')
    .argument('<file>')
    .action(async (file, options) => (await commands()).modelsAddCommand(file, options));
  reporting(models.command('list'), '{"model": null | {"name", "addedAt", "sha256"}, "vectors": {space: count}}')
    .description('the model that was added, and how many vectors there are of each space')
    .action(async (options) => (await commands()).modelsListCommand(options));
  reporting(models.command('remove'), '{"removed": true}')
    .description('take the model away; vectors that it made stay')
    .action(async (options) => (await commands()).modelsRemoveCommand(options));
}
