import { expect, test } from 'vitest';
import { gameOf, gradeIndexOf } from '../../../src/pricing/model/model.ts';
import { newWorld, type ReportedSale } from '../world.ts';

/** A card's first day, in three grades, and its second. */
const first: ReportedSale[] = [
  { card: 'new', grade: 'psa-10', day: 0, usd: 300 },
  { card: 'new', grade: 'psa-9', day: 0, usd: 150 },
  { card: 'new', grade: 'raw-A', day: 0, usd: 20 },
];
const second: ReportedSale[] = first.map((sale) => ({ ...sale, day: 1, usd: sale.usd * 1.2 }));

test('the first day of a card does not say how noisy its sales are, in whatever grades it sold', () => {
  const world = newWorld();
  const counts = () => [world.cards.get('new')!.noiseCount, gameOf(world.model, 'pokemon').noise.count];
  world.close(0, first);
  expect(counts()).toEqual([0, 0]);
  world.close(1, second);
  expect(counts()).toEqual([3, 3]);
});

test('the order in which the model first met the grades changes no price, to the last bit', () => {
  const [forward, backward] = [first, first.toReversed()].map((listed) => {
    const world = newWorld();
    for (const { grade } of listed) gradeIndexOf(world.model, grade!);
    world.close(0, first);
    world.close(1, second);
    return { world, quotes: first.map(({ card, grade }) => world.quote(card, grade!)) };
  });
  expect(forward!.world.model.gradeKeys).not.toEqual(backward!.world.model.gradeKeys);
  expect(backward!.quotes).toEqual(forward!.quotes);
});
