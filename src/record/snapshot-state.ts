import type { ByteReader, ByteWriter } from '../lib/bytes.ts';
import { type CardState, volatilityOf } from '../pricing/model/card.ts';
import { noiseRatio } from '../pricing/model/noise.ts';
import type { Params } from '../pricing/model/params.ts';
import type { Snapshot } from '../pricing/model/quote.ts';

/**
 * The snapshots of a card's grades after a day, as the database and the record have them: f64 a, f32 P_aa, f32 variance that a
 * gains in a day, f32 that b gains in addition, then each grade: u8 its number (and 128 where `before` follows), u8 own sales
 * (255 for more), u16 lastDay, f64 level (NaN on the curve), f32 P_ab, f32 P_bb, f32 variance of a sale, and `before`: f64 level,
 * f32 variance, u8 own sales (255 for more), u16 lastDay.
 */
const COUNT_MAX = 255;
const WITH_BEFORE = 128;

/** Bytes of a state without grades, of a grade, and of its `before`; and of what `ratesOfCard` stands in for. */
const STATE_BYTES = 20;
const GRADE_BYTES = 24;
const BEFORE_BYTES = 15;
const RATES_BYTES = 8;
const SALE_VARIANCE_BYTES = 4;

/**
 * Writes the state of a card that has a grade: what `snapshotOf` has of each, without an object for it. A close writes one for each
 * card that sold: its numbers are set in memory that is reserved for all of them. Throws RangeError for a grade beyond 127.
 */
export function writeState(writer: ByteWriter, card: CardState, params: Params): void {
  const { x, P, size, game, grades } = card;
  let bytes = STATE_BYTES + GRADE_BYTES * grades.length;
  for (const { before, slot } of grades) if (before !== null && slot > 0) bytes += BEFORE_BYTES;
  let at = writer.skip(bytes);
  const view = writer.memory();
  const volatility = volatilityOf(card, params);
  view.setFloat64(at, x[0]!, true);
  view.setFloat32(at + 8, P[0]!, true);
  view.setFloat32(at + 12, volatility * params.levelVariancePerDay, true);
  view.setFloat32(at + 16, volatility * params.gradeVariancePerDay, true);
  at += STATE_BYTES;
  for (const { grade, slot, sales, lastDay, before } of grades) {
    if (grade >= WITH_BEFORE) throw new RangeError(`${grade} is not the number of a grade`);
    const isOnCurve = slot === 0;
    const hasBefore = before !== null && !isOnCurve;
    view.setUint8(at, hasBefore ? grade + WITH_BEFORE : grade);
    view.setUint8(at + 1, Math.min(COUNT_MAX, sales));
    view.setUint16(at + 2, lastDay, true);
    view.setFloat64(at + 4, isOnCurve ? Number.NaN : x[slot]!, true);
    view.setFloat32(at + 12, isOnCurve ? 0 : P[slot]!, true);
    view.setFloat32(at + 16, isOnCurve ? 0 : P[slot * size + slot]!, true);
    view.setFloat32(at + 20, noiseRatio(card, game, grade, params) * params.saleVariance, true);
    at += GRADE_BYTES;
    if (!hasBefore) continue;
    view.setFloat64(at, before.level, true);
    view.setFloat32(at + 8, before.variance, true);
    view.setUint8(at + 12, Math.min(COUNT_MAX, before.ownSales));
    view.setUint16(at + 13, before.lastDay, true);
    at += BEFORE_BYTES;
  }
}

/** The rates of a card whose bytes have none, nor the variance of a sale. */
type Rates = Pick<Snapshot, 'levelPerDay' | 'deviationPerDay'>;

/** Reads the state of a card with so many grades after `day`, in their order. */
export function readState(
  read: ByteReader,
  day: number,
  grades: number,
  ratesOfCard: Rates | null = null,
): [grade: number, snapshot: Snapshot][] {
  const cardLevel = read.f64();
  const cardVariance = read.f32();
  const { levelPerDay, deviationPerDay } = ratesOfCard ?? { levelPerDay: read.f32(), deviationPerDay: read.f32() };
  return Array.from({ length: grades }, (): [number, Snapshot] => {
    const flagged = read.u8();
    const ownSales = read.u8();
    const lastDay = read.u16();
    const level = read.f64();
    const snapshot = {
      day,
      cardLevel,
      cardVariance,
      levelPerDay,
      deviationPerDay,
      level: Number.isNaN(level) ? null : level,
      covariance: read.f32(),
      deviationVariance: read.f32(),
      ownSales,
      lastDay,
      saleVariance: ratesOfCard === null ? read.f32() : null,
      before:
        flagged < WITH_BEFORE
          ? null
          : { level: read.f64(), variance: read.f32(), ownSales: read.u8(), lastDay: read.u16() },
    };
    return [flagged % WITH_BEFORE, snapshot];
  });
}

/** Passes over the state of a card with so many grades. `hasRates`: as `readState` without `ratesOfCard`. */
export function skipState(read: ByteReader, grades: number, hasRates: boolean): void {
  read.skip(hasRates ? STATE_BYTES : STATE_BYTES - RATES_BYTES);
  const bytes = hasRates ? GRADE_BYTES : GRADE_BYTES - SALE_VARIANCE_BYTES;
  for (let left = grades; left > 0; left--) {
    const flagged = read.u8();
    read.skip(flagged < WITH_BEFORE ? bytes - 1 : bytes - 1 + BEFORE_BYTES);
  }
}
