import { describe, expect, test } from 'vitest';
import { type Point, type Quad, rotateQuad } from '../../../src/vision/quad.ts';
import { plasticAround } from '../../../src/vision/slab/nested.ts';

const SLAB = { width: 81, height: 132 };

function box(x: number, y: number, width: number, height: number): Quad {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}

function turned(quad: Quad, degrees: number): Quad {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return quad.map(([x, y]): Point => [x * cos - y * sin, x * sin + y * cos]) as unknown as Quad;
}

const plastic = box(0, 0, SLAB.width, SLAB.height);
const card = box(9, 36, 63, 88);

describe('the plastic around a card, by outlines alone', () => {
  test.each([0, 12, 90, 180, 270])('turned by %i° is the outline that has the card where slabs have it', (degrees) => {
    const [outer, inner] = [turned(plastic, degrees), turned(card, degrees)];
    for (const first of [0, 1, 2, 3]) {
      const found = plasticAround(rotateQuad(inner, first), rotateQuad(outer, first))!;
      // Upright: its first two corners are next to the label.
      const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
      const down = (at: Point) => at[1] * cos - at[0] * sin;
      expect(down(found[0])).toBeCloseTo(0);
      expect(down(found[2])).toBeCloseTo(SLAB.height);
    }
  });

  test.each<[string, Quad, Quad]>([
    ['a card and its own inner frame', box(0, 0, 63, 88), box(4, 4, 55, 80)],
    ['a card in the middle', plastic, box(9, 22, 63, 88)],
    ['a card too far to one side', plastic, box(15, 36, 63, 88)],
    ['half a card', plastic, box(9, 36, 63, 44)],
    ['an outline of the shape of a card', box(0, 0, 81, 113), box(9, 30, 63, 77)],
    ['an outline of the shape of two cards', box(0, 0, 81, 152), box(9, 41, 63, 101)],
    ['the plastic itself', plastic, plastic],
    ['a card next to it', plastic, box(100, 36, 63, 88)],
  ])('is null for %s', (_, outer, inner) => {
    expect(plasticAround(inner, outer)).toBeNull();
  });
});
