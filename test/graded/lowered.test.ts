import { describe, expect, test } from 'vitest';
import { lowered } from '../../src/graded/slab/slab-card.ts';
import { labelOf } from '../../src/pricing/model/quote.ts';

const MANY = { sales: 100, sources: 5 };
const FEW = { sales: 1, sources: 1 };
type Card = Parameters<typeof lowered>[0];

describe('a price that a photo makes less sure', () => {
  test.each([
    [0.97, MANY, 'high'],
    [0.97, FEW, 'medium'],
    [0.85, MANY, 'medium'],
    [0.79, FEW, 'low'],
    [0.5, FEW, 'low'],
  ] as const)('of score %s is one band less, and its score is within that band', (confidenceScore, sales, band) => {
    const card = { confidence: labelOf(confidenceScore, sales), confidenceScore } as Card;
    const less = lowered(card);
    expect(less.confidence).toBe(band);
    expect(less.confidenceScore).toBeLessThan(confidenceScore);
    expect(labelOf(less.confidenceScore!, MANY)).toBe(band);
  });

  test('in the lowest band keeps the band and loses half of its score', () => {
    expect(lowered({ confidence: 'low', confidenceScore: 0.3 } as Card)).toEqual({
      confidence: 'low',
      confidenceScore: 0.15,
    });
  });

  test('without a price stays without', () => {
    const card = { confidence: null, confidenceScore: null } as Card;
    expect(lowered(card)).toBe(card);
  });
});
