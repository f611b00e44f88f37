import type { Session } from '../../db/client.ts';
import type { KeptDecision } from '../../decisions/decisions.ts';
import { lockLedger } from '../import/write-sales.ts';
import type { Sale } from '../sale.ts';
import { CANCELLED } from '../undoing/live-sale.ts';
import { settle } from '../undoing/settle-sales.ts';
import { recordedSale, type SaleName, subjectOf, type WaitingRow } from './sale-named.ts';
import { waitAgain } from './wait-again.ts';

/**
 * Undoes what a decision on a sale did, in the transaction that notes it as taken back: a dropped sale waits or counts again;
 * a matched one waits again, or is of the card that it was of before.
 */
export async function takeBackSale(session: Session, decision: KeptDecision, today: number): Promise<void> {
  const { source, saleId, waiting = null } = decision.facts as SaleName & { waiting?: WaitingRow | null };
  await lockLedger(session);
  const released = await session.query(
    'update waiting_sales set dropped_by = null where source = $1 and source_sale_id = $2 and dropped_by = $3 returning 1',
    [source, saleId, decision.id],
  );
  if (released.length > 0) return;
  const name = { source, saleId };
  const [row] = await session.query<{ import_id: number }>(
    `select coalesce(
       (select import_id from sales where decision_id = $1 order by id desc limit 1),
       (select import_id from sale_voids where decision_id = $1 order by sale_id desc limit 1)) as import_id`,
    [decision.id],
  );
  await settle(session, KEY, JSON.stringify(name), { decisionId: decision.id, importId: row!.import_id, today });
  if (waiting === null) await waitAgain(session, KEY, JSON.stringify(name));
  else if ((await recordedSale(session, name)) === null)
    await putBack(session, name, await asLastReported(session, waiting, decision.id));
  await session.query(`select pg_notify('sales', '')`);
}

const KEY = `select $1::jsonb ->> 'source' as source, $1::jsonb ->> 'saleId' as source_sale_id`;

/** The row of a sale as it waited, with what later files stated of it while the decision put it on its card. */
async function asLastReported(session: Session, waiting: WaitingRow, decisionId: number): Promise<WaitingRow> {
  const [row] = await session.query<Reported>(
    `select x.price_minor as "priceMinor", x.currency, extract(epoch from x.sold_at)::float8 * 1000 as "soldAtMs",
       x.sale_type as "saleType", x.quantity, x.cert, x.url, x.title, x.detail, x.import_id, x.file, x.line
     from sales x join imports i on i.id = x.import_id
     where x.decision_id = $1 and x.origin_import_id is null and i.undone_by is null
       and not coalesce(x.rejection in ${CANCELLED}, false)
     order by x.revision desc limit 1`,
    [decisionId],
  );
  if (row === undefined) return waiting;
  const { import_id, file, line, ...stated } = row;
  const isOfTitle = waiting.sale.item.by === 'title' && stated.title !== null;
  const item = isOfTitle ? { by: 'title' as const, value: stated.title! } : waiting.sale.item;
  return { ...waiting, import_id, file, line, sale: { ...waiting.sale, ...stated, item } };
}

type Reported = Pick<
  Sale,
  'priceMinor' | 'currency' | 'soldAtMs' | 'saleType' | 'quantity' | 'cert' | 'url' | 'title' | 'detail'
> &
  Pick<WaitingRow, 'import_id' | 'file' | 'line'>;

/** One that was dropped after it was matched stays dropped. */
async function putBack(session: Session, { source, saleId }: SaleName, waiting: WaitingRow): Promise<void> {
  await session.query(
    `insert into waiting_sales (source, source_sale_id, sale, reason, due_day, import_id, file, line, dropped_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, (
       select max(id) from decisions where kind = 'drop_sale' and subject = $9 and taken_back_at is null)) on conflict do nothing`,
    [
      ...[source, saleId, waiting.sale, waiting.reason, waiting.due_day, waiting.import_id, waiting.file, waiting.line],
      subjectOf({ source, saleId }),
    ],
  );
}
