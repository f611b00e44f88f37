import type { Db } from '../../src/db/client.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from '../pricing/ledger.ts';
import { type SyntheticSale, syntheticMarket } from '../pricing/model/synthetic-market.ts';
import { anImport } from '../support/builders.ts';

/** The days of the ledger: three refits of the curves. */
export const DAYS = 95;
export const LAST_DAY = FIRST_DAY + DAYS - 1;

/** A market with everything that a close meets: sales, late ones, voids (one of them of a card's only sale), rejected rows. */
const MARKET = syntheticMarket({ seed: 11, days: DAYS, cards: 40, sales: 1200 });
const ONCE = { ...MARKET[300]!, card: 999 };
export const BUSY: readonly SyntheticSale[] = [...MARKET, ONCE];

const LATE = MARKET.filter((_, i) => i % 37 === 5);
const ON_TIME = BUSY.filter((sale) => !LATE.includes(sale));

/** What is imported before the first close. */
export async function catalogBusy(db: Db): Promise<void> {
  await catalogCards(db, BUSY);
  await recordSales(db, ON_TIME);
  await db.query(`update sales set rejection = 'absurd_price' where id % 41 = 7`);
  await voidSales(db, `id % 53 = 11 or item_id = '${itemIdOf(ONCE.card)}'`, 'known_day + 9');
}

/** What is imported in the middle, for days that are closed: each part becomes known at the next close. */
export async function importLate(db: Db): Promise<void> {
  await recordSales(db, LATE);
  const [first] = await db.query<{ id: number }>('select max(id) - $1 as id from sales', [LATE.length]);
  await db.query(`update sales set rejection = 'duplicate' where id > $1 and id % 9 = 2`, [first!.id]);
  // Voided before any close met it, and later.
  await voidSales(db, `id > ${first!.id} and id % 7 = 3`, 'known_day + 1');
}

async function voidSales(db: Db, where: string, knownDay: string): Promise<void> {
  const importId = await anImport(db);
  await db.query(
    `insert into sale_voids (sale_id, reason, known_at, known_day, import_id)
     select id, 'unpaid', to_timestamp((${knownDay}) * 86400::bigint), ${knownDay}, $1 from sales where ${where}`,
    [importId],
  );
}

/** Registers a cert of each item in a grade, which is tracked from then on. */
export async function certify(db: Db, itemIds: readonly string[], gradeKey: string): Promise<void> {
  await db.query(
    `insert into certs (company, cert_key, cert_number, item_id, grade_key, grade_label, origin)
     select 'CGC', n::text, n::text, item, $2, $2, 'test' from unnest($1::uuid[]) with ordinality as i (item, n)`,
    [itemIds, gradeKey],
  );
}
