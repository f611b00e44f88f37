import { expect, test } from 'vitest';
import { dayIso } from '../../../src/lib/day.ts';
import type { TradeRow } from '../../../src/sales/ledger.ts';
import { soldIn30DaysOf } from '../../../src/web/card/history/card-history.ts';

const CLOSED = 20_000;

/** Newest first. */
const trades = (...sold: [day: number, disposition?: TradeRow['disposition']][]) =>
  sold.map(([day, disposition = 'used']) => ({ observedAt: dayIso(day), disposition }) as TradeRow);

test.each([
  ['none', [], 0, 0],
  ['the first and the last of the 30 days', trades([CLOSED], [CLOSED - 29]), 2, 2],
  ['a day before, and after the last close', trades([CLOSED + 1], [CLOSED - 30]), 2, 0],
  ['rejected ones, and one that counts for less', trades([CLOSED, 'refused'], [CLOSED, 'downweighted']), 2, 1],
  ['more than were read, back to before', trades([CLOSED], [CLOSED - 30]), 5, 1],
  ['more than were read, all of these days', trades([CLOSED], [CLOSED - 29]), 5, null],
])('accepted sales of the last 30 closed days: %s', (_, read, total, expected) => {
  expect(soldIn30DaysOf({ trades: read, total }, CLOSED)).toBe(expected);
});
