import { type ByteReader, type ByteWriter, byteReader } from '../../lib/bytes.ts';
import { readState, skipState, writeState } from '../../record/snapshot-state.ts';
import type { CardState } from '../model/card.ts';
import type { CardUpdate } from '../model/influence.ts';
import type { Params } from '../model/params.ts';
import type { Snapshot } from '../model/quote.ts';

/**
 * Snapshots as they are stored, each: u16 day, u8 grades (and 128 where rates follow), the state (snapshot-state.ts; without
 * rates: of version 2 of the model). Where rates are, the updates follow: i32 bytes, then each: u16 day, f32 a before it, u8 grade
 * (and 128 for the card's first), f32 gain of the card, u8 grades, each: u8 grade, f32 gain; u16 sales, each: f32 share (none for one
 * sale). Snapshots of 32 days are one row, rising by day.
 */
const WITH_RATES = 128;
const IS_FIRST = 128;
/** What version 2 of the model, whose snapshots have no rates, assumed of every card. */
const RATES_OF_VERSION_2 = { levelPerDay: 0.016 ** 2, deviationPerDay: 0 };

/** The row a day's snapshot is kept in. */
export function periodOf(day: number): number {
  return day >> 5;
}

/** Writes a card's snapshot, of the day of its state. Returns the base64 of that state. */
export function writeSnapshot(writer: ByteWriter, card: CardState, params: Params): string {
  writer.u16(card.day);
  writer.u8(card.grades.length + WITH_RATES);
  const begin = writer.place();
  writeState(writer, card, params);
  const state = writer.part(begin, writer.place()).toString('base64');
  writeUpdates(writer, card.updates);
  return state;
}

function writeUpdates(writer: ByteWriter, updates: readonly CardUpdate[]): void {
  let bytes = 0;
  for (const update of updates) bytes += bytesOf(update);
  writer.i32(bytes);
  for (const { day, cardLevel, grade, isFirst, gainOfCard, grades, gains, shares } of updates) {
    writer.u16(day);
    writer.f32(cardLevel);
    writer.u8(isFirst ? grade + IS_FIRST : grade);
    writer.f32(gainOfCard);
    writer.u8(gains.length);
    for (let i = 0; i < gains.length; i++) {
      writer.u8(grades[i]!);
      writer.f32(gains[i]!);
    }
    writer.u16(shares.length);
    if (shares.length > 1) for (const share of shares) writer.f32(share);
  }
}

function bytesOf({ gains, shares }: CardUpdate): number {
  return 14 + 5 * gains.length + (shares.length > 1 ? 4 * shares.length : 0);
}

/** The snapshot of a day that left a card without a sale: all of them were voided. */
export function writeEmptySnapshot(writer: ByteWriter, day: number): void {
  writer.u16(day);
  writer.u8(0);
  writer.f64(0);
  writer.f32(0);
}

/**
 * The snapshots of a card on one day, in the order in which its grades first sold, and the bytes of its state; none once all its
 * sales were voided.
 */
export type DaySnapshots = { day: number; grades: [grade: number, snapshot: Snapshot][]; state: Buffer };

/** The snapshots of one or more rows, joined in order of period: day by day. */
export function* snapshotDays(bytes: Buffer): Generator<DaySnapshots> {
  const read = byteReader(bytes);
  while (!read.done()) {
    const { day, grades, hasUpdates, state } = decodeDay(read);
    if (hasUpdates) read.skip(read.i32());
    yield { day, grades, state: bytes.subarray(...state) };
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

/**
 * The same as they were in force at the close of each of `days`, which rise: the last ones not after it. Only those are decoded.
 * None before the first, nor once all sales were voided.
 */
export function snapshotsOn(bytes: Buffer, days: readonly number[]): ReadonlyMap<number, Snapshot>[] {
  const read = byteReader(bytes);
  let inForce: ReadonlyMap<number, Snapshot> = new Map();
  return days.map((day) => {
    let last: number | null = null;
    while (!read.done() && bytes.readUInt16LE(read.place()) <= day) {
      last = read.place();
      skipDay(read);
    }
    if (last !== null) inForce = new Map(decodeDay(byteReader(bytes.subarray(last))).grades);
    return inForce;
  });
}

function skipDay(read: ByteReader): void {
  read.u16();
  const flaggedCount = read.u8();
  const hasUpdates = flaggedCount >= WITH_RATES;
  skipState(read, flaggedCount % WITH_RATES, hasUpdates);
  if (hasUpdates) read.skip(read.i32());
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
  const [grades, gains]: [number[], number[]] = [[], []];
  for (let left = read.u8(); left > 0; left--) {
    grades.push(read.u8());
    gains.push(read.f32());
  }
  const sales = read.u16();
  const shares = sales === 1 ? [1] : Array.from({ length: sales }, () => read.f32());
  const isFirst = flagged >= IS_FIRST;
  return { day, curveDay, cardLevel, grade: flagged % IS_FIRST, isFirst, gainOfCard, grades, gains, shares };
}

/** The snapshots of a card's grades on one day, less its updates; `state`: from where to where. */
function decodeDay(read: ByteReader) {
  const day = read.u16();
  const flaggedCount = read.u8();
  const hasUpdates = flaggedCount >= WITH_RATES;
  const begin = read.place();
  const grades = readState(read, day, flaggedCount % WITH_RATES, hasUpdates ? null : RATES_OF_VERSION_2);
  const state: [begin: number, end: number] = [begin, read.place()];
  return { day, grades, hasUpdates, state };
}

/** A grade that a void took from its card has infinite variance from then on, and so no price. */
function endAbsent(snapshots: Map<number, Snapshot[]>, day: number): void {
  for (const list of snapshots.values()) {
    const last = list.at(-1)!;
    if (last.day < day)
      list.push({ ...last, day, level: null, cardVariance: Number.POSITIVE_INFINITY, ownSales: 0, before: null });
  }
}
