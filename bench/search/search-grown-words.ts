/** Made-up words for copies of a catalog: rare words become others, usual ones stay, so that vocabulary grows as sets do. */

/** A word in at most this many texts is one that a new set can do without: a name, not a `dragon` or an `ex`. */
const RARE_TEXTS = 12;
/** Of the rare words, how many a copied set has under another name: what makes the vocabulary follow the real one. */
const RENEWED_PERCENT = 45;
const WORDS = /[\p{L}\p{M}]{3,}/gu;
const VOWELS = 'aeiou';

/** Gives a text as the `copy`-th copy of the catalog has it; equal words become equal words. */
export function textGrower(texts: Iterable<string>): (text: string, copy: number) => string {
  const textsWith = new Map<string, number>();
  for (const text of new Set(texts)) {
    for (const word of new Set(text.match(WORDS) ?? [])) textsWith.set(word, (textsWith.get(word) ?? 0) + 1);
  }
  const isRenewed = (word: string, copy: number) =>
    (textsWith.get(word) ?? 0) <= RARE_TEXTS && hashOf(`${word} ${copy}`) % 100 < RENEWED_PERCENT;
  return (text, copy) => text.replace(WORDS, (word) => (isRenewed(word, copy) ? madeWord(word, copy) : word));
}

/** Another word of the same length and shape: other vowels; in other scripts, the signs turned around. */
export function madeWord(word: string, copy: number): string {
  const made = word.replace(/[aeiou]/gi, (vowel) => {
    const other = VOWELS[(VOWELS.indexOf(vowel.toLowerCase()) + copy) % VOWELS.length]!;
    return vowel === vowel.toLowerCase() ? other : other.toUpperCase();
  });
  if (made !== word) return made;
  const signs = [...word];
  return [...signs.slice(copy), ...signs.slice(0, copy)].reverse().join('');
}

/** The code of a copied set, and the part of its numbers before the dash: `OP05` becomes `OP105`. */
export function grownCode(code: string, copy: number): string {
  return /\d/.test(code) ? code.replace(/\d+/, (digits) => `${copy}${digits}`) : `${code}${copy}`;
}

/** FNV-1a: the same in every run. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
