import { publicOf, readSuspects } from '../audit/audit-page.ts';
import { decideSuspect, decisionOnSuspect } from '../audit/decide-suspect.ts';
import { runAudit } from '../audit/run-audit.ts';
import { type SuspectState, type SuspectVerdict, VERDICTS } from '../audit/suspect-store.ts';
import { takeBack, takenBackWords } from '../desk/take-back.ts';
import { type DeciderOptions, deciderOf } from './deciding.ts';
import { type JsonOption, report, tableOf } from './output.ts';
import { agreedToday, CommandError, type CommandWorld, EXIT, limitOption, withWorld } from './world.ts';

const SHOWN = 50;

/** `mintmark audit`: compares ids and prices now, and shows what is open. */
export async function auditCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    const counts = await runAudit(db);
    const { suspects, lines } = await listed(db, { state: 'open', limit: SHOWN });
    report(options, { ...counts, suspects }, () => [
      `suspects: ${counts.found}, new: ${counts.added}, gone: ${counts.closed}, with prices withheld: ${counts.withheld}`,
      ...lines,
    ]);
  });
}

/** `mintmark audit list` */
export async function auditListCommand(options: JsonOption & { state?: SuspectState; limit: string }): Promise<void> {
  const limit = limitOption(options.limit);
  await withWorld(async ({ db }) => {
    const { suspects, lines } = await listed(db, { state: options.state, limit });
    report(options, { suspects }, () => lines);
  });
}

async function listed(db: CommandWorld['db'], selection: { state?: SuspectState | undefined; limit: number }) {
  const { suspects: kept, items } = await readSuspects(db, { ...selection, before: null });
  const suspects = kept.map((one) => publicOf(one, items));
  const lines = tableOf(
    ['id', 'kind', 'score', 'decision', 'evidence'],
    suspects.map(({ id, kind, score, decision, evidence }) => [
      ...[id, kind, score, decision, evidence.map(({ text }) => text).join(' ')],
    ]),
  );
  return { suspects, lines: suspects.length === 0 ? ['nothing is suspect'] : lines };
}

/** `mintmark audit decide <id> <verdict>` */
export async function auditDecideCommand(
  idText: string,
  verdict: string,
  options: JsonOption & DeciderOptions,
): Promise<void> {
  const id = suspectId(idText);
  if (!isVerdict(verdict)) throw new CommandError(`a verdict is ${VERDICTS.join(' or ')}`, EXIT.usage);
  const decider = deciderOf(options);
  if (decider.why === null) throw new CommandError('--why is needed: the reason is kept with the decision', EXIT.usage);
  await withWorld(async ({ db }) => {
    const decision = await decideSuspect(db, id, verdict, decider);
    report(options, { id, verdict, decision }, () => [
      verdict === 'right'
        ? `suspect ${id} is right: its prices are back`
        : `suspect ${id} is wrong: its prices stay withheld`,
    ]);
  });
}

/** `mintmark audit undo <id>`: takes the decision on a suspect back. */
export async function auditUndoCommand(idText: string, options: JsonOption & DeciderOptions): Promise<void> {
  const id = suspectId(idText);
  const decider = deciderOf(options);
  await withWorld(async ({ db }) => {
    const decision = await takeBack(db, await decisionOnSuspect(db, id), decider, await agreedToday(db));
    report(options, { id, decision: decision.id }, () => [takenBackWords(decision)]);
  });
}

function suspectId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new CommandError(`"${text}" is not the id of a suspect, such as 12`, EXIT.usage);
  return Number(text);
}

function isVerdict(text: string): text is SuspectVerdict {
  return (VERDICTS as readonly string[]).includes(text);
}
