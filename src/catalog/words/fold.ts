/**
 * Folding text to lower-case ASCII. Used for slugs and for comparing what people type with what a catalog says; it keeps
 * what carries meaning (signs that alone distinguish two cards become words) and drops the rest.
 */

/** Signs that distinguish cards of one set (Nidoran ♀ and ♂, Gardevoir ex δ, Umbreon ★, Ξ and ∀ Gundam), as words. */
const SIGN_WORDS: Record<string, string> = {
  '♀': 'female',
  '♂': 'male',
  '★': 'star',
  '☆': 'star',
  '✩': 'star',
  '♡': 'heart',
  '♥': 'heart',
  '♪': 'note',
  '∞': 'infinity',
  '∀': 'turn a',
  '†': 'dagger',
  '‡': 'double dagger',
  '◇': 'diamond',
  '♢': 'diamond',
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ε: 'epsilon',
  ζ: 'zeta',
  η: 'eta',
  θ: 'theta',
  ι: 'iota',
  κ: 'kappa',
  λ: 'lambda',
  μ: 'mu',
  ν: 'nu',
  ξ: 'xi',
  ο: 'omicron',
  π: 'pi',
  ρ: 'rho',
  σ: 'sigma',
  ς: 'sigma',
  τ: 'tau',
  υ: 'upsilon',
  φ: 'phi',
  χ: 'chi',
  ψ: 'psi',
  ω: 'omega',
};

/** Latin letters that Unicode does not decompose. */
const LETTERS: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'ng',
};

/** Marks that are words only where they are alone: in a longer name they are punctuation ("Success!"). */
const LONE_MARKS: Record<string, string> = { '!': 'exclamation', '?': 'question', '+': 'plus' };

/**
 * Words of a text in lower-case ASCII, each `[a-z0-9]+`, in order: compatibility forms and accents folded (`Ⅱ` is `ii`,
 * `é` is `e`, `Æ` is `ae`), signs spelled out, everything else a separator. Scripts other than Latin fold to nothing.
 */
export function foldWords(text: string): string[] {
  const plain = text
    .replace(/[™®©℠]/g, '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\x00-\x7f]/gu, (sign) => LETTERS[sign] ?? (sign in SIGN_WORDS ? ` ${SIGN_WORDS[sign]} ` : ' '));
  return plain.match(/[a-z0-9]+/g) ?? [];
}

/**
 * As `foldWords`, and marks that are alone are spelled out: a text of marks only, such as Unown's numbers `!` and `?`,
 * or one in square brackets (`Unown [!]`).
 */
export function foldWordsWithMarks(text: string): string[] {
  const words = foldWords(text.replace(/\[([!?+])\]/g, (_, mark: string) => ` ${LONE_MARKS[mark]} `));
  if (words.length > 0 || /[\p{L}\p{N}]/u.test(text)) return words;
  return [...text.normalize('NFKC')].flatMap((mark) => LONE_MARKS[mark] ?? []);
}
