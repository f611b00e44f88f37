import { afterAll, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { dailyLine } from '../../src/pricing/read/item-prices.ts';
import { quotesOf } from '../../src/pricing/read/quotes.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { scoresThrough } from './accuracy/scored.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from './ledger.ts';
import { syntheticMarket } from './model/synthetic-market.ts';
import { randomFrom } from './random-from.ts';
import { everythingStored } from './stored.ts';

const DAYS = 70;
const LAST_DAY = FIRST_DAY + DAYS - 1;
// Many sales of few cards: most days have several of one series, new grades and all venues.
const market = syntheticMarket({ seed: 5, days: DAYS, cards: 24, sales: 2500 });

const open: FreshDatabase[] = [];
afterAll(async () => {
  for (const one of open) await one.close();
});

/** A ledger whose ids rise in the order of `sales`; a third of them are of another source. */
async function repriced(sales: typeof market, catalog = market): Promise<Db> {
  const fresh = await freshDatabase();
  open.push(fresh);
  await catalogCards(fresh.db, catalog);
  await recordSales(fresh.db, sales);
  await fresh.db.query(`insert into sources (id, display_name) values ('other', 'Other'), ('third', 'Third')`);
  await fresh.db.query(
    `update sales set source = case price_usd_cents % 3 when 1 then 'other' when 2 then 'third' else source end`,
  );
  await reprice(fresh.db, { through: LAST_DAY, clock: () => 0 });
  return fresh.db;
}

test('whatever ids a file gives the sales of a day, what is stored is the same to the last byte', async () => {
  const random = randomFrom(11);
  const keyed = market.map((sale) => ({ sale, at: random() }));
  const permuted = keyed.sort((a, b) => a.sale.day - b.sale.day || a.at - b.at).map(({ sale }) => sale);
  expect(permuted).not.toEqual(market);
  // A file for each day, each listed by price.
  const byPrice = [...market].sort((a, b) => a.day - b.day || a.priceUsdCents - b.priceUsdCents);
  const [one, ...others] = await Promise.all([market, permuted, byPrice].map((sales) => repriced(sales))).then(
    (ledgers) => Promise.all(ledgers.map(withoutIds)),
  );
  expect(one!.card_states!.length).toBeGreaterThan(20);
  for (const other of others) expect(other).toEqual(one);
});

/** What is stored; uses and scores of sales by what the sale states. */
async function withoutIds(db: Db): Promise<Record<string, unknown[]>> {
  const uses = await db.query(
    `select s.item_id, s.grade_key, s.sold_day, s.price_usd_cents, s.sale_type, u.weight, u.closed_day, u.voided_day
     from sale_uses u join sales s on s.id = u.sale_id order by 1, 2, 3, 4, 5, 6`,
  );
  const scores = await scoresThrough(db, LAST_DAY);
  expect(scores.length).toBeGreaterThan(500);
  return { ...(await everythingStored(db)), sale_uses: uses, sale_scores: scores };
}

test('whatever ids cards have, every price, range and stored state is the same to the last byte', async () => {
  const cards = [...new Set(market.map(({ card }) => card))];
  const outcomes = await Promise.all(
    [
      (place: number) => place,
      (place: number) => cards.length - 1 - place,
      (place: number) => (place * 7 + 3) % 101,
    ].map(async (placeOf) => {
      const numberOf = new Map(cards.map((card, place) => [card, placeOf(place)]));
      const sales = market.map((sale) => ({ ...sale, card: numberOf.get(sale.card)! }));
      const db = await repriced(sales, sales);
      const cardOf = new Map(cards.map((card) => [itemIdOf(numberOf.get(card)!), `card ${card}`]));
      return await withoutItemIds(db, cardOf);
    }),
  );
  const [one, ...others] = outcomes;
  expect(one!.lines!.length).toBeGreaterThan(1000);
  for (const other of others) expect(other).toEqual(one);
});

/** What is stored and what is published, with ids of items replaced by the names of their cards. */
async function withoutItemIds(db: Db, cardOf: ReadonlyMap<string, string>): Promise<Record<string, string[]>> {
  const itemIds = [...cardOf.keys()];
  const quotes = [...(await quotesOf(db, itemIds)).values()].flat();
  const lines = await Promise.all(
    quotes.map(async ({ itemId, gradeKey }) =>
      (await dailyLine(db, itemId, gradeKey, FIRST_DAY, LAST_DAY)).map((point) => ({ itemId, gradeKey, ...point })),
    ),
  );
  const rows = { ...(await withoutIds(db)), quotes, lines: lines.flat() };
  return Object.fromEntries(
    Object.entries(rows).map(([table, list]) => [
      table,
      list.map((row) => JSON.stringify(row).replace(UUID, (id) => cardOf.get(id) ?? id)).sort(),
    ]),
  );
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
