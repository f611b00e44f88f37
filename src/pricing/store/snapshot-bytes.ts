import type { CardState } from '../model/card.ts';
import type { Params } from '../model/params.ts';
import type { Snapshot } from '../model/quote.ts';
import { snapshotOf } from '../model/snapshot.ts';
import { byteReader, byteWriter } from './bytes.ts';

/**
 * Snapshots as they are stored, each: u16 day, u8 grades (and 128 where rates follow), f64 a, f32 P_aa, f32 variance that a
 * gains in a day, f32 that b gains in addition, then each grade: u8 grade (and 128 where `before` follows), u8 own sales (255 for
 * more), u16 lastDay, f64 level (NaN on the curve), f32 P_ab, f32 P_bb, where rates are: f32 variance of a sale, and `before`:
 * f64 level, f32 variance, u8 own sales (255 for more), u16 lastDay. Snapshots of 32 days are one row, rising by day.
 */
const writer = byteWriter();
const COUNT_MAX = 255;
const WITH_RATES = 128;
const WITH_BEFORE = 128;
/** What version 2 of the model, whose snapshots have no rates, assumed of every card. */
const RATES_OF_VERSION_2 = { levelPerDay: 0.016 ** 2, deviationPerDay: 0 };

/** The row a day's snapshot is kept in. */
export function periodOf(day: number): number {
  return day >> 5;
}

/** A card's snapshot, of the day of its state. */
export function encodeSnapshot(card: CardState, params: Params): Buffer {
  const snapshots = card.grades.map(({ grade }) => ({ grade, ...snapshotOf(card, grade, params) }));
  writer.u16(card.day);
  writer.u8(snapshots.length + WITH_RATES);
  writer.f64(card.x[0]!);
  writer.f32(card.P[0]!);
  writer.f32(snapshots[0]!.levelPerDay);
  writer.f32(snapshots[0]!.deviationPerDay);
  for (const { grade, ...snapshot } of snapshots) {
    const { before } = snapshot;
    writer.u8(before === null ? grade : grade + WITH_BEFORE);
    writer.u8(Math.min(COUNT_MAX, snapshot.ownSales));
    writer.u16(snapshot.lastDay);
    writer.f64(snapshot.level ?? Number.NaN);
    writer.f32(snapshot.covariance);
    writer.f32(snapshot.deviationVariance);
    writer.f32(snapshot.saleVariance!);
    if (before !== null) {
      writer.f64(before.level);
      writer.f32(before.variance);
      writer.u8(Math.min(COUNT_MAX, before.ownSales));
      writer.u16(before.lastDay);
    }
  }
  return writer.take();
}

/** The snapshot of a day that left a card without a sale: all of them were voided. */
export function encodeEmptySnapshot(day: number): Buffer {
  writer.u16(day);
  writer.u8(0);
  writer.f64(0);
  writer.f32(0);
  return writer.take();
}

/** The snapshots of one or more rows, joined in order of period: by grade, rising by day. */
export function decodeSnapshots(bytes: Buffer): Map<number, Snapshot[]> {
  const snapshots = new Map<number, Snapshot[]>();
  const read = byteReader(bytes);
  while (!read.done()) {
    const day = read.u16();
    const grades = read.u8();
    const cardLevel = read.f64();
    const cardVariance = read.f32();
    const withRates = grades >= WITH_RATES;
    const rates = withRates ? { levelPerDay: read.f32(), deviationPerDay: read.f32() } : RATES_OF_VERSION_2;
    for (let left = grades % WITH_RATES; left > 0; left--) {
      const flagged = read.u8();
      const grade = flagged % WITH_BEFORE;
      const ownSales = read.u8();
      const lastDay = read.u16();
      const level = read.f64();
      const snapshot: Snapshot = {
        day,
        cardLevel,
        cardVariance,
        ...rates,
        level: Number.isNaN(level) ? null : level,
        covariance: read.f32(),
        deviationVariance: read.f32(),
        ownSales,
        lastDay,
        saleVariance: withRates ? read.f32() : null,
        before:
          flagged < WITH_BEFORE
            ? null
            : { level: read.f64(), variance: read.f32(), ownSales: read.u8(), lastDay: read.u16() },
      };
      const list = snapshots.get(grade);
      if (list === undefined) snapshots.set(grade, [snapshot]);
      else list.push(snapshot);
    }
    endAbsent(snapshots, day);
  }
  return snapshots;
}

/** A grade that a void took from its card has infinite variance from then on, and so no price. */
function endAbsent(snapshots: Map<number, Snapshot[]>, day: number): void {
  for (const list of snapshots.values()) {
    const last = list.at(-1)!;
    if (last.day < day)
      list.push({ ...last, day, level: null, cardVariance: Number.POSITIVE_INFINITY, ownSales: 0, before: null });
  }
}
