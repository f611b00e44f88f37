import { loadPepper, pepperPath } from '../access/pepper.ts';
import type { FormKind } from '../intake/form-store.ts';
import { accept, type Decision, listSubmissions, reject, type State } from '../intake/queue.ts';
import { deciderOf, textOption } from './deciding.ts';
import { type JsonOption, report, tableOf } from './output.ts';
import { limitOption, withWorld } from './world.ts';

const MAX_REASON_CHARS = 500;

/** `mintmark intake list`: one line each: id, kind, time, state, what was sent, what was decided. */
export async function intakeListCommand(
  options: JsonOption & {
    kind?: FormKind;
    state: State;
    limit: string;
  },
): Promise<void> {
  const { kind = null, state } = options;
  const limit = limitOption(options.limit);
  await withWorld(async ({ db }) => {
    const rows = await listSubmissions(db, { kind, state, limit });
    const submissions = rows.map((row) => ({
      ...{ id: row.id, kind: row.kind, fields: row.fields, sentByKey: row.sent_by_key, receivedAt: row.received_at },
      ...{
        state: row.state,
        decidedAt: row.decided_at,
        decidedBy: row.decided_by,
        reason: row.reason,
        keyId: row.key_id,
      },
    }));
    report(options, { submissions }, () =>
      rows.length === 0
        ? [`nothing is ${state}`]
        : tableOf(
            ['id', 'kind', 'received', 'from key', 'decided', 'by', 'key', 'sent', 'reason'],
            submissions.map((one) => [
              ...[one.id, one.kind, one.receivedAt, one.sentByKey, one.decidedAt, one.decidedBy, one.keyId],
              ...[JSON.stringify(one.fields), one.reason],
            ]),
          ),
    );
  });
}

/** `mintmark intake accept`: an application gets a key, whose secret is shown once; a report its reason. */
export async function intakeAcceptCommand(
  id: string,
  options: JsonOption & { reason?: string; by?: string },
): Promise<void> {
  const decision = decisionOf(options);
  await withWorld(async ({ db, config }) => {
    const { key, fields } = await accept(db, await loadPepper(db, pepperPath(config)), id, decision);
    report(options, { id, key, contactEmail: fields.contactEmail ?? null }, () => [
      `${id} is accepted`,
      ...(key === null
        ? []
        : [
            `X-Api-Key: ${key.id}\nX-Api-Secret: ${key.secret}`,
            `The secret is shown this once; only its hash is kept. Send both to ${fields.contactEmail}.`,
          ]),
    ]);
  });
}

/** `mintmark intake reject` */
export async function intakeRejectCommand(
  id: string,
  options: JsonOption & { reason: string; by?: string },
): Promise<void> {
  const decision = decisionOf(options);
  await withWorld(async ({ db }) => {
    await reject(db, id, { ...decision, reason: decision.reason! });
    report(options, { id, rejected: true }, () => [`${id} is rejected`]);
  });
}

function decisionOf({ reason, by }: { reason?: string; by?: string }): Decision {
  const decider = deciderOf({ by });
  return { by: decider.by, nowMs: Date.now(), reason: textOption('--reason', reason, MAX_REASON_CHARS) };
}
