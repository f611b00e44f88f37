import { describe, expect, test } from 'vitest';
import type { FoundByPhoto } from '../../../src/search/photo/image-answer.ts';
import { combined } from '../../../src/search/query/both-spaces.ts';

const found = (
  ids: string[],
  confidence: FoundByPhoto['confidence'],
  scores = ids.map((_, i) => 0.9 - i / 10),
): FoundByPhoto => ({
  ids,
  confidence,
  scores,
  model: 'm',
});

describe('two spaces together', () => {
  test('put first what both put high, whatever their scores', () => {
    const { ids, scores } = combined(found(['a', 'b', 'c'], 'low'), found(['d', 'b'], 'low', [0.2, 0.1]), 10);
    expect(ids).toEqual(['b', 'a', 'd', 'c']);
    expect(scores).toEqual([...scores].sort((x, y) => y - x));
    for (const score of scores) expect(score > 0 && score <= 1).toBe(true);
  });

  test('are as sure as medium when they agree and the encoder is sure, else low', () => {
    expect(combined(found(['a', 'b'], 'low'), found(['a'], 'high'), 10).confidence).toBe('medium');
    expect(combined(found(['a', 'b'], 'low'), found(['a'], 'low'), 10).confidence).toBe('low');
    expect(combined(found(['a', 'b'], 'low'), found(['c'], 'high'), 10).confidence).toBe('low');
    expect(combined(found([], 'none'), found(['c'], 'high'), 10).confidence).toBe('low');
    expect(combined(found([], 'none'), found([], 'none'), 10).confidence).toBe('none');
    // A model whose scores were not measured is never sure.
    expect(combined(found(['a'], 'low'), { ...found(['a'], 'low'), confidence: null }, 10).confidence).toBe('low');
  });

  test('printings of one score share a rank', () => {
    const { ids, scores } = combined(
      found(['a', 'foil'], 'low', [0.8, 0.8]),
      found(['foil', 'a'], 'low', [0.7, 0.7]),
      10,
    );
    expect(new Set(ids)).toEqual(new Set(['a', 'foil']));
    expect(scores).toEqual([1, 1]);
  });

  test('return no more than requested', () => {
    expect(combined(found(['a', 'b', 'c'], 'low'), found(['d', 'e'], 'low'), 2).ids).toHaveLength(2);
  });
});
