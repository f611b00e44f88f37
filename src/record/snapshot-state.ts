import type { ByteReader, ByteWriter } from '../lib/bytes.ts';
import { type CardState, volatilityOf } from '../pricing/model/card.ts';
import type { Params } from '../pricing/model/params.ts';
import type { Snapshot } from '../pricing/model/quote.ts';
import { snapshotOf } from '../pricing/model/snapshot.ts';

/**
 * The snapshots of a card's grades after a day, as the database and the record have them: f64 a, f32 P_aa, f32 variance that a
 * gains in a day, f32 that b gains in addition, then each grade: u8 its number (and 128 where `before` follows), u8 own sales
 * (255 for more), u16 lastDay, f64 level (NaN on the curve), f32 P_ab, f32 P_bb, f32 variance of a sale, and `before`: f64 level,
 * f32 variance, u8 own sales (255 for more), u16 lastDay.
 */
const COUNT_MAX = 255;
const WITH_BEFORE = 128;

/** Writes the state of a card that has a grade. */
export function writeState(writer: ByteWriter, card: CardState, params: Params): void {
  const volatility = volatilityOf(card, params);
  for (let i = 0; i < card.grades.length; i++) {
    const { grade } = card.grades[i]!;
    const snapshot = snapshotOf(card, grade, params, volatility);
    if (i === 0) {
      writer.f64(snapshot.cardLevel);
      writer.f32(snapshot.cardVariance);
      writer.f32(snapshot.levelPerDay);
      writer.f32(snapshot.deviationPerDay);
    }
    const { before, ownSales, lastDay, level, covariance, deviationVariance, saleVariance } = snapshot;
    writer.u8(before === null ? grade : grade + WITH_BEFORE);
    writer.u8(Math.min(COUNT_MAX, ownSales));
    writer.u16(lastDay);
    writer.f64(level ?? Number.NaN);
    writer.f32(covariance);
    writer.f32(deviationVariance);
    writer.f32(saleVariance!);
    if (before === null) continue;
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
