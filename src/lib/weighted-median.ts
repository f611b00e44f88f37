/** Medians of values whose owners count several times or not at all: sorted once, walked for each set of weights. */

/** Values in ascending order; `owners[i]` is the number of the owner of `sorted[i]`. */
export type OwnedValues = { sorted: Float64Array; owners: Uint32Array };

export function ownedValues(values: Float64Array, owner: Uint32Array): OwnedValues {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  return { sorted: Float64Array.from(order, (i) => values[i]!), owners: Uint32Array.from(order, (i) => owner[i]!) };
}

/**
 * The median when each value counts `times[owner]` times; the mean of the two middle ones for an even `weight`, which is
 * the sum of `times` over the values and above 0.
 */
export function weightedMedian({ sorted, owners }: OwnedValues, times: Uint32Array, weight: number): number {
  let counted = 0;
  let lower = Number.NaN;
  for (let i = 0; i < sorted.length; i++) {
    const before = counted;
    counted += times[owners[i]!]!;
    if (2 * counted < weight) continue;
    if (2 * before < weight) lower = sorted[i]!;
    if (2 * counted > weight) return (lower + sorted[i]!) / 2;
  }
  throw new RangeError('the weight exceeds that of the values');
}
