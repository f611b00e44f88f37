import type { Db } from '../../db/client.ts';
import { CannotDecide, type Decider, keepDecision } from '../../decisions/decisions.ts';
import { lockLedger } from '../import/write-sales.ts';
import { insertVoids, voided } from '../voids.ts';
import { recordedSale, type SaleName, subjectOf, waitingRow } from './sale-named.ts';

/**
 * Drops a sale that a person found not to be one: while it waits it leaves the queue, whatever later files report of it; once
 * recorded it gets a void, and prices follow at the next close. Returns the id of the decision. `today`: a UTC day number.
 * @throws CannotDecide
 */
export async function dropSale(db: Db, name: SaleName, decider: Decider, today: number): Promise<number> {
  return await db.transaction(async (session) => {
    await lockLedger(session);
    const waiting = await waitingRow(session, name);
    const recorded = waiting === null ? await recordedSale(session, name) : null;
    if (waiting === null && recorded === null)
      throw new CannotDecide(
        `No sale ${subjectOf(name)} waits or is recorded; "mintmark sales unmatched" lists those that wait.`,
      );
    const outOf = recorded?.void ?? recorded?.rejection ?? null;
    if (outOf !== null) throw new CannotDecide(`This sale is in no price already (${outOf}).`);
    const facts = { ...name, itemId: recorded?.itemId ?? null };
    const decisionId = await keepDecision(session, { kind: 'drop_sale', subject: subjectOf(name), facts }, decider);
    if (recorded === null)
      await session.query('update waiting_sales set dropped_by = $3 where source = $1 and source_sale_id = $2', [
        name.source,
        name.saleId,
        decisionId,
      ]);
    else {
      await session.query(
        insertVoids(
          `select ${voided('s')}, 'dropped' as reason, null::bigint as superseded_by, null::timestamptz as stated_at
           from sales s where s.id = $3 and s.item_id = $4`,
          decisionId,
        ),
        [recorded.importId, today, recorded.id, recorded.itemId],
      );
      await session.query(`select pg_notify('sales', '')`);
    }
    return decisionId;
  });
}
