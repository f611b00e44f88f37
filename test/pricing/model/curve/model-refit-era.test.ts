import { expect, test } from 'vitest';
import { setOf } from '../../../../src/pricing/model/model.ts';
import { newWorld, type ReportedSale } from '../../world.ts';

const PREMIUM: Record<string, number> = { new1: 5, new2: 5, new3: 5, old1: 2, old2: 2, old3: 2 };
/** Day 0 is 1970-01-01. */
const yearOf = (set: string) => (set.startsWith('new') ? 1969 : set.startsWith('old') ? 1955 : null);
const sale = (set: string, at: number, grade: string, usd: number, day: number): ReportedSale => {
  return { card: `${set} ${at}`, set, setYear: yearOf(set), grade, usd, day };
};

test('a set that sold in one grade has what sets of its age add to another; one of unknown age has nothing', () => {
  const world = newWorld();
  for (let day = 0; day < 10; day++) {
    const sales = Object.entries(PREMIUM).flatMap(([set, premium]) =>
      [0, 1, 2, 3, 4].flatMap((at) => [
        sale(set, at, 'psa-9', 20 + at, day),
        sale(set, at, 'psa-10', premium * (20 + at), day),
      ]),
    );
    world.close(day, [...sales, ...['new4', 'old4', 'undated'].map((set) => sale(set, 0, 'psa-9', 22, day))]);
  }
  world.refit();
  const ten = world.model.gradeIndex.get('psa-10')!;
  const deltaOf = (set: string) => setOf(world.model, 'pokemon', `pokemon/${set}`).deltas[ten];
  expect(deltaOf('new4')).toBeGreaterThan(0.05);
  expect(deltaOf('old4')).toBeLessThan(-0.05);
  expect(deltaOf('undated')).toBeUndefined();
  // Own sales count for more than those of other sets.
  expect(deltaOf('new1')).toBeGreaterThan(deltaOf('new4')!);
  const price = (set: string) => world.quote(`${set} 0`, 'psa-10')!.mean;
  expect(price('new4')).toBeGreaterThan(price('undated') + 0.05);
  expect(price('old4')).toBeLessThan(price('undated') - 0.05);
});
