import { listDecisions } from '../decisions/decisions.ts';
import { takeBack, takenBackWords } from '../desk/take-back.ts';
import { type DeciderOptions, deciderOf } from './deciding.ts';
import { type JsonOption, report, tableOf } from './output.ts';
import { agreedToday, CommandError, EXIT, limitOption, withWorld } from './world.ts';

/** `mintmark decisions list`: the newest first. */
export async function decisionsListCommand(options: JsonOption & { limit: string }): Promise<void> {
  const limit = limitOption(options.limit);
  await withWorld(async ({ db }) => {
    const decisions = await listDecisions(db, { before: null, limit });
    report(options, { decisions }, () =>
      tableOf(
        ['id', 'what', 'of', 'decided', 'by', 'taken back', 'why'],
        decisions.map((one) => [
          ...[one.id, one.kind, one.subject, one.decidedAt, one.decidedBy, one.takenBackAt, one.why],
        ]),
      ),
    );
  });
}

/** `mintmark decisions undo <id>`: takes a decision back. */
export async function decisionsUndoCommand(idText: string, options: JsonOption & DeciderOptions): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(idText))
    throw new CommandError(`"${idText}" is not the id of a decision, such as 12`, EXIT.usage);
  const decider = deciderOf(options);
  await withWorld(async ({ db }) => {
    const decision = await takeBack(db, Number(idText), decider, await agreedToday(db));
    const { id, kind, subject, waiting } = decision;
    report(options, { decision: id, kind, subject, waiting }, () => [takenBackWords(decision)]);
  });
}
