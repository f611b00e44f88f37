import { createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import type { Session, Sql } from '../db/client.ts';
import { lockTransaction } from '../db/locks.ts';
import type { Core } from '../http/context.ts';
import type { Caller } from '../http/gate.ts';
import { ProblemError, unavailable } from '../http/problem.ts';
import { MS_PER_DAY } from '../lib/day.ts';
import { clean } from './form-fields.ts';
import { idempotencyKeyOf, REMEMBERED_MS, recall, remember } from './idempotency.ts';

export type FormKind = 'application' | 'report';

/** A form occupies a connection that reads need too: it waits for its turn no longer than this. */
const MAX_WAIT_MS = 3000;
const LOCK_NOT_AVAILABLE = '55P03';

/** What a form is answered with. */
export const RECEIVED = Type.Object({
  ok: Type.Literal(true),
  id: Type.String({ format: 'uuid', description: 'What to name when you ask about it.' }),
});

/** Headers of the forms. */
export const FORM_HEADERS = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'A string of up to 255 ASCII characters, best in double quotes. The same key with the same body within 24 hours gets the same answer and is kept once.',
    }),
  ),
});

type Submission = { kind: FormKind; fields: Readonly<Record<string, string | undefined>> };
type Sender = {
  caller: Caller;
  headers: IncomingHttpHeaders;
  /** Called for a form that was kept before: sent again, it costs nothing. */
  waive(): void;
};

/**
 * Keeps a submission for a person to decide on, once: a repeated Idempotency-Key, and the same content from anybody
 * within 24 hours, get the id of the first. Throws `unavailable` when the day's share of strangers is full.
 */
export async function submit(context: Core, { kind, fields }: Submission, { caller, headers, waive }: Sender) {
  const cleaned = Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (text === undefined ? [] : [[name, clean(text)] as const])),
  );
  const folded = Object.fromEntries(
    Object.entries(cleaned).map(([name, text]) => [name, text.toLowerCase().replace(/\s+/g, ' ')]),
  );
  const key = idempotencyKeyOf(headers);
  const repeatable =
    key === null
      ? null
      : {
          fingerprint: context.fingerprint(`intake\n${kind}\n${caller.subject}\n${key}`),
          payloadHash: hashOf(kind, cleaned),
        };
  const nowMs = context.clock();
  const keep = async (session: Session): Promise<string> => {
    await waitForTurn(session);
    const answered = repeatable && (await recall(session, repeatable, nowMs));
    if (answered) {
      waive();
      return answered;
    }
    const contentHash = hashOf(kind, folded);
    const same = await sameContent(session, contentHash, nowMs);
    if (same === null && caller.tier === 'public') await checkShare(session, context, nowMs);
    if (same !== null) waive();
    const id = same ?? randomUUID();
    if (same === null)
      await session.query(
        `insert into submissions (id, kind, fields, content_hash, sent_by_key, received_at) values ($1, $2, $3, $4, $5, $6)`,
        [id, kind, cleaned, contentHash, caller.tier === 'partner' ? caller.subject.slice(4) : null, new Date(nowMs)],
      );
    if (repeatable) await remember(session, repeatable, id, nowMs);
    return id;
  };
  const outcome = await context.db.transaction((session) => keep(session).catch(asValue));
  if (outcome instanceof ProblemError) throw outcome;
  return { body: { ok: true as const, id: outcome } };
}

/** A rejection as a value: thrown through the transaction it would cost a connection, and rejections are cheap to provoke. */
function asValue(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  throw error;
}

async function sameContent(sql: Sql, contentHash: Buffer, nowMs: number): Promise<string | null> {
  const [row] = await sql.query<{ id: string }>(
    'select id from submissions where content_hash = $1 and received_at > $2 order by received_at desc limit 1',
    [contentHash, new Date(nowMs - REMEMBERED_MS)],
  );
  return row?.id ?? null;
}

/** Many addresses together may not fill the queue; partners are known and have their own budgets. */
async function checkShare(sql: Sql, { config }: Core, nowMs: number): Promise<void> {
  const limit = config.limits?.intakeKeptPerDay;
  if (limit === undefined) return;
  const dayStartsMs = nowMs - (nowMs % MS_PER_DAY);
  const [row] = await sql.query<{ count: number }>(
    'select count(*) as count from submissions where sent_by_key is null and received_at >= $1',
    [new Date(dayStartsMs)],
  );
  if (row!.count < limit) return;
  const waitSeconds = Math.ceil((dayStartsMs + MS_PER_DAY - nowMs) / 1000);
  throw unavailable('No more forms are taken today; send it again after midnight UTC.', waitSeconds);
}

/** One at a time, over all processes: the second of two concurrent callers finds the row of the first. */
async function waitForTurn(session: Session): Promise<void> {
  await session.query(`set local lock_timeout = '${MAX_WAIT_MS}ms'`);
  await lockTransaction(session, 'intake').catch((error: { code?: string }) => {
    if (error.code !== LOCK_NOT_AVAILABLE) throw error;
    throw unavailable('Too many forms at once; send it again shortly.', 5);
  });
}

/** The order of keys in a JSON object says nothing: they are sorted. */
function hashOf(kind: FormKind, fields: Record<string, string>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([kind, Object.entries(fields).sort()]))
    .digest();
}
