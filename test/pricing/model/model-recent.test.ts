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

test('the last sales that became known have their days, rising, and sources each once; none when some are forgotten', () => {
  const recent = remembered([998, 4], [1000, 1], [999, 65_535], [1000, 1]);
  expect(lastReports(recent, 1)).toEqual({ days: [1000], sources: 1 });
  expect(lastReports(recent, 3)).toEqual({ days: [999, 1000], sources: 2 });
  expect(lastReports(recent, 5)).toEqual({ days: [], sources: 0 });
});

describe('what is remembered', () => {
  test('is the last year, in order', () => {
    const oldest = TODAY - OBSERVATION_DAYS;
    const recent = remembered([oldest, 1], [oldest + 1, 2], [999, 3], [oldest - 1, 4], [1000, 5]);
    forgetOld(recent, TODAY);
    expect(recent).toEqual([(oldest + 1) * SOURCES + 2, 999 * SOURCES + 3, 1000 * SOURCES + 5]);
  });

  test('is cleared of older sales at every 64th', () => {
    const old = Array.from({ length: 63 }, (): [number, number] => [1, 0]);
    expect(remembered(...old)).toHaveLength(63);
    expect(remembered(...old, [1000, 7])).toEqual([1000 * SOURCES + 7]);
    expect(remembered(...old, [1, 0])).toEqual([]);
  });
});
