import { noteVerdicts } from '../audit/suspect-store.ts';
import type { Db, Sql } from '../db/client.ts';
import {
  type Decider,
  type DecisionKind,
  decisionInForce,
  type KeptDecision,
  noteTakenBack,
} from '../decisions/decisions.ts';
import { setPaused } from '../http/outbound/service-client-state.ts';
import { reopen } from '../intake/queue.ts';
import { takeBackSale } from '../sales/deciding/take-back-sale.ts';
import { unlearnAlias } from '../sales/deciding/unlearn-alias.ts';
import { redoImport } from '../sales/undoing/undo-import.ts';

/**
 * `waiting`: sales that a taught name had matched and that wait again; 0 of other kinds. `later`: the newest decision on the same
 * sale that came after it and is in force.
 */
export type TakenBack = KeptDecision & { waiting: number; later: { id: number; kind: DecisionKind } | null };

/**
 * Takes a decision back: what it did is undone, and it stays in the list as taken back. Returns it. `today`: a UTC day number.
 * @throws CannotDecide for one that does not exist, was taken back, or whose subject is not kept any more
 */
export async function takeBack(db: Db, id: number, decider: Decider, today: number): Promise<TakenBack> {
  return await db.transaction(async (session) => {
    const decision = await decisionInForce(session, id);
    await noteTakenBack(session, id, decider);
    let waiting = 0;
    switch (decision.kind) {
      case 'undo_import':
        await redoImport(session, Number(decision.subject), id, today);
        break;
      case 'match_sale':
      case 'drop_sale':
        await takeBackSale(session, decision, today);
        break;
      case 'application':
      case 'report':
        await reopen(session, decision);
        break;
      case 'pause_service':
        await setPaused(session, decision.subject, false, today);
        break;
      case 'identity_suspect':
        await noteVerdicts(session);
        break;
      case 'title_alias':
        waiting = await unlearnAlias(session, decision, today);
        break;
    }
    return { ...decision, waiting, later: await laterOnSale(session, decision) };
  });
}

async function laterOnSale(sql: Sql, { id, subject }: KeptDecision): Promise<TakenBack['later']> {
  const [later] = await sql.query<{ id: number; kind: DecisionKind }>(
    `select id, kind from decisions
     where kind in ('match_sale', 'drop_sale') and subject = $1 and id > $2 and taken_back_at is null order by id desc limit 1`,
    [subject, id],
  );
  return later ?? null;
}

const CONSEQUENCE: Record<KeptDecision['kind'], (subject: string, waiting: number) => string> = {
  undo_import: (subject) =>
    `the sales of import ${subject} count again, except those that another import has reported meanwhile`,
  match_sale: (subject) => `the sale ${subject} is what it was before`,
  drop_sale: (subject) => `the sale ${subject} is back`,
  application: (subject) => `${subject} is open again; a key that it was given is revoked`,
  report: (subject) => `${subject} is open again`,
  pause_service: (subject) => `${subject} is called again`,
  identity_suspect: (subject) => `suspect ${subject} is open again`,
  title_alias: (subject, waiting) => `${subject} no more; ${matchedWords(waiting)}`,
};

function matchedWords(waiting: number): string {
  if (waiting === 0) return 'no sale waits again';
  return waiting === 1 ? 'the sale that it had matched waits again' : `${waiting} sales that it had matched wait again`;
}

/** What taking a decision back did, in a sentence without its full stop. */
export function takenBackWords({ id, kind, subject, waiting, later }: TakenBack): string {
  if (later !== null)
    return `decision ${id} is taken back: the sale ${subject} is still ${later.kind === 'drop_sale' ? 'dropped' : 'on its card'} by decision ${later.id}`;
  return `decision ${id} is taken back: ${CONSEQUENCE[kind](subject, waiting)}`;
}
