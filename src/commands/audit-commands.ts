import { type Command, Option } from 'commander';
import { deciding, reporting } from './options.ts';

const SUSPECTS = `"suspects": [{"id", "kind", "items": [{"id", "href", "gradeLabel"}], "score",
  "evidence": [{"text", "data"}], "foundAt", "state", "decision", "decidedAt"}]`;

/** Adds the commands of the identity audit. */
export function addAudit(mintmark: Command): void {
  const commands = () => import('./audit.ts');
  const audit = mintmark
    .command('audit')
    .description('find ids and prices that may be on the wrong card, and decide on them');
  reporting(audit.command('run', { isDefault: true }), `{"found", "added", "closed", "withheld", ${SUSPECTS}}`)
    .description('find ids and prices that may be on the wrong card, as a worker does each night')
    .action(async (options) => (await commands()).auditCommand(options));
  reporting(audit.command('list'), `{${SUSPECTS}}`)
    .description('list suspects, the newest first')
    .addOption(new Option('--state <state>', 'open or decided; both unless given').choices(['open', 'decided']))
    .option('--limit <n>', 'how many', '50')
    .action(async (options) => (await commands()).auditListCommand(options));
  deciding(reporting(audit.command('decide'), '{"id", "verdict", "decision"}'))
    .description(
      'decide on a suspect: "right" gives its prices back, "wrong" withholds them until the data have changed',
    )
    .argument('<id>', 'its id, as "audit list" shows it')
    .argument('<verdict>', 'right or wrong')
    .action(async (id, verdict, options) => (await commands()).auditDecideCommand(id, verdict, options));
  deciding(reporting(audit.command('undo'), '{"id", "decision"}'))
    .description('take the decision on a suspect back')
    .argument('<id>')
    .action(async (id, options) => (await commands()).auditUndoCommand(id, options));
}
