import type { Db } from '../../src/db/client.ts';
import { anImport, anItem, aSet } from '../support/builders.ts';
import type { SyntheticSale } from './model/synthetic-market.ts';

/** Day 0 of a synthetic market in these tests: 2024-01-01. */
export const FIRST_DAY = 19_723;

/** Years of release of the sets, in turn: of four ages. */
const SET_YEARS = [null, 2023, 2021, 2010];

/** Item id of the synthetic card with a number: the same in every database. */
export function itemIdOf(card: number): string {
  return `00000000-0000-4000-8000-${String(card).padStart(12, '0')}`;
}

/** Puts a synthetic market's cards into the catalog. */
export async function catalogCards(db: Db, sales: readonly SyntheticSale[]): Promise<void> {
  const sets = new Map<number, number>();
  for (const { set, game } of sales) {
    if (sets.has(set)) continue;
    const made = await aSet(db, {
      game: game as 'pokemon',
      name: `Set ${set}`,
      code: `s${set}`,
      year: SET_YEARS[set % 4]!,
    });
    sets.set(set, made.id);
  }
  const cards = new Map(sales.map((sale) => [sale.card, sale]));
  for (const { card, set, game } of cards.values()) {
    await anItem(db, {
      id: itemIdOf(card),
      set: { id: sets.get(set)!, game: game as 'pokemon' },
      number: String(card),
      name: `Card ${card}`,
    });
  }
}

/** Records synthetic sales as accepted, known on the day they were sold; their ids rise in the order given. */
export async function recordSales(db: Db, sales: readonly SyntheticSale[], known?: number): Promise<void> {
  const importId = await anImport(db);
  await db.query(`insert into sources (id, display_name) values ('test', 'Test') on conflict do nothing`);
  const [row] = await db.query<{ n: number }>('select count(*)::int as n from sales');
  const column = <T>(of: (sale: SyntheticSale) => T) => sales.map(of);
  await db.query(
    `insert into sales (source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at,
       known_day, price_usd_cents, price_minor, currency, usd_per_unit, sale_type, import_id, line)
     select 'test', n + $1, item, 'PSA', grade, grade, to_timestamp(sold * 86400::bigint), sold,
       to_timestamp(known * 86400::bigint), known, cents, cents, 'USD', 1, venue, $2, 1
     from unnest($3::uuid[], $4::text[], $5::int[], $6::int[], $7::bigint[], $8::text[]) with ordinality
       as reported (item, grade, sold, known, cents, venue, n)
     order by n`,
    [
      row!.n,
      importId,
      column((sale) => itemIdOf(sale.card)),
      column((sale) => sale.gradeKey),
      column((sale) => FIRST_DAY + sale.day),
      column((sale) => FIRST_DAY + (known ?? sale.day)),
      column((sale) => sale.priceUsdCents),
      column((sale) => sale.venue),
    ],
  );
}
