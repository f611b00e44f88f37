import { describe, expect, test } from 'vitest';
import { pageSpans } from '../../../src/pricing/store/ledger-pages.ts';

/** The days of `pageSpans` as [from, to, sales], those that end a batch with true at the end. */
function pagesOf(first: number, through: number, due: readonly { day: number; sales: number }[]) {
  const salesFrom = (from: number, to: number) =>
    due.filter(({ day }) => day >= from && day <= to).reduce((sum, { sales }) => sum + sales, 0);
  return pageSpans(first, through, due).map(({ from, to, endsBatch }) => ({
    from,
    to,
    sales: salesFrom(from, to),
    endsBatch,
  }));
}

describe('pages', () => {
  test('of a ledger follow each other without a gap and end with a batch', () => {
    const due = Array.from({ length: 1000 }, (_, i) => ({ day: 2 * i, sales: (i * 7919) % 1500 }));
    const pages = pagesOf(0, 2100, due);
    expect(pages[0]!.from).toBe(0);
    expect(pages.at(-1)).toMatchObject({ to: 2100, endsBatch: true });
    for (const [i, { from, to }] of pages.entries()) {
      expect(to).toBeGreaterThanOrEqual(from);
      if (i > 0) expect(from).toBe(pages[i - 1]!.to + 1);
    }
    expect(pages.reduce((sum, { sales }) => sum + sales, 0)).toBe(due.reduce((sum, { sales }) => sum + sales, 0));
    for (const { sales } of pages) expect(sales).toBeLessThanOrEqual(8000);
    // Batches have 120,000 sales, or 400 days.
    let ofBatch = 0;
    for (const { sales, endsBatch } of pages) {
      ofBatch += sales;
      expect(ofBatch).toBeLessThanOrEqual(120_000);
      if (endsBatch) ofBatch = 0;
    }
    expect(pages.filter(({ endsBatch }) => endsBatch).length).toBeLessThan(pages.length / 4);
  });

  test.each([
    ['a day with more sales than a page has', [{ day: 3, sales: 9000 }], [[0, 9, 9000]]],
    [
      'such a day among others',
      [
        { day: 3, sales: 10 },
        { day: 4, sales: 9000 },
        { day: 6, sales: 10 },
      ],
      [
        [0, 3, 10],
        [4, 5, 9000],
        [6, 9, 10],
      ],
    ],
    ['no sale', [], [[0, 9, 0]]],
  ])('with %s', (_, due, expected) => {
    expect(pagesOf(0, 9, due).map(({ from, to, sales }) => [from, to, sales])).toEqual(expected);
  });

  test('of many days without a sale are batches of 400', () => {
    const due = [0, 1000].map((day) => ({ day, sales: 1 }));
    expect(pagesOf(0, 1100, due).map(({ from, to, endsBatch }) => [from, to, endsBatch])).toEqual([
      [0, 999, true],
      [1000, 1100, true],
    ]);
  });
});
