import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHART, type ChartData, dotsPath, linePath, scaleOf } from '../../src/web/chart-shape.ts';

const FROM = 20_000;
const TO = 20_365;
const cents = fc.integer({ min: 1, max: 5_000_000_000 });
const dot = fc.record({ day: fc.integer({ min: FROM, max: TO }), usdCents: cents });

const anyData = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: FROM, max: TO }), { maxLength: 40 }),
    price: cents,
    sales: fc.array(dot, { maxLength: 20 }),
    refused: fc.array(dot, { maxLength: 5 }),
    listings: fc.array(dot, { maxLength: 5 }),
  })
  .filter(({ days, sales, refused, listings }) => days.length + sales.length + refused.length + listings.length > 0)
  .map(
    ({ days, price, sales, refused, listings }): ChartData => ({
      fromDay: FROM,
      toDay: TO,
      stepDays: 1,
      line: days
        .sort((a, b) => a - b)
        .map((day) => ({ day, usdCents: price, lowUsdCents: Math.ceil(price / 2), highUsdCents: price * 2 })),
      sales,
      refused: refused.map((one) => ({ ...one, reason: 'Rejected: a lot' })),
      listings,
    }),
  );

const coordinates = (path: string) => path.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];

describe('a chart', () => {
  test('holds everything within its plot, whatever the prices', () => {
    fc.assert(
      fc.property(anyData, (data) => {
        const scale = scaleOf(data);
        const places = [...data.sales, ...data.refused, ...data.listings, ...data.line].map(({ day, usdCents }) => [
          scale.x(day),
          scale.y(usdCents),
        ]);
        for (const [x, y] of places) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(CHART.width);
          expect(y).toBeGreaterThanOrEqual(CHART.top);
          expect(y).toBeLessThanOrEqual(CHART.bottom);
        }
        expect(linePath(data, scale) + dotsPath(data.sales, scale)).not.toMatch(/NaN|Infinity|e/);
      }),
    );
  });

  test('breaks its line where days have no price', () => {
    const point = (day: number) => ({ day, usdCents: 100, lowUsdCents: 90, highUsdCents: 110 });
    const line = [FROM, FROM + 1, FROM + 5, FROM + 6].map(point);
    const data = { fromDay: FROM, toDay: TO, line, stepDays: 1, sales: [], refused: [], listings: [] };
    expect(linePath(data, scaleOf(data)).match(/M/g)).toHaveLength(2);
  });

  test('a price that is far off does not set the scale', () => {
    const line = [{ day: FROM, usdCents: 100_00, lowUsdCents: 90_00, highUsdCents: 110_00 }];
    const sales = [{ day: FROM, usdCents: 9_000_00 }];
    const scale = scaleOf({ fromDay: FROM, toDay: TO, line, stepDays: 1, sales, refused: [], listings: [] });
    expect(scale.ticks.at(-1)).toBeLessThan(200_00);
    expect(coordinates(dotsPath(sales, scale))[1]).toBe(CHART.top);
  });
});
