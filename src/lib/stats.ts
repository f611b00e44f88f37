/** Small statistics, each with its convention stated. */

/** The middle value; the mean of the two middle ones for an even count; NaN for none. The input is not changed. */
export function median(values: readonly number[]): number {
  return medianOfSorted([...values].sort((a, b) => a - b));
}

/** The median of values in ascending order. */
export function medianOfSorted(sorted: ArrayLike<number>): number {
  if (sorted.length === 0) return Number.NaN;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The arithmetic mean; NaN for none. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/**
 * Standard normal distribution function, by Abramowitz & Stegun 26.2.17: absolute error below 7.5e-8.
 */
export function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const density = 0.3989422804014327 * Math.exp((-x * x) / 2);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const upperTail = density * polynomial;
  return x >= 0 ? 1 - upperTail : upperTail;
}
