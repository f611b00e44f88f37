import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { formatDay } from '../../../src/lib/day.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { anItem, aSale, aVoid } from '../../support/builders.ts';
import type { FreshDatabase } from '../../support/database/database.ts';
import { FIRST_DAY } from '../ledger.ts';
import { syntheticMarket } from '../model/synthetic-market.ts';
import { randomFrom } from '../random-from.ts';
import { marketLedger, scoresThrough } from './scored.ts';

const DAYS = 120;
const LAST_DAY = FIRST_DAY + DAYS - 1;
const market = syntheticMarket({ seed: 8, days: DAYS, cards: 25, sales: 4000 });

const open: FreshDatabase[] = [];
async function ledger(sales: typeof market): Promise<Db> {
  const fresh = await marketLedger(sales);
  open.push(fresh);
  return fresh.db;
}
afterAll(async () => {
  for (const fresh of open) await fresh.close();
});

describe('scores of a ledger in which a series sells once a day at most', () => {
  let db: Db;
  beforeAll(async () => {
    const seen = new Set<string>();
    db = await ledger(
      market.filter(({ card, gradeKey, day }) => {
        const key = `${card} ${gradeKey} ${day}`;
        return !seen.has(key) && seen.add(key);
      }),
    );
    await reprice(db, { through: LAST_DAY });
  });

  test('equal a recount in SQL to the last digit', async () => {
    await db.query(`create function ewma_step(float8, float8) returns float8 language sql immutable
      as 'select coalesce($1 + 0.3::float8 * ($2 - $1), $2)'`);
    await db.query('create aggregate ewma(float8) (sfunc = ewma_step, stype = float8)');
    const recount = `
      with taken as (
        select s.id, s.item_id, s.grade_key, s.company, i.game, s.known_day as day, s.price_usd_cents::float8 as cents
        from sales s join items i on i.id = s.item_id)
      select t.id as sale_id, t.day, h.n::int as own_sales, t.day - h.last_day as age_days,
        ln(h.last / t.cents)::real as last_sale, ln(h.sum3 / h.n3 / t.cents)::real as mean_of_3,
        ln(h.median5 / t.cents)::real as median_of_5, ln(coalesce(h.median30, h.last) / t.cents)::real as median_30_days,
        ln(h.smoothed / t.cents)::real as ewma, t.game, t.company
      from taken t cross join lateral (
        select count(*) as n, max(p.day) as last_day, max(cents) filter (where place = 1) as last,
          sum(cents) filter (where place <= 3) as sum3, count(*) filter (where place <= 3) as n3,
          percentile_cont(.5) within group (order by cents) filter (where place <= 5) as median5,
          percentile_cont(.5) within group (order by cents) filter (where p.day >= t.day - 30) as median30,
          ewma(cents order by p.day) filter (where place <= 50) as smoothed
        from (select *, row_number() over (order by e.day desc) as place from taken e
          where e.item_id = t.item_id and e.grade_key = t.grade_key and e.day < t.day) p
      ) h
      where h.n > 0 and t.day >= (select min(day) from taken) + 31`;
    const stored = `select sale_id, day, own_sales, age_days, last_sale, mean_of_3, median_of_5, median_30_days, ewma,
      game, company from sale_scores`;
    const [counted] = await db.query<{ n: number; most: number; old: number }>(
      'select count(*)::int as n, max(own_sales) as most, max(age_days) as old from sale_scores',
    );
    expect(counted!.n).toBeGreaterThan(1500);
    expect(counted!.most).toBeGreaterThan(60);
    expect(counted!.old).toBeGreaterThan(30);
    expect(await db.query(`(${stored}) except (${recount})`)).toEqual([]);
    expect(await db.query(`(${recount}) except (${stored})`)).toEqual([]);
  });

  test('a row and its place in the index take at most 240 bytes', async () => {
    const [size] = await db.query<{ bytes: number }>(
      `select pg_total_relation_size('sale_scores')::float8 / (select count(*) from sale_scores) as bytes`,
    );
    expect(size!.bytes).toBeLessThan(240);
  });
});

