import type { CardState } from '../model/card.ts';
import type { CardUpdate } from '../model/influence.ts';
import type { Params } from '../model/params.ts';
import type { Snapshot } from '../model/quote.ts';
import { snapshotOf } from '../model/snapshot.ts';
import { type ByteReader, byteReader, byteWriter } from './bytes.ts';

/**
 * Snapshots as they are stored, each: u16 day, u8 grades (and 128 where rates follow), f64 a, f32 P_aa, f32 variance that a
 * gains in a day, f32 that b gains in addition, then each grade: u8 grade (and 128 where `before` follows), u8 own sales (255 for
 * more), u16 lastDay, f64 level (NaN on the curve), f32 P_ab, f32 P_bb, where rates are: f32 variance of a sale, and `before`:
 * f64 level, f32 variance, u8 own sales (255 for more), u16 lastDay. Where rates are, the updates follow: i32 bytes, then each:
 * u16 day, f32 a before it, u8 grade (and 128 for the card's first), f32 gain of the card, u8 grades, each: u8 grade, f32 gain; u16 sales,
 * each: f32 share (none for one sale). Snapshots of 32 days are one row, rising by day.
 */
const writer = byteWriter();
const COUNT_MAX = 255;
const WITH_RATES = 128;
const WITH_BEFORE = 128;
const IS_FIRST = 128;
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
  encodeUpdates(card.updates);
  return writer.take();
}

function encodeUpdates(updates: readonly CardUpdate[]): void {
  writer.i32(updates.reduce((bytes, update) => bytes + bytesOf(update), 0));
  for (const { day, cardLevel, grade, isFirst, gainOfCard, gains, shares } of updates) {
    writer.u16(day);
    writer.f32(cardLevel);
    writer.u8(isFirst ? grade + IS_FIRST : grade);
    writer.f32(gainOfCard);
    writer.u8(gains.length);
    for (const [one, gain] of gains) {
      writer.u8(one);
      writer.f32(gain);
    }
    writer.u16(shares.length);
    if (shares.length > 1) for (const share of shares) writer.f32(share);
  }
}

function bytesOf({ gains, shares }: CardUpdate): number {
  return 14 + 5 * gains.length + (shares.length > 1 ? 4 * shares.length : 0);
}

/** The snapshot of a day that left a card without a sale: all of them were voided. */
export function encodeEmptySnapshot(day: number): Buffer {
  writer.u16(day);
  writer.u8(0);
  writer.f64(0);
  writer.f32(0);
  return writer.take();
}

/** The snapshots of a card on one day, in the order in which its grades first sold; none once all its sales were voided. */
export type DaySnapshots = { day: number; grades: [grade: number, snapshot: Snapshot][] };

/** The snapshots of one or more rows, joined in order of period: day by day. */
export function* snapshotDays(bytes: Buffer): Generator<DaySnapshots> {
  const read = byteReader(bytes);
  while (!read.done()) {
    const { day, grades, hasUpdates } = decodeDay(read);
    if (hasUpdates) read.skip(read.i32());
    yield { day, grades };
  }
}

/** The part of such rows that was there at the close of a day. */
export function rowsUntil(bytes: Buffer, day: number): Buffer {
  const read = byteReader(bytes);
  let end = 0;
  while (!read.done()) {
    const decoded = decodeDay(read);
    if (decoded.day > day) break;
    if (decoded.hasUpdates) read.skip(read.i32());
    end = read.place();
  }
  return bytes.subarray(0, end);
}

/** The same by grade, rising by day. */
export function decodeSnapshots(bytes: Buffer): Map<number, Snapshot[]> {
  const snapshots = new Map<number, Snapshot[]>();
  for (const { day, grades } of snapshotDays(bytes)) {
    for (const [grade, snapshot] of grades) {
      const list = snapshots.get(grade);
      if (list === undefined) snapshots.set(grade, [snapshot]);
      else list.push(snapshot);
    }
    endAbsent(snapshots, day);
  }
  return snapshots;
}

/** The updates of the card in the same rows, rising by day; none of version 2. */
export function decodeUpdates(bytes: Buffer): CardUpdate[] {
  const updates: CardUpdate[] = [];
  const read = byteReader(bytes);
  while (!read.done()) {
    const { day, hasUpdates } = decodeDay(read);
    let left = hasUpdates ? read.i32() : 0;
    while (left > 0) {
      const update = decodeUpdate(read, day - 1);
      left -= bytesOf(update);
      updates.push(update);
    }
  }
  return updates;
}

function decodeUpdate(read: ByteReader, curveDay: number): CardUpdate {
  const day = read.u16();
  const cardLevel = read.f32();
  const flagged = read.u8();
  const gainOfCard = read.f32();
  const gains = Array.from({ length: read.u8() }, (): [number, number] => [read.u8(), read.f32()]);
  const sales = read.u16();
  const shares = sales === 1 ? [1] : Array.from({ length: sales }, () => read.f32());
  const isFirst = flagged >= IS_FIRST;
  return { day, curveDay, cardLevel, grade: flagged % IS_FIRST, isFirst, gainOfCard, gains, shares };
}

/** The snapshots of a card's grades on one day, less its updates. */
function decodeDay(read: ByteReader): DaySnapshots & { hasUpdates: boolean } {
  const day = read.u16();
  const flaggedCount = read.u8();
  const cardLevel = read.f64();
  const cardVariance = read.f32();
  const hasUpdates = flaggedCount >= WITH_RATES;
  const rates = hasUpdates ? { levelPerDay: read.f32(), deviationPerDay: read.f32() } : RATES_OF_VERSION_2;
  const grades = Array.from({ length: flaggedCount % WITH_RATES }, (): [number, Snapshot] => {
    const flagged = read.u8();
    const ownSales = read.u8();
    const lastDay = read.u16();
    const level = read.f64();
    const snapshot = {
      day,
      cardLevel,
      cardVariance,
      ...rates,
      level: Number.isNaN(level) ? null : level,
      covariance: read.f32(),
      deviationVariance: read.f32(),
      ownSales,
      lastDay,
      saleVariance: hasUpdates ? read.f32() : null,
      before:
        flagged < WITH_BEFORE
          ? null
          : { level: read.f64(), variance: read.f32(), ownSales: read.u8(), lastDay: read.u16() },
    };
    return [flagged % WITH_BEFORE, snapshot];
  });
  return { day, grades, hasUpdates };
}

/** A grade that a void took from its card has infinite variance from then on, and so no price. */
function endAbsent(snapshots: Map<number, Snapshot[]>, day: number): void {
  for (const list of snapshots.values()) {
    const last = list.at(-1)!;
    if (last.day < day)
      list.push({ ...last, day, level: null, cardVariance: Number.POSITIVE_INFINITY, ownSales: 0, before: null });
  }
}
