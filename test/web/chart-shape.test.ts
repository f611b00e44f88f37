import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PriceHistory } from '../../src/web/card/history/card-history.ts';
import { priceTicks } from '../../src/web/card/history/price-chart.tsx';
import { barsPath, CHART, dotsPath, linePath, scaleOf, short } from '../../src/web/chart/chart-shape.ts';

const FROM = 20_000;
const TO = 20_365;
const cents = fc.integer({ min: 1, max: 5_000_000_000 });
const dot = fc.record({ day: fc.integer({ min: FROM, max: TO }), value: cents });

const anyData = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: FROM, max: TO }), { maxLength: 40 }),
    price: cents,
    sales: fc.array(dot, { maxLength: 20 }),
    rejected: fc.array(dot, { maxLength: 5 }),
    listings: fc.array(dot, { maxLength: 5 }),
  })
  .filter(({ days, sales, rejected, listings }) => days.length + sales.length + rejected.length + listings.length > 0)
  .map(
    ({ days, price, sales, rejected, listings }): PriceHistory => ({
      fromDay: FROM,
      toDay: TO,
      stepDays: 1,
      line: days
        .sort((a, b) => a - b)
        .map((day) => ({ day, value: price, low: Math.ceil(price / 2), high: price * 2, next: null })),
      sales: [
        ...sales.map((one) => ({ ...one, disposition: 'used' as const })),
        ...rejected.map((one) => ({ ...one, disposition: 'refused' as const })),
      ],
      listings,
      events: [],
    }),
  );

const coordinates = (path: string) => path.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];

describe('a chart', () => {
  test('draws everything within its plot, whatever the prices', () => {
    fc.assert(
      fc.property(anyData, (data) => {
        const scale = scaleOf(FROM, TO, priceTicks(data));
        const places = [...data.sales, ...data.listings, ...data.line].map(({ day, value }) => [
          scale.x(day),
          scale.y(value),
        ]);
        for (const [x, y] of places) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(CHART.width);
          expect(y).toBeGreaterThanOrEqual(CHART.top);
          expect(y).toBeLessThanOrEqual(CHART.bottom);
        }
        expect(linePath(data.line, data.stepDays, scale) + dotsPath(data.sales, scale)).not.toMatch(/NaN|Infinity|e/);
      }),
    );
  });

  test('breaks its line where days have no price', () => {
    const line = [FROM, FROM + 1, FROM + 5, FROM + 6].map((day) => ({ day, value: 100 }));
    expect(linePath(line, 1, scaleOf(FROM, TO, [0, 200])).match(/M/g)).toHaveLength(2);
  });

  test('a price that is far off does not set the scale', () => {
    const line = [{ day: FROM, value: 100_00, low: 90_00, high: 110_00, next: { low: 80_00, high: 120_00 } }];
    const sales = [{ day: FROM, value: 9_000_00, disposition: 'used' as const }];
    const data = { line, sales, listings: [] };
    const scale = scaleOf(FROM, TO, priceTicks(data));
    expect(scale.ticks.at(-1)).toBeLessThan(200_00);
    expect(coordinates(dotsPath(sales, scale))[1]).toBe(CHART.top);
  });

  test('has a scale that is mostly used', () => {
    const prices = (low: number, high: number) => {
      const line = [{ day: FROM, value: (low + high) / 2, low, high, next: null }];
      return priceTicks({ line, sales: [], listings: [] });
    };
    expect(prices(650_00, 3_080_00)).toEqual([500, 1000, 1500, 2000, 2500, 3000, 3500].map((usd) => 100 * usd));
    expect(prices(15_00, 115_00)).toEqual([0, 20, 40, 60, 80, 100, 120].map((usd) => 100 * usd));
  });

  test('has its bars below the plot, and one day alone in the middle', () => {
    const scale = scaleOf(FROM, FROM, [0, 200], { hasBars: true });
    expect(scale.days).toEqual([FROM]);
    const [x, floor, height] = coordinates(barsPath([{ day: FROM, value: 9 }], scale));
    expect([x, floor]).toEqual([CHART.width / 2, scale.floor]);
    expect(floor! + height!).toBeGreaterThan(CHART.bottom);
  });
});

test('a coordinate is written with at most one decimal, as JavaScript writes the rounded number', () => {
  const written = (value: number) => {
    expect(short(value)).toBe(String(Math.round(value * 10) / 10));
  };
  for (const value of [0, -0, -0.04, 0.05, -0.25, -0.3, -1, 9.96, -12.34, 1000]) written(value);
  fc.assert(fc.property(fc.double({ min: -5000, max: 5000, noNaN: true }), written));
});