test('sales after a day, changed at random, change no score up to it', async () => {
  const cut = 80;
  const random = randomFrom(3);
  const changed = market.flatMap((sale) => {
    if (sale.day <= cut) return [sale];
    const other = { ...sale, priceUsdCents: Math.max(50, Math.round(sale.priceUsdCents * (0.2 + 4 * random()))) };
    return random() < 0.3 ? [] : random() < 0.3 ? [other, { ...other, gradeKey: 'psa-9' }] : [other];
  });
  const [one, other] = [await ledger(market), await ledger(changed)];
  await reprice(one, { through: LAST_DAY });
  await reprice(other, { through: LAST_DAY });
  const scores = await scoresThrough(one, FIRST_DAY + cut);
  expect(scores.length).toBeGreaterThan(1000);
  expect(await scoresThrough(other, FIRST_DAY + cut)).toEqual(scores);
  expect(await scoresThrough(other, LAST_DAY)).not.toEqual(await scoresThrough(one, LAST_DAY));
});

test('another sale of the day changes no score but its own', async () => {
  const scored = FIRST_DAY + 60;
  const kept = market.filter(({ day }) => day <= 60);
  const odd = [...kept];
  const place = odd.findIndex(({ day }) => day === 60);
  odd[place] = { ...odd[place]!, priceUsdCents: odd[place]!.priceUsdCents * 9 };
  const scoresOf = async (sales: typeof market) => {
    const db = await ledger(sales);
    await reprice(db, { through: scored });
    const rows = await db.query<{ score: string }>(
      `select (to_jsonb(c) - 'sale_id')::text as score from sale_scores c where day = $1 order by sale_id`,
      [scored],
    );
    return rows.map(({ score }) => score);
  };
  const [plain, changed] = [await scoresOf(kept), await scoresOf(odd)];
  expect(plain.length).toBeGreaterThan(10);
  expect(plain.filter((score, i) => score !== changed[i])).toHaveLength(1);
});

test('a voided sale keeps its score, and the rules go on without it: closed day by day and in one run', async () => {
  const day = (after: number) => formatDay(FIRST_DAY + after);
  const world = async (isDaily: boolean) => {
    const db = await ledger(market.slice(0, 200));
    const itemId = await anItem(db, { id: '00000000-0000-4000-9000-000000000001', number: '1', name: 'Voided' });
    for (const [sold, usdCents] of [
      [40, 100_00],
      [41, 110_00],
      [44, 500_00],
      [50, 105_00],
    ] as const)
      await aSale(db, { itemId, sold: day(sold), usdCents });
    const [wrong] = await db.query<{ id: number }>(
      'select id from sales where price_usd_cents = 50000 and item_id = $1',
      [itemId],
    );
    await aVoid(db, wrong!.id, 'unpaid', day(46));
    for (let through = isDaily ? 0 : 52; through <= 52; through++) await reprice(db, { through: FIRST_DAY + through });
    const scores = await db.query<{ day: number; last_sale: number; own_sales: number }>(
      `select c.day - $2::int as day, c.last_sale, c.own_sales, c.ewma from sale_scores c
       join sales s on s.id = c.sale_id where s.item_id = $1 order by c.day`,
      [itemId, FIRST_DAY],
    );
    return { db, scores };
  };
  const daily = await world(true);
  expect(daily.scores.map((score) => [score.day, score.own_sales])).toEqual([
    [41, 1],
    [44, 2],
    [50, 2],
  ]);
  expect(daily.scores[2]!.last_sale).toBeCloseTo(Math.log(110 / 105), 6);
  const atOnce = await world(false);
  expect(atOnce.scores).toEqual(daily.scores);
  expect(await scoresThrough(atOnce.db, LAST_DAY)).toEqual(await scoresThrough(daily.db, LAST_DAY));
});
