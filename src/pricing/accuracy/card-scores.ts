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

// Enough of them that some have been scored; in the order of an index.
const NEWEST = `select * from sales where item_id = $1 and grade_key = $2
  order by sold_day desc, sold_at desc, id desc limit 200`;

/**
 * The scored sales of a series that sold last, of those that are not voided; the last one first. `reading`: the prices of the
 * item, which may still be read.
 */
export async function lastScores(
  db: PricedDb,
  { itemId, gradeKey }: { itemId: string; gradeKey: string },
  reading: ItemPrices | Promise<ItemPrices>,
  limit: number,
): Promise<ScoredSale[]> {
  const reads = db.prepared<Omit<ScoredSale, 'priceUsdCents' | 'isInRange80'> & { inside: number }>(
    'accuracy_card',
    `select t.sold_day as "soldDay", t.day as "closedDay", t.cents as "soldUsdCents", c.inside
     from (
       select s.id, s.sold_day, s.sold_at, s.price_usd_cents as cents, ${SALE_TAKEN.day} as day
       from ${SALE_TAKEN.from(`(${NEWEST})`)} and u.voided_day is null
     ) t join sale_scores c on c.day = t.day and c.sale_id = t.id
     order by t.sold_day desc, t.sold_at desc, t.id desc limit $3`,
    [itemId, gradeKey, limit],
  );
  const [rows, prices] = await Promise.all([reads, reading]);
  if (rows.length === 0) return [];
  const days = rows.map(({ closedDay }) => closedDay);
  const line = await lineOfPrices(db, prices, gradeKey, Math.min(...days) - 1, Math.max(...days) - 1);
  const priceOn = new Map(line.map(({ day, usdCents }) => [day, usdCents]));
  return rows.map(({ inside, ...row }) => ({
    ...row,
    priceUsdCents: priceOn.get(row.closedDay - 1) ?? null,
    isInRange80: (inside & 2) !== 0,
  }));
}
