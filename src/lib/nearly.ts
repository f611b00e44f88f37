/** True when two words differ by one letter at most: another one, one too many or one missing. */
export function isNearly(a: string, b: string): boolean {
  return Math.abs(a.length - b.length) <= 1 && editDistance(a, b) <= 1;
}

/** How many letters must be replaced, added or left out to make one word of the other. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1])));
    row = next;
  }
  return row[b.length]!;
}
