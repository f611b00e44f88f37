import { canonicalWord, numberKey } from '../../catalog/words/compare.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { corrections, placeOf, prefixRange } from '../index/vocabulary.ts';
import type { Token } from './read-query.ts';
import { waysToRead } from './readings.ts';

/** A query with its misspelled words corrected as the search reads them, or null where every word is known. */
export function correctedText(index: SearchIndex, q: string): string | null {
  const [literal, ...others] = waysToRead(index, q);
  // Synonyms and joined or split words find what the literal words do not.
  if (literal === undefined || others.length > 0) return null;
  let text: string | null = null;
  for (const token of literal.reading.tokens) {
    const word = wordFor(index, token);
    if (word !== null) text = (text ?? q.toLowerCase()).replace(token.text, word);
  }
  return text === q.toLowerCase() ? null : text;
}

/** The word of the catalog nearest to one that it does not have. */
function wordFor({ vocabulary }: SearchIndex, { text, isScript, isOptional }: Token): string | null {
  if (isScript || isOptional || /\d/.test(text)) return null;
  const isKnown = [text, canonicalWord(text), numberKey(text)].some((one) => placeOf(vocabulary, one) >= 0);
  const [from, to] = prefixRange(vocabulary, text);
  if (isKnown || to > from) return null;
  const [nearest] = corrections(vocabulary, canonicalWord(text));
  return nearest === undefined ? null : vocabulary.words[nearest.place]!;
}
