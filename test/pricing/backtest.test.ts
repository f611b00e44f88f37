import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDay } from '../../src/lib/day.ts';
import { backtest } from '../../src/pricing/backtest.ts';
import { type BacktestSale, readSalesCsv } from '../../src/pricing/backtest-sales.ts';
import { formatBacktest } from '../../src/pricing/backtest-text.ts';
import { testData } from '../support/test-data.ts';
import { syntheticMarket } from './model/synthetic-market.ts';

const sample = testData('sales', 'psa-sold-sample');

/** The sample's rows: `asset,grade,"day:price day:price …"`, a file for each month. */
function* sampleSales(folder: string): Generator<BacktestSale> {
  for (const file of readdirSync(folder).sort()) {
    const month = /^clean_sales_(\d{4}-\d{2})/.exec(file)?.[1];
    if (month === undefined) continue;
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').slice(1)) {
      const [item, grade, sales] = line.replaceAll('"', '').split(',');
      for (const one of sales?.trim().split(/\s+/) ?? []) {
        const [date, price] = one.split(':');
        const day = parseDay(`${month}-${date!.padStart(2, '0')}`);
        yield { item: item!, company: 'PSA', grade: grade!, day: day!, priceUsd: Number(price) };
      }
    }
  }
}

function simulatedSales(market: Parameters<typeof syntheticMarket>[0]): BacktestSale[] {
  return syntheticMarket(market).map(({ card, gradeKey, day, priceUsdCents, game, set, venue }) => {
    const [company, ...grade] = gradeKey.split('-');
    const priceUsd = priceUsdCents / 100;
    return {
      item: String(card),
      company: company!,
      grade: grade.join(' '),
      day,
      priceUsd,
      game,
      set: String(set),
      venue,
    };
  });
}

describe('backtest', () => {
  test.skipIf(sample === null)(
    'on the real PSA sample the model is nearer to the next sale than every rule',
    async () => {
      const { bands, intervals } = await backtest(sampleSales(sample!));
      const all = Object.fromEntries(bands[0]!.methods.map(({ method, mdApePct }) => [method, mdApePct]));
      expect(bands[0]!.forecasts).toBe(1590);
      expect(all.model).toBeLessThanOrEqual(11.1 + 0.2);
      // Over 200 random orders of the sales within a day: EWMA 11.2 to 11.7, median of 5 the same, last sale 13.3 to 14.3.
      expect(Math.abs(all.ewma! - 11.45)).toBeLessThan(0.25);
      expect(Math.abs(all.medianOf5! - 11.45)).toBeLessThan(0.25);
      expect(Math.abs(all.median30Days! - 12.3)).toBeLessThan(0.25);
      expect(Math.abs(all.lastSale! - 13.8)).toBeLessThan(0.5);
      for (const [method, error] of Object.entries(all)) if (method !== 'model') expect(all.model).toBeLessThan(error);
      expect(bands[0]!.coverage[1]!.heldPct).toBeGreaterThan(72);
      const lastSale = intervals.pairs.find(({ band, baseline }) => band === 'all' && baseline === 'lastSale')!;
      expect(lastSale.mal.high).toBeLessThan(0);
    },
  );

  test('on a simulated market the ranges hold what they promise and every rule is further off than the model', async () => {
    const { bands } = await backtest(simulatedSales({ seed: 2, days: 500, cards: 250, sales: 20_000 }));
    for (const { rangePct, heldPct } of bands[0]!.coverage) expect(Math.abs(heldPct - rangePct)).toBeLessThan(2);
    for (const { methods } of bands) {
      const [model, ...rules] = methods;
      for (const rule of rules) expect(model!.mdApePct).toBeLessThan(0.95 * rule.mdApePct);
    }
  });

  test('a steady price is forecast exactly by every rule and within a percent by the model', async () => {
    const sales = Array.from({ length: 60 }, (_, day) => ({
      item: 'x',
      company: 'PSA',
      grade: '10',
      day,
      priceUsd: 80,
    }));
    const { bands } = await backtest(sales);
    expect(bands[0]!.forecasts).toBe(29);
    for (const { method, mdApePct } of bands[0]!.methods) expect(mdApePct).toBeLessThan(method === 'model' ? 1 : 1e-9);
  });

  test('sales of the same day do not know each other', async () => {
    const old = { item: 'x', company: 'PSA', grade: '10', day: 0, priceUsd: 100 };
    const new1 = { ...old, day: 40, priceUsd: 200 };
    const { bands } = await backtest([old, new1, { ...new1 }, { ...new1 }]);
    const last = bands[0]!.methods.find(({ method }) => method === 'lastSale')!;
    expect(bands[0]!.forecasts).toBe(3);
    expect(last.mdApePct).toBeCloseTo(50);
    expect(last.mal).toBeCloseTo(100 * Math.LN2);
    expect(last.biasPct).toBeCloseTo(-100 * Math.LN2);
  });

  test('a series is a grade of a company: other grades of the card are not its earlier sales', async () => {
    const known = { item: 'x', company: 'PSA', grade: '10', day: 0, priceUsd: 100 };
    const others = [
      { ...known, company: 'BGS' },
      { ...known, grade: '9' },
      { ...known, item: 'y' },
    ];
    const { companies } = await backtest([known, ...[known, ...others].map((sale) => ({ ...sale, day: 40 }))]);
    expect(companies).toMatchObject([{ name: 'PSA', forecasts: 1 }]);
  });

  test('the order in which the sales of a day are listed does not change the table', async () => {
    const sales = simulatedSales({ seed: 5, days: 120, cards: 30, sales: 3000 });
    const table = await backtest(sales);
    expect(table.forecasts).toBeGreaterThan(1000);
    expect(await backtest([...sales].reverse())).toEqual(table);
    expect(await backtest([...sales].sort((a, b) => a.priceUsd - b.priceUsd))).toEqual(table);
  });

  test('a file that lists the sales of a day by price does not make the last sale the highest one', async () => {
    const prices = [80, 90, 100, 110, 120];
    const sales = Array.from({ length: 150 }, (_, day) =>
      prices.map((priceUsd) => ({ item: 'x', company: 'PSA', grade: '10', day, priceUsd })),
    );
    const { bands } = await backtest(sales.flat());
    const last = bands[0]!.methods.find(({ method }) => method === 'lastSale')!;
    // The highest of the day would be 19% too high on average.
    expect(Math.abs(last.biasPct)).toBeLessThan(4);
  });

  test('no sales give a table that says so', async () => {
    expect(formatBacktest(await backtest([]))).toContain('0 sales');
  });

  test('a CSV row that is not a sale is rejected with its line', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'backtest-')), 'sales.csv');
    for (const bad of [
      'x,PSA,10,2026-02-30,5',
      'x,PSA,10,2026-02-01,"1,234.50"',
      'x,PSA,10,2026-02-01,-1',
      ',PSA,10,2026-02-01,5',
    ]) {
      writeFileSync(file, `item,company,grade,date,price\nx,PSA,10,2026-01-01,5\n${bad}\n`);
      await expect(backtest(readSalesCsv(file))).rejects.toThrow(/line 3/);
    }
  });
});
