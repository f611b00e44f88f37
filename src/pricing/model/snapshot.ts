import { type CardState, gradeOfCard, volatilityOf } from './card.ts';
import { noiseRatio } from './noise.ts';
import { noisePrior, type Params } from './params.ts';
import type { Snapshot } from './quote.ts';

/**
 * The snapshot of a grade of a card (quote.ts). Variances are rounded to single precision, as histories keep
 * them, so that a quote and the last point of its daily line are the same number.
 */
export function snapshotOf(card: CardState, grade: number, params: Params): Snapshot {
  const own = gradeOfCard(card, grade);
  const slot = own?.slot ?? 0;
  const volatility = volatilityOf(card, params);
  return {
    day: card.day,
    cardLevel: card.x[0]!,
    cardVariance: Math.fround(card.P[0]!),
    level: slot > 0 ? card.x[slot]! : null,
    covariance: slot > 0 ? Math.fround(card.P[slot]!) : 0,
    deviationVariance: slot > 0 ? Math.fround(card.P[slot * card.size + slot]!) : 0,
    levelPerDay: Math.fround(volatility * params.levelVariancePerDay),
    deviationPerDay: Math.fround(volatility * params.gradeVariancePerDay),
    ownSales: own?.sales ?? 0,
    lastDay: own?.lastDay ?? card.day,
    saleVariance: Math.fround(noiseRatio(card, card.game, grade, params) * params.saleVariance),
    before: slot > 0 && own?.before ? { ...own.before, variance: Math.fround(own.before.variance) } : null,
  };
}

/** The snapshot of a grade without a sale of its own, from that of another grade: on the curve, as noisy as that suggests. */
export function onCurve(snapshot: Snapshot, otherKey: string, gradeKey: string): Snapshot {
  const noise = noisePrior(gradeKey) / noisePrior(otherKey);
  return {
    ...snapshot,
    level: null,
    ownSales: 0,
    saleVariance: snapshot.saleVariance && snapshot.saleVariance * noise,
    before: null,
  };
}
