import { describe, expect, test } from 'vitest';
import { withWholeCards } from '../../../src/vision/detect/whole-cards.ts';
import type { Quad } from '../../../src/vision/quad.ts';

function rect(x: number, y: number, width: number, height: number, score: number): { quad: Quad; score: number } {
  const [right, bottom] = [x + width, y + height];
  return {
    quad: [
      [x, y],
      [right, y],
      [right, bottom],
      [x, bottom],
    ],
    score,
  };
}

/** The same turned by 90° about the origin. */
function turned({ quad, score }: ReturnType<typeof rect>) {
  const [a, b, c, d] = quad.map(([x, y]) => [-y, x] as const) as unknown as Quad;
  return { quad: [d, a, b, c] as Quad, score };
}

const whole = rect(0, 0, 63, 88, 0.99);
const [upper, lower] = [rect(0, 0, 63, 44, 0.95), rect(0, 44, 63, 44, 0.78)];

describe('a whole card and its pieces', () => {
  test('the whole card is in the place of its halves', () => {
    expect(withWholeCards([upper, lower], [whole])).toEqual([whole]);
  });

  test('halves that are nearly as likely are not cards either', () => {
    expect(withWholeCards([rect(0, 0, 63, 44, 0.985), rect(0, 44, 63, 44, 0.97)], [whole])).toEqual([whole]);
  });

  test('one half alone is a piece', () => {
    expect(withWholeCards([upper], [whole])).toEqual([whole]);
  });

  test('pieces that leave much of the card free are not those of it', () => {
    const [a, b] = [rect(0, 0, 63, 24, 0.9), rect(0, 60, 63, 24, 0.9)];
    expect(withWholeCards([a, b], [whole])).toEqual([a, b]);
  });

  test('cards next to it stay', () => {
    const other = rect(80, 0, 63, 88, 0.9);
    expect(withWholeCards([upper, other, lower], [whole])).toEqual([whole, other]);
  });

  test('a frame that is hardly a card takes no pieces', () => {
    const cards = [upper, lower];
    expect(withWholeCards(cards, [rect(0, 0, 63, 88, 0.85)])).toEqual(cards);
  });

  test('two pieces that are likelier than the frame stay', () => {
    const cards = [rect(0, 0, 63, 44, 0.999), rect(0, 44, 63, 44, 0.998)];
    expect(withWholeCards(cards, [whole])).toEqual(cards);
  });

  test('four cards in a square are not pieces of the large one that they make', () => {
    const cards = [0, 1, 2, 3].map((at) => rect((at % 2) * 63, Math.floor(at / 2) * 88, 63, 88, 0.95));
    expect(withWholeCards(cards, [rect(0, 0, 126, 176, 0.99)])).toEqual(cards);
  });

  test('a frame within a card is not a piece', () => {
    const frame = rect(4, 4, 55, 80, 0.9);
    expect(withWholeCards([frame], [whole])).toEqual([frame]);
  });
});

describe('a lying card', () => {
  const lying = turned(whole);
  const halves = [turned(upper), turned(lower)];

  test('is in the place of halves that are hardly outlines', () => {
    expect(withWholeCards(halves, [lying])).toEqual([lying]);
  });

  test('is two upright cards where one of them is a likely answer alone', () => {
    expect(withWholeCards(halves, [lying, { ...turned(upper), score: 0.99 }])).toEqual(halves);
  });

  test('is two upright cards where both are surely outlined', () => {
    const sure = halves.map(({ quad }) => ({ quad, score: 0.985 }));
    expect(withWholeCards(sure, [lying])).toEqual(sure);
  });

  test('is two upright cards where there is a gap between them', () => {
    const separate = [turned(rect(0, 0, 63, 42, 0.95)), turned(rect(0, 46, 63, 42, 0.9))];
    expect(withWholeCards(separate, [lying])).toEqual(separate);
  });
});
