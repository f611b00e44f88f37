import { describe, expect, test } from 'vitest';
import type { Quad } from '../../../src/vision/quad.ts';
import { inReadingOrder, mostCentral } from '../../../src/web/scan/scan-boxes.ts';

function box(name: string, x: number, y: number, width = 63, height = 88): { name: string; quad: Quad } {
  const [right, bottom] = [x + width, y + height];
  return {
    name,
    quad: [
      [x, y],
      [right, y],
      [right, bottom],
      [x, bottom],
    ],
  };
}

const namesOf = (boxes: { name: string }[]) => boxes.map(({ name }) => name).join(' ');

describe('the boxes of a photo', () => {
  test('are numbered row by row, from the left, also where a row is aslant', () => {
    const page = [box('b2', 180, 160), box('a1', 10, 10), box('b1', 80, 130), box('a3', 210, 40), box('a2', 110, 25)];
    expect(namesOf(inReadingOrder(page))).toBe('a1 a2 a3 b1 b2');
  });

  test('do not include a part of a card, such as its art', () => {
    expect(namesOf(inReadingOrder([box('art', 15, 18, 50, 35), box('card', 10, 10)]))).toBe('card');
    // Of two outlines of nearly one size neither is a part of the other: cards of a fan.
    expect(namesOf(inReadingOrder([box('upper', 12, 12), box('lower', 10, 10)]))).toBe('lower upper');
    // Half of it is elsewhere.
    expect(namesOf(inReadingOrder([box('card', 10, 10), box('next', 50, 20, 50, 35)]))).toBe('card next');
  });

  test('have one that is nearest to the middle', () => {
    const photo = { width: 400, height: 300 };
    expect(mostCentral([box('left', 0, 100), box('middle', 170, 110), box('right', 330, 100)], photo)).toBe(1);
  });
});
