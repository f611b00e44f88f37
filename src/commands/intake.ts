import { userInfo } from 'node:os';
import { loadPepper, pepperPath } from '../access/pepper.ts';
import type { FormKind } from '../intake/form-store.ts';
import { accept, type Decision, DecisionError, listSubmissions, reject, type State } from '../intake/queue.ts';
import { CommandError, limitOption, withWorld } from './world.ts';

const MAX_REASON_CHARS = 500;

/** `mintmark intake list`: one line each: id, kind, time, state, what was sent, what was decided. */
export async function intakeListCommand(options: { kind?: FormKind; state: State; limit: string }): Promise<void> {
  const { kind = null, state } = options;
  const limit = limitOption(options.limit);
  await withWorld(async ({ db }) => {
    const rows = await listSubmissions(db, { kind, state, limit });
    for (const row of rows) {
      const sent = [row.id, row.kind, row.received_at.toISOString(), row.state, JSON.stringify(row.fields)];
      const from = row.sent_by_key === null ? [] : [`from ${row.sent_by_key}`];
      const decided = row.decided_at === null ? [] : [row.decided_at.toISOString(), row.decided_by!, row.reason ?? ''];
      console.log([...sent, ...from, ...decided, ...(row.key_id === null ? [] : [row.key_id])].join('\t'));
    }
    if (rows.length === 0) console.log(`nothing is ${state}`);
  });
}

/** `mintmark intake accept`: an application gets a key, whose secret is shown once; a report its reason. */
export async function intakeAcceptCommand(id: string, options: { reason?: string; by?: string }): Promise<void> {
  const decision = decisionOf(options);
  await withWorld(async ({ db, config }) => {
    const { key, fields } = await accept(db, await loadPepper(db, pepperPath(config)), id, decision).catch(
      inOneSentence,
    );
    console.log(`${id} is accepted`);
    if (key === null) return;
    console.log(`X-Api-Key: ${key.id}\nX-Api-Secret: ${key.secret}`);
    console.log(`The secret is shown this once; only its hash is kept. Send both to ${fields.contactEmail}.`);
  });
}

/** `mintmark intake reject` */
export async function intakeRejectCommand(id: string, options: { reason: string; by?: string }): Promise<void> {
  const decision = decisionOf(options);
  await withWorld(async ({ db }) => {
    await reject(db, id, { ...decision, reason: decision.reason! }).catch(inOneSentence);
    console.log(`${id} is rejected`);
  });
}

function decisionOf({ reason, by }: { reason?: string; by?: string }): Decision {
  const text = reason?.trim();
  if (text !== undefined && (text === '' || text.length > MAX_REASON_CHARS))
    throw new CommandError(`--reason takes 1 to ${MAX_REASON_CHARS} characters`);
  return { by: by?.trim() || userName(), nowMs: Date.now(), reason: text ?? null };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as in many containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

function inOneSentence(error: unknown): never {
  if (error instanceof DecisionError) throw new CommandError(error.message);
  throw error;
}
