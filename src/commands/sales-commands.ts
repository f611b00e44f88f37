import type { Command } from 'commander';
import { deciding, reporting } from './options.ts';

/** Adds the commands of the ledger, and those of decisions. */
export function addSales(mintmark: Command): void {
  const sales = mintmark.command('sales').description('see and decide what waits or was rejected');
  const commands = () => import('./sales.ts');
  reporting(
    sales.command('unmatched'),
    `{"total", "byReason": {reason: count}, "unmatched": [{"source", "saleId", "title", "soldOn", "priceMinor", "currency",
  "company", "grade", "item", "reason", "because", "importId", "file", "line", "candidates": [{"itemId", "card", "href", "why"}]}]}`,
  )
    .description('list sales whose card could not be identified, with what each may be, and why that was not taken')
    .option('--limit <n>', 'how many', '50')
    .action(async (options) => (await commands()).unmatchedCommand(options));
  reporting(sales.command('rejected'), '{"rejected": [{"importId", "importedAt", "file", "line", "reason", "row"}]}')
    .description('list rows that are in no price, with their import, file, line and reason')
    .option('--import <id>', 'those of one import; all unless given')
    .option('--limit <n>', 'how many', '50')
    .action(async (options) => (await commands()).rejectedCommand(options));
  reporting(sales.command('rematch'), 'as of "import sales"')
    .description('try the waiting sales again, after a catalog import')
    .action(async (options) => (await commands()).rematchCommand(options));
  deciding(
    reporting(
      sales.command('match'),
      '{"source", "saleId", "itemId", "card", "decision", "company", "grade", "gradeLabel", "rejection": null | reason}',
    ),
  )
    .description('put a sale on its card: one that waits, or a recorded one that is on another')
    .argument('<source>')
    .argument('<sale-id>', 'its id there, as "sales unmatched" lists it')
    .argument('<item>', 'id of the card, or the path of its page: /card/…')
    .option('--grade <grade>', 'psa-10, raw-A and so on; as the sale states it unless given')
    .action(async (source, saleId, item, options) =>
      (await commands()).matchCommand({ source, saleId }, item, options),
    );
  deciding(reporting(sales.command('drop'), '{"source", "saleId", "decision"}'))
    .description('drop a sale that is not of a card: one that waits, or a recorded one')
    .argument('<source>')
    .argument('<sale-id>')
    .action(async (source, saleId, options) => (await commands()).dropCommand({ source, saleId }, options));
  deciding(reporting(sales.command('alias'), '{"game", "said", "meant", "decision"}'))
    .description('teach what titles call a set or a card')
    .argument('<game>', 'pokemon, mtg and so on')
    .argument('<said>', 'the words of the titles, such as "evo skies"')
    .argument('<meant>', 'the name of the set or card in the catalog, such as "Evolving Skies"')
    .action(async (game, said, meant, options) => (await commands()).aliasCommand(game, said, meant, options));

  const decisions = mintmark.command('decisions').description('what was decided about imports, sales and forms');
  const decided = () => import('./decisions.ts');
  reporting(
    decisions.command('list'),
    `{"decisions": [{"id", "kind", "subject", "facts": {…}, "decidedAt", "decidedBy", "why",
  "takenBackAt", "takenBackBy", "takenBackWhy"}]}`,
  )
    .description('decisions, the newest first')
    .option('--limit <n>', 'how many', '50')
    .action(async (options) => (await decided()).decisionsListCommand(options));
  deciding(reporting(decisions.command('undo'), '{"decision", "kind", "subject", "waiting"}'))
    .description('take a decision back')
    .argument('<id>')
    .action(async (id, options) => (await decided()).decisionsUndoCommand(id, options));
}
