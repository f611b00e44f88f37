import { describe, expect, test } from 'vitest';
import {
  countRecent,
  forgetOld,
  lastReports,
  OBSERVATION_DAYS,
  rememberSale,
  SOURCES,
} from '../../../src/pricing/model/recent.ts';

const TODAY = 1000;
/** Sales as [sold day, source]. */
function remembered(...sales: readonly (readonly [number, number])[]): number[] {
  const recent: number[] = [];
  for (const [day, source] of sales) rememberSale(recent, day, source, TODAY);
  return recent;
}

describe('the sales of a window', () => {
  test('are those of its days, the last one included, with their sources each once', () => {
    const recent = remembered([1000, 1], [971, 1], [970, 2], [1001, 3], [990, 65_535], [990, 65_535]);
    expect(countRecent(recent, TODAY, 30)).toEqual({ sales: 4, sources: 2 });
    expect(countRecent(recent, TODAY, 31)).toEqual({ sales: 5, sources: 3 });
    expect(countRecent(recent, TODAY + 1, 1)).toEqual({ sales: 1, sources: 1 });
    expect(countRecent([], TODAY, 30)).toEqual({ sales: 0, sources: 0 });
  });
});

describe('the last sales that became known', () => {
  const recent = remembered([998, 4], [1000, 1], [999, 65_535], [1000, 1]);

  test.each([
    [1, TODAY, [1000], 1],
    [3, TODAY, [999, 1000], 2],
    [4, TODAY, [998, 999, 1000], 3],
    // More than there are: some are forgotten.
    [5, TODAY, [], 0],
    // A year and less after the oldest of them, and a year after it.
    [4, 998 + OBSERVATION_DAYS - 1, [998, 999, 1000], 3],
    [4, 998 + OBSERVATION_DAYS, [], 0],
    [3, 998 + OBSERVATION_DAYS, [999, 1000], 2],
  ])('%i of them on day %i have the days %j and %i sources', (sales, day, days, sources) => {
    expect(lastReports(recent, sales, day)).toEqual({ days, sources });
  });

  test('are the same whether older ones have been forgotten or not, on every day', () => {
    const sales = [990, 600, 1000, 640, 700, 1000, 980].map((day, i): [number, number] => [day, i]);
    const day0 = 960;
    for (let day = day0; day < day0 + 450; day++) {
      const all = remembered(...sales);
      for (let last = 1; last <= sales.length + 1; last++) {
        for (const forgottenOn of [day0, day - 100, day - 1, day]) {
          const some = [...all];
          forgetOld(some, forgottenOn);
          expect(lastReports(some, last, day)).toEqual(lastReports(all, last, day));
          expect(countRecent(some, day, OBSERVATION_DAYS)).toEqual(countRecent(all, day, OBSERVATION_DAYS));
        }
      }
    }
  });
});

describe('what is remembered', () => {
  test('begins with the first sale of the last year', () => {
    const oldest = TODAY - OBSERVATION_DAYS;
    const recent = remembered([oldest, 1], [oldest - 1, 4], [oldest + 1, 2], [oldest, 3], [1000, 5]);
    forgetOld(recent, TODAY);
    expect(recent).toEqual([(oldest + 1) * SOURCES + 2, oldest * SOURCES + 3, 1000 * SOURCES + 5]);
  });

  test('is cleared of older sales at every 64th', () => {
    const old = Array.from({ length: 63 }, (): [number, number] => [1, 0]);
    expect(remembered(...old)).toHaveLength(63);
    expect(remembered(...old, [1000, 7])).toEqual([1000 * SOURCES + 7]);
    expect(remembered(...old, [1, 0])).toEqual([]);
  });
});
