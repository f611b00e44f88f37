import { type ByteReader, byteReader, byteWriter } from '../../lib/bytes.ts';
import type { BeforeMove, CardGrade, CardState, PendingMove } from '../model/card.ts';
import type { CurveEvidence } from '../model/curve/refit.ts';
import type { GameState, SetState } from '../model/model.ts';
import { VENUE_CLASSES } from '../model/params.ts';
import { forgetOld, SOURCES } from '../model/recent.ts';

/**
 * A card's state as it is stored, lossless:
 *   u8 layout, i32 day, i32 sales, i32 noiseCount, f64 noiseSum, i32 pairCount, f64 pairSum
 *   u16 grades, then each: u16 grade, u8 slot, i32 sales, i32 lastDay, f64 lastSoldAtMs, f64 weight, f64 weightedPrice,
 *     f64 surprise (NaN: none), f64 lastPrice, u8 lastVenue, u8 lastOutlier,
 *     u8 pending (0: none, else 1 + reports), then: i32 day, u8 side, f64 price, each report: u16 sold day, u16 source
 *     u8 before (0: none), then: f64 level, f64 variance, i32 sales, i32 lastDay
 *     i32 recent, then each: u16 sold day, u16 source
 *   u8 size, f64 x … , f64 lower triangle of P row by row
 */
const LAYOUT = 3;
/** Bytes before the number of grades. */
const HEADER = 33;
const writer = byteWriter();

export function encodeCard(card: CardState): Buffer {
  writer.u8(LAYOUT);
  writer.i32(card.day);
  writer.i32(card.sales);
  writer.i32(card.noiseCount);
  writer.f64(card.noiseSum);
  writer.i32(card.pairCount);
  writer.f64(card.pairSum);
  writer.u16(card.grades.length);
  for (const own of card.grades) {
    forgetOld(own.recent, card.day);
    encodeGrade(own);
  }
  writer.u8(card.size);
  for (const value of card.x) writer.f64(value);
  for (let i = 0; i < card.size; i++) for (let j = 0; j <= i; j++) writer.f64(card.P[i * card.size + j]!);
  return writer.take();
}

function encodeGrade(own: CardGrade): void {
  writer.u16(own.grade);
  writer.u8(own.slot);
  writer.i32(own.sales);
  writer.i32(own.lastDay);
  writer.f64(own.lastSoldAtMs);
  writer.f64(own.weight);
  writer.f64(own.weightedPrice);
  writer.f64(own.surprise ?? Number.NaN);
  writer.f64(own.lastPrice);
  writer.u8(own.lastVenue === null ? VENUE_CLASSES.length : VENUE_CLASSES.indexOf(own.lastVenue));
  writer.u8(own.lastOutlier ? 1 : 0);
  encodePending(own.pending);
  encodeBefore(own.before);
  writer.i32(own.recent.length);
  for (const one of own.recent) encodeReport(one);
}

function encodePending(pending: PendingMove | null): void {
  writer.u8(pending === null ? 0 : 1 + pending.reports.length);
  if (pending === null) return;
  writer.i32(pending.day);
  writer.u8(pending.side + 1);
  writer.f64(pending.price);
  for (const one of pending.reports) encodeReport(one);
}

function encodeBefore(before: BeforeMove | null): void {
  writer.u8(before === null ? 0 : 1);
  if (before === null) return;
  writer.f64(before.level);
  writer.f64(before.variance);
  writer.i32(before.ownSales);
  writer.i32(before.lastDay);
}

function encodeReport(one: number): void {
  writer.u16(Math.floor(one / SOURCES));
  writer.u16(one % SOURCES);
}

/** A card's grades and counts, without the filter's matrix: enough for a quote. */
export type CardSales = Pick<
  CardState,
  'day' | 'sales' | 'noiseCount' | 'noiseSum' | 'pairCount' | 'pairSum' | 'grades'
>;

/** The card's sales and grades; throws on bytes of another layout. */
export function decodeCardSales(bytes: Buffer): CardSales {
  return decodeSales(byteReader(bytes));
}

