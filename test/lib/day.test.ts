import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calendarDay, dayIso, formatDay, MS_PER_DAY, parseDay } from '../../src/lib/day.ts';

const dateOf = (day: number) => new Date(day * MS_PER_DAY);

describe('days', () => {
  test('have the year, month and day of the month of `Date`', () => {
    const [first, last] = [parseDay('0001-01-01')!, parseDay('9999-12-31')!];
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), (day) => {
        const at = dateOf(day);
        const parts = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() };
        expect(calendarDay(day)).toEqual(parts);
        expect([formatDay(day), dayIso(day)]).toEqual([at.toISOString().slice(0, 10), at.toISOString()]);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    '1600-02-29',
    '1899-12-31',
    '1900-02-28',
    '1900-03-01',
    '1970-01-01',
    '2000-02-29',
    '2000-03-01',
    '2024-02-29',
    '2026-11-21',
    '2026-12-31',
    '2100-02-28',
    '2100-03-01',
    '2400-02-29',
    '0001-01-01',
    '0999-12-31',
    '1000-01-01',
    '9999-12-31',
  ])('%s is the same again', (text) => {
    expect(formatDay(parseDay(text)!)).toBe(text);
  });

  test('that the calendar does not have are null', () => {
    for (const text of ['2026-02-29', '1900-02-29', '2026-13-01', '2026-1-1', 'today'])
      expect(parseDay(text)).toBeNull();
  });
});
