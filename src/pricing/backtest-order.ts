import { shuffle, uniformOf } from '../lib/seeded.ts';
import type { BacktestSale } from './backtest-sales.ts';

/**
 * The order of a day's sales in a backtest. Files list the sales of a day by price, and the last sale, the moving means
 * and the model learn in order, so each day is shuffled. The order depends on the day and its set of sales only.
 */

/** Puts the sales of `day` into an order that does not depend on the one they came in, in place. */
export function shuffleDay(sales: BacktestSale[], day: number): void {
  shuffle(sales.sort(bySale), uniformOf(`day ${day}`));
}

const FIELDS: readonly ((sale: BacktestSale) => string | number)[] = [
  ({ item }) => item,
  ({ priceUsd }) => priceUsd,
  ({ company }) => company,
  ({ grade }) => grade,
  ({ soldDay, day }) => soldDay ?? day,
  ({ venue }) => venue ?? '',
  ({ source }) => source ?? '',
  ({ game }) => game ?? '',
  ({ set }) => set ?? '',
];

function bySale(a: BacktestSale, b: BacktestSale): number {
  for (const field of FIELDS) {
    const [one, other] = [field(a), field(b)];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
