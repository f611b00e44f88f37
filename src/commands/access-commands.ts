import { type Command, Option } from 'commander';
import { deciding, reporting } from './options.ts';

const SECRET = '{"id", "secret"}';

/** Adds the commands of the outside services that are called. */
export function addServices(mintmark: Command): void {
  const services = mintmark
    .command('services')
    .description('list, pause and call again the graders and markets that are called');
  const commands = () => import('./services.ts');
  reporting(
    services.command('list'),
    `{"services": [{"id", "name", "state": "failing" | "resting" | "paused" | "ok" | "unused", "callsToday",
  "budgetPerDay", "lastSuccessAt", "lastFaultAt", "lastFaultReason"}]}`,
  )
    .description('list the connected services, those that fail first')
    .action(async (options) => (await commands()).servicesListCommand(options));
  deciding(reporting(services.command('pause'), '{"id", "decision"}'))
    .description('pause a service: no process calls it until it is resumed')
    .argument('<id>', 'its id, as "services list" shows it')
    .action(async (id, options) => (await commands()).servicesPauseCommand(id, options));
  deciding(reporting(services.command('resume'), '{"id", "decision"}'))
    .description('let a paused service be called again: takes the decision to pause it back')
    .argument('<id>')
    .action(async (id, options) => (await commands()).servicesResumeCommand(id, options));
  reporting(services.command('retry'), '{"id"}')
    .description('forget the faults of a service and the pause that it requested: the next call is made')
    .argument('<id>')
    .action(async (id, options) => (await commands()).servicesRetryCommand(id, options));
}

/** Adds the commands of partner keys. */
export function addKeys(mintmark: Command): void {
  const keys = mintmark.command('keys').description('issue, list, rotate and revoke partner keys; see what they used');
  const commands = () => import('./keys.ts');
  reporting(keys.command('issue'), SECRET)
    .description('a new key; its secret is shown once')
    .argument('<label>', 'whose it is')
    .action(async (label, options) => (await commands()).keysIssueCommand(label, options));
  reporting(keys.command('list'), '{"keys": [{"id", "label", "createdAt", "revokedAt", "previousUntil"}]}')
    .description('every key, without secrets')
    .action(async (options) => (await commands()).keysListCommand(options));
  reporting(keys.command('rotate'), SECRET)
    .description('a new secret for a key; the old one stays valid for a while')
    .argument('<id>')
    .option('--overlap-hours <n>', 'how long the old one stays valid', '24')
    .action(async (id, options) => (await commands()).keysRotateCommand(id, options));
  reporting(keys.command('revoke'), '{"id", "revoked": true}')
    .description('revoke a key; every process rejects it within a second')
    .argument('<id>')
    .option('--yes', 'do not ask for confirmation (only terminals are asked)')
    .action(async (id, options) => (await commands()).keysRevokeCommand(id, options));
  reporting(keys.command('usage'), '{"usage": [{"id", "label", "policy", "taken"}]}')
    .description('units that each key has taken today')
    .action(async (options) => (await commands()).keysUsageCommand(options));
}

/** Adds the commands that decide on forms. */
export function addIntake(mintmark: Command): void {
  const intake = mintmark.command('intake').description('decide on applications and reports');
  const commands = () => import('./intake.ts');
  reporting(
    intake.command('list'),
    `{"submissions": [{"id", "kind", "fields": {…}, "sentByKey", "receivedAt", "state", "decidedAt", "decidedBy", "reason",
  "keyId"}]}`,
  )
    .description('what was sent in, the oldest first')
    .addOption(new Option('--kind <kind>', 'one kind; both unless given').choices(['application', 'report']))
    .addOption(new Option('--state <state>', 'their state').choices(['open', 'accepted', 'rejected']).default('open'))
    .option('--limit <n>', 'how many', '50')
    .action(async (options) => (await commands()).intakeListCommand(options));
  reporting(intake.command('accept'), `{"id", "key": null | ${SECRET}, "contactEmail"}`)
    .description('give an applicant a key, whose secret is shown once; or close a report as dealt with')
    .argument('<id>')
    .option('--reason <text>', 'why; a report needs one, which is published with the corrections')
    .option('--by <name>', 'name of the decider; yours unless given')
    .action(async (id, options) => (await commands()).intakeAcceptCommand(id, options));
  reporting(intake.command('reject'), '{"id", "rejected": true}')
    .description('close an application or report without more')
    .argument('<id>')
    .requiredOption('--reason <text>', 'why')
    .option('--by <name>', 'name of the decider; yours unless given')
    .action(async (id, options) => (await commands()).intakeRejectCommand(id, options));
}
