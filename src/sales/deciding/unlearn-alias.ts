import type { Session } from '../../db/client.ts';
import type { KeptDecision } from '../../decisions/decisions.ts';
import { lockLedger } from '../import/write-sales.ts';
import { says, type TitleAlias } from '../match/aliases.ts';
import { readTitle } from '../match/read-title.ts';
import { settle } from '../undoing/settle-sales.ts';
import { aliasOf, announceAliases } from './teach-alias.ts';
import { waitAgain } from './wait-again.ts';

/**
 * Unlearns a taught name, in the transaction that notes its decision as taken back: sales that it put on their card, and that
 * nothing else states, leave the ledger and wait again. Returns how many of them a person has to match now. `today`: a UTC day
 * number.
 */
export async function unlearnAlias(session: Session, decision: KeptDecision, today: number): Promise<number> {
  await lockLedger(session);
  await takeOver(session, aliasOf(decision));
  await announceAliases(session);
  const [row] = await session.query<{ importId: number | null }>(
    'select max(import_id) as "importId" from sales where decision_id = $1',
    [decision.id],
  );
  if (row!.importId === null) return 0;
  await settle(session, KEYS, decision.id, { decisionId: decision.id, importId: row!.importId, today });
  const waiting = await waitAgain(session, KEYS, decision.id);
  await session.query(`select pg_notify('sales', '')`);
  return waiting;
}

const KEYS = 'select distinct source, source_sale_id from sales where decision_id = $1';

const PAGE_ROWS = 5000;

/**
 * A sale whose title needs several taught names is noted with the newest of them. Those that need this one too are noted with
 * it, so that they do not outlast it.
 */
async function takeOver(session: Session, alias: TitleAlias): Promise<void> {
  for (let after = 0; ; ) {
    const page = await session.query<{ id: number; title: string }>(
      `select s.id, s.title from sales s join decisions d on d.id = s.decision_id
       where d.kind = 'title_alias' and d.taken_back_at is null and d.id > $1 and s.id > $2 order by s.id limit ${PAGE_ROWS}`,
      [alias.decision, after],
    );
    const ids = page.filter(({ title }) => says(readTitle(title), alias)).map(({ id }) => id);
    if (ids.length > 0)
      await session.query('update sales set decision_id = $1 where id = any($2)', [alias.decision, ids]);
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)!.id;
  }
}
