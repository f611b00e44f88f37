import type { GradeTerms } from './curve/curve.ts';
import type { Params } from './params.ts';
import {
  type CentsRange,
  centsOf,
  type DayContext,
  isPriced,
  type LogQuote,
  logQuote,
  nextSaleRangeOf,
  rangeOf,
  type Snapshot,
} from './quote.ts';

/**
 * The daily line of a series: the filtered value at each close, `m(D) + l + phi b` (section 3). Storage is a snapshot for
 * each day the card sold; the line is computed day by day from the last snapshot, never smoothed afterwards.
 */
export type DailyPoint = {
  day: number;
  usdCents: number | null;
  lowUsdCents: number | null;
  highUsdCents: number | null;
  /** 80% range of the next sale; null in version 2 too. */
  nextSaleRange: CentsRange | null;
};

/** What the line needs of its game, by day. */
export type LineWorld = {
  contextOn(day: number): DayContext;
  /** The grade's terms on the curve in force at the close of a day, for a card at a level. */
  termsOn(day: number, cardLevel: number): GradeTerms;
  params: Params;
};

/** The snapshot in force on a day: the last one not after it; null before the first. `snapshots` rise by day. */
export function snapshotOn(snapshots: readonly Snapshot[], day: number): Snapshot | null {
  let low = 0;
  let high = snapshots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (snapshots[middle]!.day <= day) low = middle + 1;
    else high = middle;
  }
  return snapshots[low - 1] ?? null;
}

/** The quote at the close of a day, in logs; null before the card's first snapshot. */
export function quoteOn(snapshots: readonly Snapshot[], day: number, world: LineWorld): LogQuote | null {
  const snapshot = snapshotOn(snapshots, day);
  return snapshot === null ? null : quoteFrom(snapshot, day, world);
}

/** The quote of a snapshot that is in force at the close of a day, in logs. */
export function quoteFrom(snapshot: Snapshot, day: number, world: LineWorld): LogQuote {
  return logQuote(snapshot, world.contextOn(day), world.termsOn(day, snapshot.cardLevel), world.params);
}

/** One point for every day from `fromDay` to `toDay`; days without a price have nulls. */
export function lineOf(snapshots: readonly Snapshot[], fromDay: number, toDay: number, world: LineWorld): DailyPoint[] {
  const points: DailyPoint[] = [];
  for (let day = fromDay; day <= toDay; day++) {
    const quote = quoteOn(snapshots, day, world);
    if (quote === null || !isPriced(quote, world.params)) {
      points.push({ day, usdCents: null, lowUsdCents: null, highUsdCents: null, nextSaleRange: null });
      continue;
    }
    const { lowUsdCents, highUsdCents } = rangeOf(quote);
    points.push({
      day,
      usdCents: centsOf(quote.mean),
      lowUsdCents,
      highUsdCents,
      nextSaleRange: nextSaleRangeOf(quote),
    });
  }
  return points;
}
