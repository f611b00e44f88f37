import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bandAmong, impostorsAmong } from '../../src/vision/impostors.ts';

const impostors = { half: 0.5, most: 0.7, nearlyAll: 0.85, margin: 0.2 };
const band = (score: number, margin = 0, siblings = 0) => bandAmong(impostors, { score, margin, siblings });

describe('a band', () => {
  test('is no surer than impostors are rare at the score', () => {
    expect([0.4, 0.6, 0.8, 0.9].map((score) => band(score))).toEqual(['none', 'low', 'medium', 'high']);
  });

  test('is high, too, where the first is further ahead than any impostor, but only among good scores', () => {
    expect(band(0.8, 0.25)).toBe('high');
    expect(band(0.6, 0.25)).toBe('low');
  });

  test('is never high while other items have the same picture', () => {
    expect(band(0.95, 0.5, 1)).toBe('medium');
  });
});

describe('impostors', () => {
  test('are the nearest cards of another name, however many printings come before', () => {
    const found = [
      { name: 'Pikachu', score: 1 },
      { name: 'Pikachu', score: 0.99 },
      { name: 'Raichu', score: 0.6 },
      { name: 'Raichu', score: 0.59 },
      { name: 'Eevee', score: 0.5 },
    ];
    expect(impostorsAmong([{ name: 'Pikachu', found }])).toEqual({
      half: 0.6,
      most: 0.6,
      nearlyAll: 0.6,
      margin: expect.closeTo(0.1),
    });
  });

  test('of whom at most .2% score higher than the limit of `high`', () => {
    const score = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(score, { minLength: 1, maxLength: 1500 }), (scores) => {
        const cards = scores.map((one) => ({
          name: 'a',
          found: [
            { name: 'a', score: 1 },
            { name: 'b', score: one },
          ],
        }));
        const { nearlyAll } = impostorsAmong(cards);
        expect(scores.filter((one) => one > nearlyAll).length).toBeLessThanOrEqual(0.002 * scores.length);
      }),
      { numRuns: 50 },
    );
  });
});
