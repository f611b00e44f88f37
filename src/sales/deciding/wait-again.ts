import type { Session } from '../../db/client.ts';
import { isLive, takesBack } from '../undoing/live-sale.ts';

/** The sale `x` as a row with a title, of the company and grade that it was read as. Its screening and rate are made anew. */
const SALE = `jsonb_build_object('item', jsonb_build_object('by', 'title', 'value', x.title), 'title', x.title,
  'company', x.company, 'grade', x.grade, 'priceMinor', x.price_minor, 'currency', x.currency,
  'soldAtMs', (extract(epoch from x.sold_at) * 1000)::bigint, 'knownAtMs', null, 'source', x.source,
  'sourceSaleId', x.source_sale_id, 'saleType', x.sale_type, 'quantity', x.quantity,
  'priceHidden', coalesce(x.rejection = 'hidden_price', false), 'cert', x.cert, 'url', x.url, 'detail', x.detail,
  'status', case when x.rejection in ('voided', 'unpaid', 'relisted') then x.rejection else 'sold' end)`;

/**
 * Has sales wait again that a taught name put on their card and that nothing states any more. `keys` selects
 * `source, source_sale_id` (`$1` is `value`). One that a person dropped stays so. Runs in a transaction that has locked the
 * ledger. Returns how many of them a person has to match now.
 */
export async function waitAgain(session: Session, keys: string, value: unknown): Promise<number> {
  const [row] = await session.query<{ count: number }>(
    `with every as materialized (
       select x.source, x.source_sale_id, x.revision, ${SALE} as sale, coalesce(x.origin_import_id, x.import_id) as import_id,
         x.file, x.line, d.kind = 'title_alias' as is_taught, ${isLive('x')} as is_live,
         v.sale_id is not null and ${takesBack('v')} as is_taken_back
       from (${keys}) k join sales x using (source, source_sale_id)
         left join decisions d on d.id = x.decision_id left join sale_voids v on v.sale_id = x.id
     ), again as materialized (
       select distinct on (source, source_sale_id) * from (
         select *, bool_or(is_live) over one as stated, bool_or(is_taken_back) over one as cancelled
         from every window one as (partition by source, source_sale_id)
       ) e where is_taught and not stated order by source, source_sale_id, revision desc
     ), put as (
       insert into waiting_sales (source, source_sale_id, sale, reason, import_id, file, line, dropped_by)
       select source, source_sale_id, sale, 'alias_taken_back', import_id, file, line, (
         select max(id) from decisions
         where kind = 'drop_sale' and subject = again.source || ' ' || source_sale_id and taken_back_at is null)
       from again on conflict do nothing returning *
     )
     select count(*) as count from put join again using (source, source_sale_id)
     where put.dropped_by is null and put.sale ->> 'status' = 'sold' and not cancelled
       and not exists (select from imports i where i.id = put.import_id and i.undone_by is not null)`,
    [value],
  );
  return row!.count;
}
