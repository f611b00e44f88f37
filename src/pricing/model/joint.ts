import type { Params } from './params.ts';

/** A sale as the filter sees it: its detrended log price y - s_v - m, and the variance of its noise. */
export type SeenSale = { price: number; noise: number; soldDay: number; source: number };

/** The sales of a series on one day as one observation. */
export type Joint = {
  /** Their mean, weighted, and its noise. */
  price: number;
  noise: number;
  /** Student-t weight of each, in their order, and of all: that of a single sale is its own. */
  weights: number[];
  weight: number;
  /** Their shares in the mean. */
  shares: number[];
};

/** Section 2 step 4: the robust mean of a day's sales; weights are from the level and variance at day open. */
export function jointOf(sales: readonly SeenSale[], level: number, variance: number, params: Params): Joint {
  const weights = sales.map(({ price, noise }) => {
    const residual = price - level;
    return Math.min(1, (params.nu + 1) / (params.nu + (residual * residual) / (variance + noise)));
  });
  return weighted(sales, weights);
}

/** The same sales, all believed. */
export function believed(sales: readonly SeenSale[]): Joint {
  return weighted(
    sales,
    sales.map(() => 1),
  );
}

function weighted(sales: readonly SeenSale[], weights: number[]): Joint {
  let [precision, prices, sum, squares] = [0, 0, 0, 0];
  for (const [i, { price, noise }] of sales.entries()) {
    const weight = weights[i]!;
    precision += weight / noise;
    prices += (weight / noise) * price;
    sum += weight;
    squares += weight * weight;
  }
  const shares = sales.map(({ noise }, i) => weights[i]! / noise / precision);
  return { price: prices / precision, noise: 1 / precision, weights, weight: squares / sum, shares };
}
