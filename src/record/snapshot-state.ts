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

/** Writes the state of a card that has a grade: what `snapshotOf` has of each, without an object for it. */
export function writeState(writer: ByteWriter, card: CardState, params: Params): void {
  const { x, P, size, game } = card;
  const volatility = volatilityOf(card, params);
  writer.f64(x[0]!);
  writer.f32(P[0]!);
  writer.f32(volatility * params.levelVariancePerDay);
  writer.f32(volatility * params.gradeVariancePerDay);
  for (const { grade, slot, sales, lastDay, before } of card.grades) {
    const isOnCurve = slot === 0;
    const hasBefore = before !== null && !isOnCurve;
    writer.u8(hasBefore ? grade + WITH_BEFORE : grade);
    writer.u8(Math.min(COUNT_MAX, sales));
    writer.u16(lastDay);
    writer.f64(isOnCurve ? Number.NaN : x[slot]!);
    writer.f32(isOnCurve ? 0 : P[slot]!);
    writer.f32(isOnCurve ? 0 : P[slot * size + slot]!);
    writer.f32(noiseRatio(card, game, grade, params) * params.saleVariance);
    if (!hasBefore) continue;
    writer.f64(before.level);
    writer.f32(before.variance);
    writer.u8(Math.min(COUNT_MAX, before.ownSales));
    writer.u16(before.lastDay);
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
  const rates = ratesOfCard ?? { levelPerDay: read.f32(), deviationPerDay: read.f32() };
  return Array.from({ length: grades }, (): [number, Snapshot] => {
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
      saleVariance: ratesOfCard === null ? read.f32() : null,
      before:
        flagged < WITH_BEFORE
          ? null
          : { level: read.f64(), variance: read.f32(), ownSales: read.u8(), lastDay: read.u16() },
    };
    return [flagged % WITH_BEFORE, snapshot];
  });
}
