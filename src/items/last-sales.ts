import { gradeOf } from '../catalog/grades.ts';
import type { Sql } from '../db/client.ts';
import type { CardSummary } from './summary.ts';

/** The newest accepted sale at a grade whose price is known. */
export type LastSale = { usdCents: number; displayName: string; soldAt: Date };

type Unpriced = Pick<CardSummary, 'id' | 'company' | 'grade' | 'priceUsdCents' | 'lastSaleAt'>;

/** Summaries, unpriced ones with the last sale of their grade, which lists show in place of a price. At most one query. */
export async function withLastSales<Card extends Unpriced>(
  sql: Sql,
  cards: readonly Card[],
): Promise<(Card & { lastSale?: LastSale })[]> {
  const wanted = cards.flatMap(({ id, company, grade, priceUsdCents, lastSaleAt }) => {
    const key = company && grade && gradeOf(company, grade)?.key;
    return key && priceUsdCents === null && lastSaleAt !== null ? [{ id, key }] : [];
  });
  if (wanted.length === 0) return [...cards];
  const sales = await sql.prepared<LastSale & { itemId: string }>(
    'items.last-sales',
    `select w.item_id as "itemId", l.* from unnest($1::uuid[], $2::text[]) w(item_id, grade_key) cross join lateral (
       select price_usd_cents as "usdCents", display_name as "displayName", sold_at as "soldAt"
       from sales s join sources src on src.id = s.source
       where s.item_id = w.item_id and s.grade_key = w.grade_key and s.rejection is null
         and s.price_usd_cents is not null and not exists (select from sale_voids v where v.sale_id = s.id)
       order by s.sold_at desc, s.id desc limit 1) l`,
    [wanted.map(({ id }) => id), wanted.map(({ key }) => key)],
  );
  const saleOf = new Map(sales.map(({ itemId, ...sale }) => [itemId, sale]));
  return cards.map((card) => ({ ...card, ...(saleOf.has(card.id) ? { lastSale: saleOf.get(card.id)! } : {}) }));
}
