import { gradeOf } from '../catalog/grades.ts';
import type { Sql } from '../db/client.ts';
import type { CardSummary } from './summary.ts';

/** The newest accepted sale at a grade whose price is known. */
export type LastSale = { usdCents: number; displayName: string; soldAt: Date };

type Unpriced = Pick<CardSummary, 'id' | 'company' | 'grade' | 'priceUsdCents' | 'lastSaleAt' | 'reason'>;

/**
 * Summaries, unpriced ones with the last sale of their grade, which lists show in place of a price; not where the price is withheld. At
 * most one query.
 */
export async function withLastSales<Card extends Unpriced>(
  sql: Sql,
  cards: readonly Card[],
): Promise<(Card & { lastSale?: LastSale })[]> {
  const keyOf = ({ company, grade }: Unpriced) => (company && grade && gradeOf(company, grade)?.key) || null;
  const wanted = cards.flatMap((card) => {
    const key = keyOf(card);
    return key !== null && card.priceUsdCents === null && card.lastSaleAt !== null && card.reason === undefined
      ? [{ id: card.id, key }]
      : [];
  });
  if (wanted.length === 0) return [...cards];
  const sales = await sql.prepared<LastSale & { itemId: string; gradeKey: string }>(
    'items.last-sales',
    `select distinct on (s.item_id, s.grade_key) s.item_id as "itemId", s.grade_key as "gradeKey",
       s.price_usd_cents as "usdCents", src.display_name as "displayName", s.sold_at as "soldAt"
     from sales s join sources src on src.id = s.source
     where (s.item_id, s.grade_key) in (select * from unnest($1::uuid[], $2::text[])) and s.rejection is null
       and s.price_usd_cents is not null and not exists (select from sale_voids v where v.sale_id = s.id)
     order by s.item_id, s.grade_key, s.sold_at desc, s.id desc`,
    [wanted.map(({ id }) => id), wanted.map(({ key }) => key)],
  );
  const saleOf = new Map(sales.map(({ itemId, gradeKey, ...sale }) => [`${itemId} ${gradeKey}`, sale]));
  return cards.map((card) => {
    const lastSale = saleOf.get(`${card.id} ${keyOf(card)}`);
    return lastSale === undefined ? card : { ...card, lastSale };
  });
}
