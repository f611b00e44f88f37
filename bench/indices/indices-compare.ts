/** How a level follows a truth, both in logs; and the hindsight benchmark of the index benches. */
import { mean } from '../../src/lib/stats.ts';
import type { ReportedSale } from '../../test/indices/world.ts';

export type Fit = { correlation: number; correlation30: number; rmse: number; end: number };

/** `rmse` and `end` in logs, both lines set to agree on the first day. */
export function fitOf(levels: readonly number[], truth: readonly number[]): Fit {
  const off = levels.map((level, i) => level - truth[i]! - (levels[0]! - truth[0]!));
  const moves = (line: readonly number[]) => line.flatMap((v, i) => (i % 30 === 0 && i > 0 ? [v - line[i - 30]!] : []));
  return {
    correlation: correlation(levels, truth),
    correlation30: correlation(moves(levels), moves(truth)),
    rmse: Math.sqrt(mean(off.map((value) => value * value))),
    end: off.at(-1)!,
  };
}

function correlation(xs: readonly number[], ys: readonly number[]): number {
  const [mx, my] = [mean(xs), mean(ys)];
  let [xy, xx, yy] = [0, 0, 0];
  xs.forEach((x, i) => {
    xy += (x - mx) * (ys[i]! - my);
    xx += (x - mx) ** 2;
    yy += (ys[i]! - my) ** 2;
  });
  return xy / Math.sqrt(xx * yy);
}

/**
 * Monthly repeat-sales regression with hindsight (Case & Shiller: two stages, pairs weighted by an error variance that grows
 * with the gap). `monthOf` maps days to months. Returns the log level of each month; pairs over four times apart are left out.
 */
export function repeatSales(days: readonly ReportedSale[][], game: string, monthOf: readonly number[]): Float64Array {
  const last = new Map<string, { day: number; log: number }>();
  const pairs: { from: number; to: number; move: number; gap: number }[] = [];
  days.forEach((sales, day) => {
    for (const sale of sales) {
      if (sale.game !== game) continue;
      const key = `${sale.card}/${sale.gradeKey}`;
      const before = last.get(key);
      const log = Math.log(sale.priceUsdCents);
      last.set(key, { day, log });
      if (before === undefined || monthOf[before.day] === monthOf[day]) continue;
      const move = log - before.log;
      if (Math.abs(move) < Math.log(4))
        pairs.push({ from: monthOf[before.day]!, to: monthOf[day]!, move, gap: day - before.day });
    }
  });
  const months = monthOf.at(-1)! + 1;
  const levels = regress(pairs, () => 1, months);
  const squares = pairs.map(({ from, to, move }) => (move - levels[to]! + levels[from]!) ** 2);
  const gaps = pairs.map(({ gap }) => gap);
  const [gapMean, squareMean] = [mean(gaps), mean(squares)];
  const slope =
    mean(gaps.map((gap, i) => (gap - gapMean) * (squares[i]! - squareMean))) /
    mean(gaps.map((gap) => (gap - gapMean) ** 2));
  return regress(pairs, (i) => 1 / Math.max(0.005, squareMean + slope * (gaps[i]! - gapMean)), months);
}

function regress(
  pairs: readonly { from: number; to: number; move: number }[],
  weightOf: (i: number) => number,
  months: number,
): Float64Array {
  const matrix = Array.from({ length: months }, () => new Float64Array(months + 1));
  pairs.forEach(({ from, to, move }, i) => {
    const weight = weightOf(i);
    matrix[from]![from]! += weight;
    matrix[to]![to]! += weight;
    matrix[from]![to]! -= weight;
    matrix[to]![from]! -= weight;
    matrix[to]![months]! += weight * move;
    matrix[from]![months]! -= weight * move;
  });
  // Levels are free up to a constant: a trace on the diagonal fixes it.
  matrix.forEach((row, i) => {
    row[i]! += 1e-6;
  });
  return solve(matrix, months);
}

/** Gauss elimination; symmetric and positive, so no pivoting. */
function solve(matrix: Float64Array[], n: number): Float64Array {
  for (let i = 0; i < n; i++) {
    for (let r = i + 1; r < n; r++) {
      const factor = matrix[r]![i]! / matrix[i]![i]!;
      if (factor !== 0) for (let c = i; c <= n; c++) matrix[r]![c]! -= factor * matrix[i]![c]!;
    }
  }
  const x = new Float64Array(n);
  for (let i = n - 1; i >= 0; i--) {
    let rest = matrix[i]![n]!;
    for (let c = i + 1; c < n; c++) rest -= matrix[i]![c]! * x[c]!;
    x[i] = rest / matrix[i]![i]!;
  }
  return x;
}
