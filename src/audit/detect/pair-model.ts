import { type GameBook, offsetOf, type PriceCell } from '../game-book.ts';

/** Degrees of freedom of Student's t of all prices of two printings together. */
const FREEDOM = 60;
/** The level of a card may be anything. */
const LEVEL_VARIANCE = 4;

/** Two printings of a card: how far the first is usually above the other, and the variance between cards. */
export type PairOfPrintings = {
  one: readonly PriceCell[];
  other: readonly PriceCell[];
  centre: number;
  variance: number;
};

/**
 * The log likelihood ratio of all prices of two printings, with the sales of `source` (null: of every source) exchanged against as they
 * are recorded. A log price is the level of the card, what is usual of the printing, grade and source, and in turn what is
 * particular to the printing, to its grade, and to the source on it, and the noise of sales.
 */
export function swapRatio(book: GameBook, { one, other, centre, variance }: PairOfPrintings, source: string | null) {
  const recorded = [...one.map((cell) => ({ cell, isOne: true })), ...other.map((cell) => ({ cell, isOne: false }))];
  const density = (isOneOf: (place: (typeof recorded)[number]) => boolean) => {
    const places = recorded.map((place) => ({ cell: place.cell, isOne: isOneOf(place) }));
    const values = places.map(
      ({ cell, isOne }) =>
        cell.logPrice -
        (isOne ? centre : 0) -
        offsetOf(book, cell.gradeKey).offset -
        (book.sources.factors.get(cell.source) ?? 0),
    );
    return logDensityOf(values, (a, b) => {
      const [p, q] = [places[a]!, places[b]!];
      let sum = LEVEL_VARIANCE;
      if (a === b) sum += noiseOf(book, p.cell);
      if (p.isOne !== q.isOne) return sum;
      sum += variance / 2;
      if (p.cell.gradeKey === q.cell.gradeKey) sum += offsetOf(book, p.cell.gradeKey).ownVariance;
      return p.cell.source === q.cell.source ? sum + book.sources.variance : sum;
    });
  };
  return (
    density(({ cell, isOne }) => (source === null || cell.source === source ? !isOne : isOne)) -
    density(({ isOne }) => isOne)
  );
}

/** Of the median of sales. */
function noiseOf({ saleVariance, floorVariance }: GameBook, { sales }: PriceCell): number {
  return (sales < 3 ? saleVariance : MEDIAN_LOSS * saleVariance) / sales + floorVariance;
}
const MEDIAN_LOSS = 1.35;

/** The logarithm of the density of Student's t in several dimensions about 0, without its constant term. */
function logDensityOf(values: readonly number[], covarianceOf: (a: number, b: number) => number): number {
  const size = values.length;
  // The lower triangle of the Cholesky factor; values are solved on the way.
  const factor = new Float64Array(size * size);
  const solved = new Float64Array(size);
  let [squares, logRoot] = [0, 0];
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = covarianceOf(a, b);
      for (let k = 0; k < b; k++) sum -= factor[a * size + k]! * factor[b * size + k]!;
      factor[a * size + b] = a === b ? Math.sqrt(sum) : sum / factor[b * size + b]!;
    }
    let value = values[a]!;
    for (let k = 0; k < a; k++) value -= factor[a * size + k]! * solved[k]!;
    solved[a] = value / factor[a * size + a]!;
    squares += solved[a]! ** 2;
    logRoot += Math.log(factor[a * size + a]!);
  }
  return -0.5 * (FREEDOM + size) * Math.log1p(squares / FREEDOM) - logRoot;
}
