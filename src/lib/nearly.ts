/** True when two words differ by one letter at most: another one, one too many or one missing. */
export function isNearly(a: string, b: string): boolean {
  return Math.abs(a.length - b.length) <= 1 && editDistance(a, b) <= 1;
}

/**
 * How many letters must be replaced, added or left out to make one word of the other; with `swaps`, two swapped
 * neighbors count once (optimal string alignment).
 */
export function editDistance(a: string, b: string, { swaps = false } = {}): number {
  let above: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const slips = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1]));
      const isSwap = swaps && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(isSwap ? Math.min(slips, above[j - 2]! + 1) : slips);
    }
    [above, row] = [row, next];
  }
  return row[b.length]!;
}
