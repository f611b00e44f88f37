import type { IncomingHttpHeaders } from 'node:http';
import type { Sql } from '../db/client.ts';
import { ProblemError } from '../http/problem.ts';

/** How long a key is remembered, and how long the same content is kept once. */
export const REMEMBERED_MS = 24 * 3_600_000;

const MAX_KEY_CHARS = 255;

/**
 * The Idempotency-Key of a request: a structured string (`"…"`, RFC 9651) or the same characters bare; null without one.
 * Throws `invalid_parameter` on anything else.
 */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | null {
  const raw = headers['idempotency-key'];
  if (raw === undefined) return null;
  const text = String(raw);
  const quoted = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/.exec(text)?.[1];
  const key = quoted === undefined ? /^[!#-+\--:<-[\]-~]+$/.exec(text)?.[0] : quoted.replace(/\\(.)/g, '$1');
  if (key !== undefined && key !== '' && key.length <= MAX_KEY_CHARS) return key;
  const message = `Idempotency-Key takes 1 to ${MAX_KEY_CHARS} ASCII characters in double quotes.`;
  throw new ProblemError('invalid_parameter', message, {
    errors: [{ parameter: 'Idempotency-Key', code: 'format', message }],
  });
}

/**
 * The submission that this key was answered with within 24 hours, or null. Throws `invalid_form` when the key came with
 * another payload then.
 */
export async function recall(
  sql: Sql,
  request: { fingerprint: Buffer; payloadHash: Buffer },
  nowMs: number,
): Promise<string | null> {
  await forgetOld(sql, nowMs);
  const [known] = await sql.query<{ payload_hash: Buffer; submission_id: string }>(
    'select payload_hash, submission_id from intake_idempotency where fingerprint = $1',
    [request.fingerprint],
  );
  if (known === undefined) return null;
  if (known.payload_hash.equals(request.payloadHash)) return known.submission_id;
  const message = 'This Idempotency-Key came with another body within 24 hours; use a new one.';
  throw new ProblemError('invalid_form', message, {
    errors: [{ parameter: 'Idempotency-Key', code: 'reused', message }],
  });
}

export async function forgetOld(sql: Sql, nowMs: number): Promise<void> {
  await sql.query('delete from intake_idempotency where answered_at <= $1', [new Date(nowMs - REMEMBERED_MS)]);
}

export async function remember(
  sql: Sql,
  request: { fingerprint: Buffer; payloadHash: Buffer },
  submissionId: string,
  nowMs: number,
): Promise<void> {
  await sql.query(
    'insert into intake_idempotency (fingerprint, payload_hash, submission_id, answered_at) values ($1, $2, $3, $4)',
    [request.fingerprint, request.payloadHash, submissionId, new Date(nowMs)],
  );
}
