import { describe, expect, test } from 'vitest';
import { endMessage, unknownSlabHeading, whyUnpriced } from '../../src/graded/reasons.ts';
import { REASONS } from '../../src/graded/shapes.ts';

describe('why a slab has no price', () => {
  test.each(REASONS)('is said in a sentence and a heading, never by its code: %s', (reason) => {
    const sentences = [whyUnpriced({ reason }), endMessage({ reason, found: false })];
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][^.]*\.( [A-Z][^.]*\.)?$/);
    expect(unknownSlabHeading({ reason })).toMatch(/^[A-Z].*\w$/);
    for (const text of [...sentences, unknownSlabHeading({ reason })]) expect(text).not.toContain('_');
  });

  test('is what a warning says, where there is one', () => {
    const warning = 'No market could be reached. Try again in some minutes.';
    expect(whyUnpriced({ reason: 'compute_incomplete', warning })).toBe(warning);
    expect(endMessage({ reason: 'compute_incomplete', warning, found: false })).toBe(warning);
  });

  test('is not said of a slab that has one', () => {
    expect(endMessage({ found: true })).toBe('The slab is priced.');
  });
});
