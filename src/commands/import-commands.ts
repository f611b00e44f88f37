import { type Command, Option } from 'commander';
import { GAMES } from '../catalog/games.ts';
import { CERT_FORMATS } from '../graded/certs/cert-formats.ts';
import { LISTINGS_FORMATS, SALES_FORMATS } from '../sales/formats/index.ts';
import { CATALOG_FORMATS } from './catalog-formats.ts';
import { addCsvOptions } from './csv-layout.ts';
import { deciding, reporting } from './options.ts';

const COUNTS = '{reason: count}';

/** Adds the commands that read files. */
export function addImport(mintmark: Command): void {
  const files = mintmark.command('import').description('read files into the catalog and the ledger');
  const listing = (formats: readonly { name: string; about: string }[]) =>
    `\nFormats:\n${formats.map(({ name, about }) => `  ${name.padEnd(18)} ${about}`).join('\n')}`;
  const command = (name: string, shape: string) => reporting(files.command(name), shape);
  command(
    'catalog',
    `{"records", "sets", "added", "known", "joined", "dropped": ${COUNTS}, "broken", "removed", "tags": {…}}`,
  )
    .description('items from published card lists')
    .argument('<format>')
    .argument('<path...>', 'files or folders')
    .addHelpText('after', listing(CATALOG_FORMATS))
    .action(async (format, paths, options) =>
      (await import('./import-catalog.ts')).importCatalogCommand(format, paths, options),
    );
  command('tags', '{"rows", "linked", "repeated", "declared", "rejected", "newTags", "changedTags"}')
    .description(
      'tags of items: CSV or NDJSON of kind,slug,name,game,active,aliases and itemId, href or upstreamItemId',
    )
    .argument('<file...>', 'one file; with --zero-shot, text vectors, then item vectors')
    .option(
      '--zero-shot',
      'moods by text vectors (kind,slug,name,vector) and image vectors (itemId,vector) of one model',
    )
    .action(async (paths, options) => (await import('./import-tags.ts')).importTagsCommand(paths, options));
  addCsvOptions(
    command(
      'sales',
      `{"importId", "rows", "added", "repeated", "corrected", "reversed", "rejected": ${COUNTS}, "waiting": ${COUNTS},
  "orderRows": rows of whole orders, left out, "sameSales": [{"path", "line", "sameAsLine"}], "older": [{"game", "firstCloseDay", "firstSoldDay", "sales"}],
  "late": of closed days, [{"game", "firstSoldDay", "sales"}], "cutOff": [{"id", "sales"}], "firstRows": with --dry-run, {"added"|"rejected"|"waiting": [{"line", "text"}]}}`,
    ),
  )
    .description('recorded sales into the ledger')
    .argument('<format>')
    .argument('<path...>', 'files or folders')
    .addHelpText('after', listing(SALES_FORMATS))
    .option('--dry-run', 'import nothing: show what would be added, rejected and waiting, with the first rows of each')
    .action(async (format, paths, options) =>
      (await import('./import-sales.ts')).importSalesCommand(format, paths, options),
    );
  addCsvOptions(command('listings', `{"importId", "rows", "listings", "rejected": ${COUNTS}, "unmatched": ${COUNTS}}`))
    .description('live asks')
    .argument('<format>')
    .argument('<path...>', 'files or folders')
    .addHelpText('after', listing(LISTINGS_FORMATS))
    .option('--dry-run', 'import nothing: show what would be stored')
    .action(async (format, paths, options) =>
      (await import('./import-sales.ts')).importListingsCommand(format, paths, options),
    );
  command(
    'certs',
    `{"rows", "added", "changed", "unchanged", "repeated", "rejected", "withoutCard": ${COUNTS}, "outsideScale"}`,
  )
    .description('slabs by cert number, with card, grade and scans')
    .argument('<format>')
    .argument('<path...>', 'files or folders')
    .addHelpText('after', listing(CERT_FORMATS))
    .action(async (format, paths, options) =>
      (await import('./import-certs.ts')).importCertsCommand(format, paths, options),
    );
  command('rates', '{"rows", "stored", "rejected": [{"line", "message"}], "sales": null | as of "import sales"}')
    .description('reference exchange rates: CSV date,currency,usd_per_unit; recorded sales that lacked one enter')
    .argument('<csv>')
    .action(async (csv, options) => (await import('./import-sales.ts')).importRatesCommand(csv, options));
  command('images', '{"files", "imported", "unchanged", "items", "problems": [{"file", "message"}]}')
    .description('card images named by catalog id or source id, into the data folder')
    .argument('<folder>')
    .option('--map <csv>', 'which item each file shows: CSV file,item (the item as id)')
    .addOption(new Option('--game <game>', 'whose ids they are, where games number cards alike').choices(GAMES))
    .action(async (folder, options) => (await import('./import-images.ts')).importImagesCommand(folder, options));
  command('vectors', '{"rows", "imported", "rejected"}')
    .description('embeddings of pictures made elsewhere: NDJSON or CSV of itemId or href, model, vector')
    .argument('<file>')
    .action(async (file, options) => (await import('./import-vectors.ts')).importVectorsCommand(file, options));
  command('upstream', '{"rows", "mapped", "unchanged", "rejected"}')
    .description('your own inventory ids: CSV item,upstream_id (the item as id or href)')
    .argument('<csv>')
    .action(async (csv, options) => (await import('./import-upstream.ts')).importUpstreamCommand(csv, options));
  command('ids', '{"rows", "stored", "cleared", "shared": [id], "rejected"}')
    .description(
      'ids of other programs and graders: CSV item,space,id (the item as id or href; psa-spec, tcgplayer, …)',
    )
    .argument('<csv>')
    .action(async (csv, options) => (await import('./import-ids.ts')).importIdsCommand(csv, options));
  command('population', '{"rows", "stored", "unchanged", "rejected"}')
    .description('slabs that graders reported, never changed: CSV item,company,grade,day,count and perhaps source')
    .argument('<csv>')
    .action(async (csv, options) => (await import('./import-population.ts')).importPopulationCommand(csv, options));
  for (const one of files.commands) one.addHelpText('after', IMPORT_EXIT_CODES);
}

