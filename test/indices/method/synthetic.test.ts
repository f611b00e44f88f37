import { describe, expect, test } from 'vitest';
import { isRotationDay } from '../../../src/indices/method/basket.ts';
import { INDEX_RULES } from '../../../src/indices/method/rules.ts';
import { syntheticMarket } from '../../pricing/model/synthetic-market.ts';
import { closeIndex, closeModel, type Index, newIndex, newWorld, quoteIn, type ReportedSale } from '../world.ts';

const GAME = 'pokemon';
const DAYS = 200;
/** Day 0 of the market is a first of January. */
const EPOCH_DAY = 19_723;
const sales: ReportedSale[][] = Array.from({ length: DAYS }, () => []);
syntheticMarket({ seed: 11, days: DAYS, cards: 240, sales: 30_000 }).forEach((sale, id) => {
  if (sale.game !== GAME) return;
  const { day, card, set, game, gradeKey, venue, priceUsdCents } = sale;
  sales[day]!.push({ id, card: `${card}`, set: `${game}/${set}`, game, gradeKey, venue, source: 'one', priceUsdCents });
});

/** The index of the market's first game through the real price model, with more sales put in. */
function drive(index: Index, more: (day: number, priceUsd: number) => ReportedSale[] = () => []): Index {
  const world = newWorld();
  for (let day = 0; day < DAYS; day++) {
    const [first] = index.members;
    const target = first ?? { itemId: '0', gradeKey: 'psa-10' };
    const extra = day === 0 ? [] : more(day, quoteIn(world, target.itemId, target.gradeKey).priceUsd ?? 0);
    const made = extra.map((sale) => ({ ...sale, card: target.itemId, gradeKey: target.gradeKey }));
    closeModel(world, day, [...sales[day]!, ...made]);
    closeIndex(index, world, day, isRotationDay(EPOCH_DAY + day));
  }
  return index;
}

function wash(day: number, priceUsd: number): ReportedSale {
  const priceUsdCents = Math.round(priceUsd * 100);
  return {
    id: 1e9 + day,
    card: '',
    set: `${GAME}/0`,
    game: GAME,
    gradeKey: '',
    venue: 'auction',
    source: 'one',
    priceUsdCents,
  };
}

describe('an index of a synthetic market through the real price model', () => {
  const index = drive(newIndex(GAME));

  test('begins at exactly 10000 and goes on every day', () => {
    expect(index.levels[0]!.level).toBe(10_000);
    expect(index.levels.map(({ day }) => day)).toEqual(index.levels.map((_, i) => index.levels[0]!.day + i));
    expect(index.rotations.length).toBeGreaterThanOrEqual(3);
  });

  test('no rotation moves it, to 1e-12', () => {
    for (const { levelBefore, levelAfter } of index.rotations.slice(1)) {
      expect(Math.abs(levelAfter / levelBefore! - 1)).toBeLessThanOrEqual(1e-12);
    }
  });

  test('all prices times a hundred leave it unchanged, to 1e-12', () => {
    const rules = { ...INDEX_RULES, minPriceUsd: INDEX_RULES.minPriceUsd * 100 };
    const scaled = drive(newIndex(GAME, rules, 100));
    index.levels.forEach(({ level }, i) => {
      expect(Math.abs(scaled.levels[i]!.level / level - 1)).toBeLessThanOrEqual(1e-12);
    });
  });

  test.each([
    ['one wash sale', [154]],
    ['two that agree, of one source', [154, 155]],
  ])('%s at a hundred times the price does not move it by .5%%', (_, days) => {
    const washed = drive(newIndex(GAME), (day, priceUsd) => (days.includes(day) ? [wash(day, 100 * priceUsd)] : []));
    index.levels.forEach(({ day, level }, i) => {
      if (day <= 162) expect(Math.abs(Math.log(washed.levels[i]!.level / level))).toBeLessThanOrEqual(0.005);
    });
  });
});
