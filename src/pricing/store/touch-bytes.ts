import type { CardState } from '../model/card.ts';
import type { Touch } from '../model/quote.ts';
import { touchOf } from '../model/touch.ts';
import { byteReader, byteWriter } from './bytes.ts';

/**
 * Touches as they are stored, each: u16 day, u8 grades, f64 a, f32 P_aa, then each grade: u8 grade, u8 own sales (255 for
 * more), u16 lastDay, f64 level (NaN on the curve), f32 P_ab, f32 P_bb. Touches of 32 days are one row, rising by day.
 */
const writer = byteWriter();
const COUNT_MAX = 255;

/** The row a day's touch is kept in. */
export function periodOf(day: number): number {
  return day >> 5;
}

/** A card's touch of the day it stands at. */
export function encodeTouch(card: CardState): Buffer {
  writer.u16(card.day);
  writer.u8(card.grades.length);
  writer.f64(card.x[0]!);
  writer.f32(card.P[0]!);
  for (const { grade } of card.grades) {
    const touch = touchOf(card, grade);
    writer.u8(grade);
    writer.u8(Math.min(COUNT_MAX, touch.ownSales));
    writer.u16(touch.lastDay);
    writer.f64(touch.level ?? Number.NaN);
    writer.f32(touch.covariance);
    writer.f32(touch.deviationVariance);
  }
  return writer.take();
}

/** The touch of a day that left a card without a sale: all of them were voided. */
export function encodeEmptyTouch(day: number): Buffer {
  writer.u16(day);
  writer.u8(0);
  writer.f64(0);
  writer.f32(0);
  return writer.take();
}

const HEADER_BYTES = 15;
const GRADE_BYTES = 20;

/** The first touch's day of a row. */
export function firstDayOf(bytes: Buffer): number {
  return bytes.readUInt16LE(0);
}

/** The part of a row that covers the days from `fromDay` to `toDay`: the touch in force on `fromDay` and those after. */
export function touchesBetween(bytes: Buffer, fromDay: number, toDay: number): Buffer {
  let begin = 0;
  let at = 0;
  while (at < bytes.length) {
    const day = bytes.readUInt16LE(at);
    if (day > toDay) break;
    if (day <= fromDay) begin = at;
    at += HEADER_BYTES + GRADE_BYTES * bytes[at + 2]!;
  }
  return bytes.subarray(begin, at);
}

/** Appends the touches of a row to each grade's list. */
export function decodeTouches(bytes: Buffer, into: Map<number, Touch[]>): void {
  const read = byteReader(bytes);
  while (!read.done()) {
    const day = read.u16();
    const grades = read.u8();
    const cardLevel = read.f64();
    const cardVariance = read.f32();
    for (let left = grades; left > 0; left--) {
      const grade = read.u8();
      const ownSales = read.u8();
      const lastDay = read.u16();
      const level = read.f64();
      const touch: Touch = {
        day,
        cardLevel,
        cardVariance,
        level: Number.isNaN(level) ? null : level,
        covariance: read.f32(),
        deviationVariance: read.f32(),
        ownSales,
        lastDay,
      };
      const list = into.get(grade);
      if (list === undefined) into.set(grade, [touch]);
      else list.push(touch);
    }
    endAbsent(into, day);
  }
}

/** A grade that a void took from its card is believed to be worth anything from then on: it has no price. */
function endAbsent(into: Map<number, Touch[]>, day: number): void {
  for (const list of into.values()) {
    const last = list.at(-1)!;
    if (last.day < day) list.push({ ...last, day, level: null, cardVariance: Number.POSITIVE_INFINITY, ownSales: 0 });
  }
}