const IMPORT_EXIT_CODES = `
Exit codes: 0 every row was used, 5 some could not be used and the others were imported, 3 none could be used;
1, 2 and 4 as in mintmark --help.`;

const IMPORT =
  '{"id", "kind", "format", "files": [path], "startedAt", "finishedAt", "counts": {…}, "undone": null | {"decision", "at", "by", "why"}}';

/** Adds the commands that list imports and undo one. */
export function addImports(mintmark: Command): void {
  const imports = mintmark.command('imports').description('list what was imported, and undo an import');
  const commands = () => import('./imports.ts');
  reporting(imports.command('list'), `{"imports": [${IMPORT}]}`)
    .description('imports of files, the newest first')
    .option(
      '--kind <kind>',
      'one kind, those that the program makes by itself included: sales, listings, catalog and so on',
    )
    .option('--limit <n>', 'how many', '20')
    .action(async (options) => (await commands()).importsListCommand(options));
  reporting(
    imports.command('show'),
    `{"import": ${IMPORT},
  "now": null | {"accepted", "rejected", "changed", "waiting", "unreadable"}}`,
  )
    .description('one import: its files, its report, and what there is of it now')
    .argument('<id>')
    .action(async (id, options) => (await commands()).importsShowCommand(id, options));
  deciding(
    reporting(
      imports.command('undo'),
      '{"import", "decision": null if undone before, "takenOut", "broughtBack", "cards", "prices", "waiting", "unreadable", "cutOff": [{"id", "sales"}]}',
    ),
  )
    .description('take an import of sales out as a whole; says what changes, and asks')
    .argument('<id>')
    .option('--yes', 'do not ask')
    .action(async (id, options) => (await commands()).importsUndoCommand(id, options));
}
