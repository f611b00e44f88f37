import type { Sql } from '../db/client.ts';

/** Who decides, and why; null where no reason is given. */
export type Decider = { by: string; why: string | null };

export type DecisionKind =
  | 'undo_import'
  | 'match_sale'
  | 'drop_sale'
  | 'application'
  | 'report'
  | 'pause_service'
  | 'identity_suspect'
  | 'title_alias';

/** A decision as it is kept. `facts` are what it needs to be shown and taken back; they depend on the kind. */
export type KeptDecision = {
  id: number;
  kind: DecisionKind;
  /** The id of the import, form, service or suspect; of a sale, its source and id; of an alias, what it says. */
  subject: string;
  facts: Record<string, unknown>;
  decidedAt: Date;
  decidedBy: string;
  why: string | null;
  takenBackAt: Date | null;
  takenBackBy: string | null;
  takenBackWhy: string | null;
};

/** A decision that cannot be made or taken back; the message says why, and what to do, in a sentence. */
export class CannotDecide extends Error {
  override name = 'CannotDecide';
}

const COLUMNS = `id, kind, subject, facts, decided_at as "decidedAt", decided_by as "decidedBy", why,
  taken_back_at as "takenBackAt", taken_back_by as "takenBackBy", taken_back_why as "takenBackWhy"`;

/** Keeps a decision, in the transaction that acts on it; returns its id. */
export async function keepDecision(
  sql: Sql,
  { kind, subject, facts = {} }: { kind: DecisionKind; subject: string; facts?: Record<string, unknown> },
  { by, why }: Decider,
): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    'insert into decisions (kind, subject, facts, decided_by, why) values ($1, $2, $3, $4, $5) returning id',
    [kind, subject, facts, by, why],
  );
  return row!.id;
}

/** Up to `limit` decisions before the one with the id `before` (null: from the newest on), the newest first. */
export async function listDecisions(sql: Sql, { before, limit }: { before: number | null; limit: number }) {
  return await sql.query<KeptDecision>(
    `select ${COLUMNS} from decisions where ($1::bigint is null or id < $1) order by id desc limit $2`,
    [before, limit],
  );
}

/**
 * A decision that is in force, locked until the transaction ends.
 * @throws CannotDecide for one that does not exist or was taken back
 */
export async function decisionInForce(sql: Sql, id: number): Promise<KeptDecision> {
  const [row] = await sql.query<KeptDecision>(`select ${COLUMNS} from decisions where id = $1 for no key update`, [id]);
  if (row === undefined) throw new CannotDecide(`There is no decision ${id}; "mintmark decisions list" shows them.`);
  if (row.takenBackAt !== null)
    throw new CannotDecide(
      `Decision ${id} was taken back already, by ${row.takenBackBy} on ${row.takenBackAt.toISOString()}.`,
    );
  return row;
}

/** The id of the decision of a kind that is in force on a subject; null where there is none. */
export async function decisionOn(sql: Sql, kind: DecisionKind, subject: string): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>(
    'select id from decisions where kind = $1 and subject = $2 and taken_back_at is null order by id desc limit 1',
    [kind, subject],
  );
  return row?.id ?? null;
}

/** Notes that a decision is taken back, in the transaction that acts on it. */
export async function noteTakenBack(sql: Sql, id: number, { by, why }: Decider): Promise<void> {
  await sql.query('update decisions set taken_back_at = now(), taken_back_by = $2, taken_back_why = $3 where id = $1', [
    id,
    by,
    why,
  ]);
}
