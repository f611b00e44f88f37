/**
 * The word of `words` that `text` is most likely meant to be, or null. Underscores and letter case are ignored; one slip
 * (a letter too many, too few, wrong, or two swapped) is allowed for a word of 5 letters or more, two from 8 on, three from 12.
 */
export function nearMiss(text: string, words: readonly string[]): string | null {
  const plain = plainOf(text);
  let best: { word: string; slips: number } | null = null;
  for (const word of words) {
    const wanted = plainOf(word);
    const allowed = [5, 8, 12].filter((letters) => wanted.length >= letters).length;
    if (Math.abs(wanted.length - plain.length) > allowed) continue;
    const slips = slipsBetween(plain, wanted);
    if (slips <= allowed && (best === null || slips < best.slips)) best = { word, slips };
  }
  return best?.word ?? null;
}

function plainOf(text: string): string {
  return text.replaceAll('_', '').toUpperCase();
}

/** Edit distance in which two swapped neighbours count once (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        above[j]! + 1,
        row[j - 1]! + 1,
        above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        swap ? twoAbove[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [twoAbove, above] = [above, row];
  }
  return above[b.length]!;
}
