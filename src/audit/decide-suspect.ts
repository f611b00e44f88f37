import type { Db } from '../db/client.ts';
import { CannotDecide, type Decider, decisionOn, keepDecision } from '../decisions/decisions.ts';
import { lockSuspect, noteVerdicts, type SuspectVerdict } from './suspect-store.ts';

const KIND = 'identity_suspect';

/**
 * Decides on a suspect: `right` gives its prices back, `wrong` withholds them until the data have changed. Returns the id of the
 * decision, which can be taken back.
 * @throws CannotDecide for one that does not exist, is gone, or is decided already
 */
export async function decideSuspect(db: Db, id: number, verdict: SuspectVerdict, decider: Decider): Promise<number> {
  return await db.transaction(async (session) => {
    const suspect = await lockSuspect(session, id);
    if (suspect === null) throw new CannotDecide(`There is no suspect ${id}; "mintmark audit list" shows them.`);
    if (suspect.closedAt !== null)
      throw new CannotDecide(`Suspect ${id} is gone: the audit of ${suspect.closedAt.toISOString()} did not find it.`);
    const earlier = await decisionOn(session, KIND, String(id));
    if (earlier !== null)
      throw new CannotDecide(`Suspect ${id} is decided already, by decision ${earlier}: take that back first.`);
    const decision = await keepDecision(
      session,
      { kind: KIND, subject: String(id), facts: { state: verdict } },
      decider,
    );
    await noteVerdicts(session);
    return decision;
  });
}

/** The id of the decision on a suspect. Throws CannotDecide for one that is not decided. */
export async function decisionOnSuspect(db: Db, id: number): Promise<number> {
  const decision = await decisionOn(db, KIND, String(id));
  if (decision === null) throw new CannotDecide(`Suspect ${id} is not decided.`);
  return decision;
}
