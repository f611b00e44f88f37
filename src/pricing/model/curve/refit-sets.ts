import { parseDay } from '../../../lib/day.ts';
import type { PriceModel, SetState } from '../model.ts';
import { REFERENCE_GRADE } from '../params.ts';
import { type Curve, gradeEffect } from './curve.ts';
import type { CurveRows } from './refit.ts';

/** Ages of a set in years at which the next era begins: 0 to 1, 1 to 3, 3 to 8, 8 to 20, older. */
const ERA_BEGINS = [1, 3, 8, 20] as const;

/**
 * Number of the era of a set on a day, from the year it was released in, of which the middle is taken; null when the year is
 * not known, or before the first close.
 */
export function eraOf(year: number | null, day: number | null): number | null {
  if (year === null || day === null) return null;
  const age = (day - parseDay(`${year}-07-01`)!) / 365.25;
  return ERA_BEGINS.filter((begin) => age >= begin).length;
}

/** Weights of cards, and weighted residuals with the set's own offset put back, by grade. */
type Totals = { weight: Float64Array; sum: Float64Array };

/**
 * Step 4 of a refit: delta of each set by grade = (sum + 15 era) / (weight + 15), where `era` is the mean offset of the sets
 * of its age, each weighted weight / (weight + 15), with three sets of offset 0. A set without sales in a grade has its era's;
 * one of unknown age is shrunk to 0. `sets` = those of the game that ever sold.
 */
export function fitSets(model: PriceModel, sets: readonly SetState[], curve: Curve, rows: CurveRows): void {
  const { setPseudoCards: pseudo, eraPseudoSets } = model.params;
  const reference = model.gradeIndex.get(REFERENCE_GRADE);
  const totals = totalsOf(model, curve, rows);
  const eras = new Map<number, Totals>();
  for (const [{ year }, { weight, sum }] of totals) {
    const era = eraOf(year, model.day);
    if (era === null) continue;
    const ofEra = eras.get(era) ?? newTotals(model);
    eras.set(era, ofEra);
    weight.forEach((total, grade) => {
      ofEra.weight[grade]! += total / (total + pseudo);
      ofEra.sum[grade]! += sum[grade]! / (total + pseudo);
    });
  }
  for (const set of sets) {
    const own = totals.get(set);
    const ofEra = eras.get(eraOf(set.year, model.day) ?? -1);
    for (let grade = 0; grade < model.gradeKeys.length; grade++) {
      const weight = own?.weight[grade] ?? 0;
      const eraWeight = ofEra?.weight[grade] ?? 0;
      if (grade === reference || weight + eraWeight === 0) continue;
      const era = eraWeight === 0 ? 0 : ofEra!.sum[grade]! / (eraWeight + eraPseudoSets);
      setDelta(set, grade, ((own?.sum[grade] ?? 0) + pseudo * era) / (weight + pseudo));
    }
  }
}

function totalsOf(model: PriceModel, curve: Curve, rows: CurveRows): Map<SetState, Totals> {
  const totals = new Map<SetState, Totals>();
  for (let row = 0; row < rows.count; row++) {
    const set = rows.sets[rows.card[row]!]!;
    let ofSet = totals.get(set);
    if (ofSet === undefined) {
      ofSet = newTotals(model);
      totals.set(set, ofSet);
    }
    const grade = rows.grade[row]!;
    const tauSquared = curve.tauSquared[grade]!;
    const offset = rows.rest[row]! + (set.deltas[grade] ?? 0) - gradeEffect(curve, grade, rows.x[row]!);
    const weight = (rows.huber[row]! * tauSquared) / (rows.variance[row]! + tauSquared);
    ofSet.weight[grade]! += weight;
    ofSet.sum[grade]! += weight * offset;
  }
  return totals;
}

function newTotals({ gradeKeys }: PriceModel): Totals {
  return { weight: new Float64Array(gradeKeys.length), sum: new Float64Array(gradeKeys.length) };
}

function setDelta(set: SetState, grade: number, delta: number): void {
  while (set.deltas.length <= grade) set.deltas.push(0);
  set.deltas[grade] = delta;
}
