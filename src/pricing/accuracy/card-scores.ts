import { type ItemPrices, lineOfPrices } from '../read/item-prices.ts';
import type { PricedDb } from '../read/quotes.ts';
import { SALE_TAKEN } from '../store/ledger-sales.ts';

/** A scored sale against the price of the day before. */
export type ScoredSale = {
  soldDay: number;
  /** The day whose close took it in. */
  closedDay: number;
  soldUsdCents: number;
  /** Published at the close of the day before `closedDay`; null where it had no price then. */
  priceUsdCents: number | null;
  isInRange80: boolean;
};

/** The newest scored sales of a series that are not voided, newest first. */
export async function lastScores(
  db: PricedDb,
  prices: ItemPrices,
  gradeKey: string,
  limit: number,
): Promise<ScoredSale[]> {
  const rows = await db.prepared<Omit<ScoredSale, 'priceUsdCents' | 'isInRange80'> & { inside: number }>(
    'accuracy_card',
    `select t.sold_day as "soldDay", t.day as "closedDay", t.cents as "soldUsdCents", c.inside
     from (
       select s.id, s.sold_day, s.price_usd_cents as cents, ${SALE_TAKEN.day} as day from ${SALE_TAKEN.from}
         and s.item_id = $1 and s.grade_key = $2 and u.voided_day is null
       order by 4 desc, s.id desc limit 200
     ) t join sale_scores c on c.day = t.day and c.sale_id = t.id
     order by t.day desc, t.id desc limit $3`,
    [prices.itemId, gradeKey, limit],
  );
  if (rows.length === 0) return [];
  const first = rows.at(-1)!.closedDay - 1;
  const line = await lineOfPrices(db, prices, gradeKey, first, rows[0]!.closedDay - 1);
  const priceOn = new Map(line.map(({ day, usdCents }) => [day, usdCents]));
  return rows.map(({ inside, ...row }) => ({
    ...row,
    priceUsdCents: priceOn.get(row.closedDay - 1) ?? null,
    isInRange80: (inside & 2) !== 0,
  }));
}