/** Bytes of a grade before its weight, after its weighted price, of a pending move without its reports, of `before`, of a report. */
const [BEFORE_WEIGHT, AFTER_PRICE, PENDING, BEFORE, REPORT] = [17, 18, 13, 24, 4];

/** Of a card's grades only what a refit of the curves takes: a tenth of the objects of `decodeCardSales`. Throws as it does. */
export function decodeWeights(bytes: Buffer): CurveEvidence['grades'] {
  if (bytes[0] !== LAYOUT) return decodeCardSales(bytes).grades;
  const read = byteReader(bytes);
  read.skip(HEADER);
  return Array.from({ length: read.u16() }, () => {
    const grade = read.u16();
    read.skip(BEFORE_WEIGHT);
    const own = { grade, weight: read.f64(), weightedPrice: read.f64() };
    read.skip(AFTER_PRICE);
    const pending = read.u8();
    if (pending > 0) read.skip(PENDING + (pending - 1) * REPORT);
    if (read.u8() > 0) read.skip(BEFORE);
    read.skip(read.i32() * REPORT);
    return own;
  });
}

function decodeSales(read: ByteReader): CardSales {
  const layout = read.u8();
  if (layout < 1 || layout > LAYOUT)
    throw new RangeError(`card state of layout ${layout}, this program reads ${LAYOUT}`);
  const card: CardSales = {
    day: read.i32(),
    sales: read.i32(),
    noiseCount: read.i32(),
    noiseSum: read.f64(),
    pairCount: 0,
    pairSum: 0,
    grades: [],
  };
  if (layout === LAYOUT) {
    card.pairCount = read.i32();
    card.pairSum = read.f64();
  } else {
    // Earlier layouts counted squares of another scale.
    card.noiseCount = 0;
    card.noiseSum = 0;
  }
  for (let left = read.u16(); left > 0; left--) card.grades.push(decodeGrade(read, layout));
  return card;
}

function decodeGrade(read: ByteReader, layout: number): CardGrade {
  const own: CardGrade = {
    grade: read.u16(),
    slot: read.u8(),
    sales: read.i32(),
    lastDay: read.i32(),
    lastSoldAtMs: read.f64(),
    weight: read.f64(),
    weightedPrice: read.f64(),
    surprise: layout === LAYOUT ? orNull(read.f64()) : null,
    lastPrice: read.f64(),
    lastVenue: VENUE_CLASSES[read.u8()] ?? null,
    lastOutlier: read.u8() === 1,
    pending: decodePending(read, layout),
    before: layout === LAYOUT ? decodeBefore(read) : null,
    recent: [],
  };
  for (let left = read.i32(); left > 0; left--) own.recent.push(decodeReport(read));
  return own;
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** Layout 1 always stored an outlier, without its reports: it is dropped. Layout 2 stored a count of reports, 0 for none. */
function decodePending(read: ByteReader, layout: number): PendingMove | null {
  const stored = layout === 1 ? 1 : read.u8();
  if (stored === 0) return null;
  const pending: PendingMove = { day: read.i32(), side: read.u8() - 1, price: read.f64(), reports: [] };
  if (layout === 1) return null;
  for (let left = layout === LAYOUT ? stored - 1 : stored; left > 0; left--) pending.reports.push(decodeReport(read));
  return pending;
}

function decodeBefore(read: ByteReader): BeforeMove | null {
  if (read.u8() === 0) return null;
  return { level: read.f64(), variance: read.f64(), ownSales: read.i32(), lastDay: read.i32() };
}

function decodeReport(read: ByteReader): number {
  return read.u16() * SOURCES + read.u16();
}

/** The whole card, in its game and set. */
export function decodeCard(id: string, bytes: Buffer, game: GameState, set: SetState): CardState {
  const read = byteReader(bytes);
  const sales = decodeSales(read);
  const size = read.u8();
  const x = Float64Array.from({ length: size }, () => read.f64());
  const P = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      P[i * size + j] = read.f64();
      P[j * size + i] = P[i * size + j]!;
    }
  }
  return { id, game, set, size, x, P, updates: [], ...sales };
}
