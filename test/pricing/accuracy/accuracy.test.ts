import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Accuracy, accuracyOf, firstDayOf } from '../../../src/pricing/accuracy/accuracy.ts';
import { backtest } from '../../../src/pricing/backtest.ts';
import type { ForecastGroup } from '../../../src/pricing/backtest-groups.ts';
import { ledgerSales } from '../../../src/pricing/backtest-sales.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { aVoid } from '../../support/builders.ts';
import type { FreshDatabase } from '../../support/database/database.ts';
import { FIRST_DAY } from '../ledger.ts';
import { syntheticMarket } from '../model/synthetic-market.ts';
import { marketLedger } from './scored.ts';

const DAYS = 150;
const LAST_DAY = FIRST_DAY + DAYS - 1;
const ALL = { days: 365, game: null, company: null, band: null, bucket: null };

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await marketLedger(syntheticMarket({ seed: 12, days: DAYS, cards: 60, sales: 9000 }));
  await reprice(fresh.db, { through: LAST_DAY });
});
afterAll(() => fresh.close());

function expectSameFigures(group: ForecastGroup, other: ForecastGroup): void {
  expect(group.forecasts).toBe(other.forecasts);
  for (const { method, mdApePct, biasPct, within10Pct, within20Pct } of group.methods) {
    const same = other.methods.find((one) => one.method === method);
    if (same === undefined) continue;
    for (const [figure, expected] of [
      [mdApePct, same.mdApePct],
      [biasPct, same.biasPct],
      [within10Pct, same.within10Pct],
      [within20Pct, same.within20Pct],
    ] as const)
      expect(figure, `${group.name} ${method}`).toBeCloseTo(expected, 4);
  }
  expect(group.coverage).toEqual(other.coverage);
}

test('figures equal those of a backtest of the same ledger, in every group', async () => {
  const table = await backtest(ledgerSales(fresh.db));
  const { all, band, price, company } = await accuracyOf(fresh.db, ALL);
  expect(table.forecasts).toBeGreaterThan(5000);
  expect(all.sales).toBe(table.forecasts);
  expectSameFigures(all.figures!, table.bands[0]!);
  const pairs = [
    ...band.map((group, i) => [group, table.bands[i + 1]!] as const),
    ...price.map((group, i) => [group, table.priceBuckets[i]!] as const),
    ...company.map((group) => [group, table.companies.find(({ name }) => name === group.name)!] as const),
  ];
  expect(pairs.length).toBe(table.bands.length - 1 + table.priceBuckets.length + table.companies.length);
  for (const [group, expected] of pairs) {
    expect(group.sales).toBe(expected.forecasts);
    if (group.figures !== null) expectSameFigures(group.figures, expected);
  }
  expect(pairs.filter(([{ figures }]) => figures !== null).length).toBeGreaterThan(6);
});

test('of more scores than are read at once the newest days count', async () => {
  const days = await fresh.db.query<{ day: number; scores: number }>(
    'select day, count(*) as scores from sale_scores group by day order by day desc limit 3',
  );
  const [last, second, third] = days as [(typeof days)[0], (typeof days)[0], (typeof days)[0]];
  const from = (most: number) => firstDayOf(fresh.db, FIRST_DAY, LAST_DAY, most);
  expect([last.day, second.day, third.day]).toEqual([LAST_DAY, LAST_DAY - 1, LAST_DAY - 2]);
  expect(await from(1e6)).toBe(FIRST_DAY);
  expect(await from(last.scores + second.scores)).toBe(second.day);
  expect(await from(last.scores + second.scores - 1)).toBe(last.day);
  // One day at least.
  expect(await from(1)).toBe(last.day);
});

test('each filter selects one group, and the groups of a grouping add up to all', async () => {
  const whole = await accuracyOf(fresh.db, ALL);
  const groups = ['band', 'price', 'age', 'company'] as const;
  for (const grouping of groups)
    expect(whole[grouping].reduce((sum, { sales }) => sum + sales, 0)).toBe(whole.all.sales);
  const selected = async (filter: Partial<typeof ALL> | { company: string } | { game: string }) =>
    (await accuracyOf(fresh.db, { ...ALL, ...filter } as typeof ALL)).all;
  const [dense, between] = [await selected({ band: 0 } as never), await selected({ band: 1 } as never)];
  expect({ ...dense.figures, name: '' }).toEqual({ ...whole.band[0]!.figures, name: '' });
  expect(between.sales).toBe(whole.band[1]!.sales);
  expect((await selected({ bucket: 2 } as never)).sales).toBe(
    whole.price.find(({ name }) => name === '100-300')!.sales,
  );
  const psa = whole.company.find(({ name }) => name === 'PSA')!;
  expect((await selected({ company: 'PSA' })).sales).toBe(psa.sales);
  const games = await Promise.all(['pokemon', 'sports', 'one-piece', 'mtg'].map((game) => selected({ game })));
  expect(games.reduce((sum, { sales }) => sum + sales, 0)).toBe(whole.all.sales);
  expect((await selected({ days: 20 })).sales).toBeLessThan(whole.all.sales / 4);
});

test('fewer than 200 scored sales have a count and no figure, alone and as a group', async () => {
  const few = await accuracyOf(fresh.db, { ...ALL, days: 2 });
  expect(few.all.sales).toBeGreaterThan(10);
  expect(few.all.sales).toBeLessThan(200);
  expect([few.all.figures, few.band, few.price, few.age, few.company]).toEqual([null, [], [], [], []]);
  const whole = await accuracyOf(fresh.db, ALL);
  for (const groups of [whole.band, whole.price, whole.age, whole.company])
    for (const { sales, figures } of groups) expect(figures === null).toBe(sales < 200);
});

test('a voided sale is counted apart from the close that takes it out on, and until then kept figures stay', async () => {
  const db = { ...fresh.db, prices: {} };
  const selection = { ...ALL, days: 100 };
  const before = await accuracyOf(db, selection);
  expect(before.voided).toBe(0);
  const [sale] = await db.query<{ id: number }>('select sale_id as id from sale_scores where day = $1 limit 1', [
    LAST_DAY - 40,
  ]);
  await aVoid(db, sale!.id, 'unpaid', '2024-05-30');
  expect(await accuracyOf(db, selection)).toBe(before);
  await reprice(db, { through: LAST_DAY + 1 });
  const after: Accuracy = await accuracyOf(db, { ...selection, days: 101 });
  expect([after.voided, after.all.sales]).toEqual([1, before.all.sales - 1]);
  const rows = await db.query('select 1 from sale_scores where sale_id = $1', [sale!.id]);
  expect(rows).toHaveLength(1);
});

test('an installation without a close has no days and no figures', async () => {
  const empty = await marketLedger([]);
  const accuracy = await accuracyOf(empty.db, ALL);
  expect(accuracy).toMatchObject({ from: null, to: null, all: { sales: 0, figures: null } });
  await empty.close();
});
