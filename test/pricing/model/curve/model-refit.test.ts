import { expect, test } from 'vitest';
import { setOf } from '../../../../src/pricing/model/model.ts';
import { newWorld } from '../../world.ts';

test('what a set adds is a number for each grade up to the last that its cards sold in', () => {
  const world = newWorld();
  for (let day = 0; day < 10; day++) {
    const sales = ['a', 'b', 'c'].flatMap((card, at) => [
      { card, day, usd: 40 + 20 * at },
      { card, day, usd: 15 + 5 * at, grade: 'psa-9' },
      { card, day, usd: 9 + 5 * at, grade: 'raw-A' },
    ]);
    world.close(day, sales);
  }
  world.refit();
  const { deltas } = setOf(world.model, 'pokemon', 'pokemon/s1');
  // The second, PSA 9, is the grade that all others are measured from.
  expect(deltas).toEqual([expect.any(Number), 0, expect.any(Number)]);
});
