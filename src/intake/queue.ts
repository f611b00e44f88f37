import { issueKey, revokeKey } from '../access/keys.ts';
import type { Db, Sql } from '../db/client.ts';
import { CannotDecide, type KeptDecision, keepDecision } from '../decisions/decisions.ts';
import { MS_PER_DAY } from '../lib/day.ts';
import type { FormKind } from './form-store.ts';

export type State = 'open' | 'accepted' | 'rejected';

export type SubmissionRow = {
  id: string;
  kind: FormKind;
  fields: Record<string, string>;
  sent_by_key: string | null;
  received_at: Date;
  state: State;
  decided_at: Date | null;
  decided_by: string | null;
  reason: string | null;
  key_id: string | null;
};

/** The name of the decider, the time (ms since the epoch) and the reason. */
export type Decision = { by: string; nowMs: number; reason: string | null };

/** How long a decided submission is kept; the personal data in it goes with it. */
export const KEEP_DECIDED_DAYS = 180;

/** Submissions, the oldest first, without the first `offset`. */
export async function listSubmissions(
  sql: Sql,
  { kind, state, limit, offset = 0 }: { kind: FormKind | null; state: State; limit: number; offset?: number },
): Promise<SubmissionRow[]> {
  return sql.query<SubmissionRow>(
    `select id, kind, fields, sent_by_key, received_at, state, decided_at, decided_by, reason, key_id from submissions
     where state = $1 and ($2::text is null or kind = $2) order by received_at, id limit $3 offset $4`,
    [state, kind, limit, offset],
  );
}

/**
 * Accepts a submission. An application gets a key, issued in the same transaction; its secret is returned this once. A
 * report needs a reason, which is published with the corrections. Throws CannotDecide when there is no such open submission.
 */
export async function accept(
  db: Db,
  pepper: Buffer,
  id: string,
  decision: Decision,
): Promise<{ kind: FormKind; key: { id: string; secret: string } | null; fields: Record<string, string> }> {
  return db.transaction(async (session) => {
    const { kind, fields } = await openSubmission(session, id);
    if (kind === 'report' && decision.reason === null)
      throw new CannotDecide(`${id} is a report: its reason is published, and needed`);
    const key = kind === 'application' ? await issueKey(session, pepper, fields.shopName!) : null;
    await decide(session, { id, kind }, 'accepted', decision, key?.id ?? null);
    return { kind, key, fields };
  });
}

/** Rejects a submission. Throws CannotDecide when there is no such open one. */
export async function reject(db: Db, id: string, decision: Decision & { reason: string }): Promise<void> {
  await db.transaction(async (session) => {
    const { kind } = await openSubmission(session, id);
    await decide(session, { id, kind }, 'rejected', decision, null);
  });
}

/**
 * Opens a decided submission again, in the transaction that notes the decision as taken back: a key that it issued is
 * revoked, a published correction leaves the list.
 * @throws CannotDecide for one that is not kept any more
 */
export async function reopen(sql: Sql, { subject }: KeptDecision): Promise<void> {
  const [row] = await sql.query<{ keyId: string | null; kept: boolean }>(
    `select key_id as "keyId", kind = 'application' or fields ? 'message' as kept from submissions where id = $1 for update`,
    [subject],
  );
  if (!row?.kept)
    throw new CannotDecide(`${subject} is not kept any more: it was decided over ${KEEP_DECIDED_DAYS} days ago.`);
  if (row.keyId !== null) await revokeKey(sql, row.keyId);
  await sql.query(
    `update submissions set state = 'open', decided_at = null, decided_by = null, reason = null, key_id = null, correction = null
     where id = $1`,
    [subject],
  );
}

/**
 * Drops what was decided longer ago than it is kept; returns how many. An accepted report stays in the list of
 * corrections: only its category and its card are kept.
 */
export async function dropDecided(sql: Sql, nowMs: number): Promise<number> {
  const before = new Date(nowMs - KEEP_DECIDED_DAYS * MS_PER_DAY);
  const dropped = await sql.query(
    `delete from submissions where decided_at < $1 and not (${ACCEPTED_REPORT}) returning id`,
    [before],
  );
  const emptied = await sql.query(
    `update submissions set content_hash = '', sent_by_key = null, fields = fields - array['message', 'sourceUrl', 'contactEmail']
     where decided_at < $1 and ${ACCEPTED_REPORT} and fields ? 'message' returning id`,
    [before],
  );
  return dropped.length + emptied.length;
}

const ACCEPTED_REPORT = `kind = 'report' and state = 'accepted'`;

/** Locked until the transaction ends: of two simultaneous decisions the second finds it decided. */
async function openSubmission(sql: Sql, id: string): Promise<{ kind: FormKind; fields: Record<string, string> }> {
  const [row] = await sql.query<{ kind: FormKind; fields: Record<string, string>; state: State; decided_at: Date }>(
    'select kind, fields, state, decided_at from submissions where id = $1 for update',
    [id],
  );
  if (row === undefined) throw new CannotDecide(`there is no submission ${id}; mintmark intake list shows them`);
  if (row.state !== 'open') throw new CannotDecide(`${id} was ${row.state} already on ${row.decided_at.toISOString()}`);
  return row;
}

async function decide(
  sql: Sql,
  { id, kind }: { id: string; kind: FormKind },
  state: Exclude<State, 'open'>,
  { by, nowMs, reason }: Decision,
  keyId: string | null,
): Promise<void> {
  await sql.query(
    `update submissions set state = $2, decided_at = $3, decided_by = $4, reason = $5, key_id = $6,
       correction = case when kind = 'report' and $2 = 'accepted' then $5 end
     where id = $1`,
    [id, state, new Date(nowMs), by, reason, keyId],
  );
  // Without what was sent: that is deleted in time.
  await keepDecision(sql, { kind, subject: id, facts: { state } }, { by, why: reason });
}
