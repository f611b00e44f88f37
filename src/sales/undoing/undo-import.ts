import type { Db, Session } from '../../db/client.ts';
import { CannotDecide, type Decider, keepDecision } from '../../decisions/decisions.ts';
import { lockLedger } from '../import/write-sales.ts';
import { importOf, type KnownImport, salesOf } from './imports.ts';
import { type Settled, settle } from './settle-sales.ts';

/** What undoing an import did. */
export type UndoReport = Settled & {
  /** Null where it was undone before: then nothing changed. */
  decision: number | null;
  /** Sales that waited, and rows that could not be read. */
  waiting: number;
  unreadable: number;
};

/**
 * Undoes an import of sales as a whole: what it reported counts no longer, sales that it corrected or canceled are again what
 * they were before, its waiting sales and unreadable rows leave their lists. Published days stay; prices follow at the
 * next close. Undone a second time it changes nothing; the file can be imported again. `today`: a UTC day number.
 * @throws CannotDecide for an import that does not exist, or is not of sales
 */
export async function undoImport(db: Db, id: number, decider: Decider, today: number): Promise<UndoReport> {
  return await db.transaction(async (session) => {
    await lockLedger(session);
    const known = await importOf(session, id);
    if (known === null) throw new CannotDecide(`There is no import ${id}; "mintmark imports list" shows them.`);
    if (known.undone !== null)
      return { decision: null, takenOut: 0, broughtBack: 0, cards: 0, prices: 0, waiting: 0, unreadable: 0 };
    const reason = whyNot(known);
    if (reason !== null) throw new CannotDecide(`Import ${id} cannot be undone: ${reason}`);
    const decisionId = await keepDecision(session, { kind: 'undo_import', subject: String(id) }, decider);
    await session.query('update imports set undone_by = $2 where id = $1', [id, decisionId]);
    return { decision: decisionId, ...(await settleImport(session, id, decisionId, today)) };
  });
}

/** Takes the undoing of an import back, in the transaction that notes it: what the import reported is stated again. */
export async function redoImport(session: Session, id: number, decisionId: number, today: number): Promise<Settled> {
  await lockLedger(session);
  await session.query('update imports set undone_by = null where id = $1', [id]);
  return await settleImport(session, id, decisionId, today);
}

async function settleImport(session: Session, importId: number, decisionId: number, today: number) {
  const settled = await settle(session, KEYS, importId, { decisionId, importId, today });
  const [row] = await session.query<{ waiting: number; unreadable: number }>(
    `select (select count(*) from waiting_sales where import_id = $1) as waiting,
       (select count(*) from rejected_rows where import_id = $1) as unreadable`,
    [importId],
  );
  await session.query(`select pg_notify('sales', '')`);
  return { ...settled, ...row! };
}

/** The sales that an import reported, corrected or canceled. */
const KEYS = `
  select source, source_sale_id from (${salesOf('$1')}) o join sales s using (id)
  union
  select s.source, s.source_sale_id from sale_voids v join sales s on s.id = v.sale_id where v.import_id = $1`;

/** Why an import of another kind is not undone, and what to do; null for one of sales. */
function whyNot({ kind, format }: KnownImport): string | null {
  if (kind === 'sales' && format === 'rematch')
    return 'it tried waiting sales again, which stay with the imports that reported them. Undo those.';
  if (kind === 'sales' && format === 'match')
    return 'it is a decision on one sale. "mintmark decisions list" shows it, "mintmark decisions undo" takes it back.';
  if (kind === 'sales') return null;
  if (kind === 'listings')
    return 'what it replaced is not kept. Import a file with the same listing ids: with ended_at they end. A listing that no file has any more leaves the pages after 30 days.';
  if (kind === 'catalog')
    return 'ids and addresses of cards are published and stay. Import the correct file in the same format: cards that it lacks are withdrawn.';
  return `it is not of sales. Import a correct file of ${kind} instead.`;
}
