import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { CARD_LIMITS, type CardLimits } from '../../src/pricing/store/card-store.ts';
import { anImport } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { catalogCards, FIRST_DAY, recordSales } from './ledger.ts';
import { syntheticMarket } from './model/synthetic-market.ts';
import { everythingStored } from './stored.ts';

// Six checkpoints, of 400 days each: most cards sell between some of them only.
const DAYS = 2400;
const market = syntheticMarket({ seed: 9, days: DAYS, cards: 60, sales: 400 });
const opened: FreshDatabase[] = [];
let whole: Record<string, unknown[]>;

/** Everything stored by one run over the market, with sales that are voided years later. */
async function storedBy(limits: CardLimits): Promise<Record<string, unknown[]>> {
  const fresh = await freshDatabase();
  opened.push(fresh);
  const { db } = fresh;
  await catalogCards(db, market);
  await recordSales(db, market);
  await voidEach(db, 40);
  await reprice(db, { through: FIRST_DAY + DAYS, limits });
  return await everythingStored(db);
}

/** Voids one sale of so many, 1,300 days after it became known. */
async function voidEach(db: Db, sales: number): Promise<void> {
  await db.query(
    `insert into sale_voids (sale_id, reason, known_at, known_day, import_id)
     select id, 'unpaid', to_timestamp((known_day + 1300) * 86400::bigint), known_day + 1300, $2
     from sales where id % $1 = 0 and known_day < $3`,
    [sales, await anImport(db), FIRST_DAY + DAYS - 1300],
  );
}

beforeAll(async () => {
  whole = await storedBy(CARD_LIMITS);
  expect(whole.sale_uses!.length).toBeGreaterThan(0);
  expect(whole.sale_scores!.length).toBeGreaterThan(200);
});
afterAll(() => Promise.all(opened.map(({ close }) => close())));

test.each([
  ['packs cards', { cards: 3, packed: 1000 }],
  ['packs cards and forgets most of them', { cards: 3, packed: 5 }],
  ['forgets cards at once', { cards: 3, packed: 0 }],
])('a run that %s ends with the same rows', async (_, limits) => {
  expect(await storedBy(limits)).toEqual(whole);
});
