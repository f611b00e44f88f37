import { GRADES } from '../../../src/catalog/grades.ts';
import type { Db } from '../../../src/db/client.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { catalogCards, recordSales } from '../ledger.ts';
import type { SyntheticSale } from '../model/synthetic-market.ts';

/** A ledger of a market whose sales have the company and grade that their grade key is of. */
export async function marketLedger(market: readonly SyntheticSale[]): Promise<FreshDatabase> {
  const fresh = await freshDatabase();
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  await fresh.db.query(
    `update sales set company = g.company, grade = g.grade
     from unnest($1::text[], $2::text[], $3::text[]) as g (key, company, grade) where g.key = grade_key`,
    [GRADES.map(({ key }) => key), GRADES.map(({ company }) => company), GRADES.map(({ grade }) => grade)],
  );
  return fresh;
}

/** Scores through a day as text, by what their sales state instead of their ids. */
export async function scoresThrough(db: Db, day: number): Promise<unknown[]> {
  return await db.query(
    `select s.item_id, s.grade_key, s.sold_day, s.price_usd_cents, s.sale_type, (to_jsonb(c) - 'sale_id')::text as score
     from sale_scores c join sales s on s.id = c.sale_id where c.day <= $1 order by 1, 2, 3, 4, 5, 6`,
    [day],
  );
}
