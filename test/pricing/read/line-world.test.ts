import { expect, test } from 'vitest';
import { type Curve, extendCurve, newCurve, termsOf } from '../../../src/pricing/model/curve/curve.ts';
import { lineWorld, type Published, type SetDeltas } from '../../../src/pricing/read/published.ts';

const prior = curveAt(0);
const curves = [curveAt(1), curveAt(2), curveAt(3)].map((curve, at) => ({ day: [10, 40, 70][at]!, curve }));
const deltas: SetDeltas = [20, 40, 55].map((day, at) => ({ day, deltas: [0.1 * (at + 1)] }));

function curveAt(meanLevel: number): Curve {
  const curve = { ...newCurve(), meanLevel };
  extendCurve(curve, ['psa-10']);
  curve.beta = [0.5];
  curve.square = [0.1];
  return curve;
}

test('terms are those of the curve and of the deltas in force on a day, in whatever order days and cards come', () => {
  const published = {
    model: { games: new Map() },
    curves: new Map([['pokemon', curves]]),
    prior,
    firstDay: 0,
    widths: [],
  } as unknown as Published;
  const days = [0, 9, 10, 19, 20, 39, 40, 54, 55, 69, 70, 1000];
  const world = lineWorld(published, 'pokemon', deltas, 0);
  for (const order of [days, days.toReversed(), [...days, ...days].sort((a, b) => (a % 7) - (b % 7))])
    for (const [n, day] of order.entries()) {
      const level = n % 3;
      const curve = curves.findLast((one) => one.day <= day)?.curve ?? prior;
      const ofSet = deltas.findLast((one) => one.day <= day)?.deltas ?? [];
      expect(world.termsOn(day, level), `day ${day}`).toEqual(termsOf(curve, ofSet, 0, level));
      expect(world.termsOn(day, level), `day ${day} again`).toEqual(termsOf(curve, ofSet, 0, level));
    }
  // Day after day at one level, as a line asks.
  for (let day = 0; day < 100; day++) {
    const curve = curves.findLast((one) => one.day <= day)?.curve ?? prior;
    const ofSet = deltas.findLast((one) => one.day <= day)?.deltas ?? [];
    expect(world.termsOn(day, 2), `day ${day}`).toEqual(termsOf(curve, ofSet, 0, 2));
  }
});
