import { editDistance } from './nearly.ts';

/**
 * The word of `words` that `text` is most likely meant to be, or null. Underscores and letter case are ignored; one slip
 * (a letter too many, too few, wrong, or two swapped) is allowed for a word of 5 letters or more, two from 8 on, three from 12.
 */
export function nearMiss(text: string, words: readonly string[]): string | null {
  const plain = plainOf(text);
  const near = words.flatMap((word) => {
    const wanted = plainOf(word);
    const slips = editDistance(plain, wanted, { swaps: true });
    return slips <= [5, 8, 12].filter((letters) => wanted.length >= letters).length ? [{ word, slips }] : [];
  });
  return near.sort((a, b) => a.slips - b.slips)[0]?.word ?? null;
}

function plainOf(text: string): string {
  return text.replaceAll('_', '').toUpperCase();
}
