import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  areaOf,
  boxOf,
  cornerDistance,
  diagonalOf,
  isConvex,
  orderQuad,
  overlapOf,
  type Point,
  type Quad,
  rotateQuad,
  scaleQuad,
  sharedArea,
  sidesOf,
} from '../../src/vision/quad.ts';

/** A rectangle turned about its middle, its corners from its own top-left. */
const rectangle = fc
  .record({
    x: fc.double({ min: -500, max: 500, noNaN: true }),
    y: fc.double({ min: -500, max: 500, noNaN: true }),
    width: fc.double({ min: 5, max: 400, noNaN: true }),
    height: fc.double({ min: 5, max: 400, noNaN: true }),
    turn: fc.double({ min: -Math.PI, max: Math.PI, noNaN: true }),
  })
  .map(({ x, y, width, height, turn }) => {
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const corner = (u: number, v: number): Point => [
      x + u * width * c - v * height * s,
      y + u * width * s + v * height * c,
    ];
    return {
      quad: [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)] as Quad,
      width,
      height,
    };
  });

describe('a quad', () => {
  test('is ordered clockwise from the top left, whatever order its corners come in', () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
    fc.assert(
      fc.property(rectangle, order, ({ quad }, shuffled) => {
        const ordered = orderQuad(shuffled.map((i) => quad[i]!));
        expect(isConvex(ordered)).toBe(true);
        expect(cornerDistance(ordered, quad)).toBeLessThan(1e-9);
        const sums = ordered.map(([x, y]) => x + y);
        expect(sums[0]).toBe(Math.min(...sums));
      }),
    );
  });

  test('has the area, sides and diagonal of its rectangle, and four times the area at twice the size', () => {
    fc.assert(
      fc.property(rectangle, ({ quad, width, height }) => {
        expect(areaOf(quad)).toBeCloseTo(width * height, 4);
        expect(areaOf(scaleQuad(quad, 2))).toBeCloseTo(4 * width * height, 3);
        expect(diagonalOf(quad)).toBeCloseTo(Math.hypot(width, height), 6);
        const [top, right] = sidesOf(quad);
        expect([top, right]).toEqual([expect.closeTo(width, 6), expect.closeTo(height, 6)]);
      }),
    );
  });

  test('is the same figure from whichever corner it is read, and four turns change nothing', () => {
    fc.assert(
      fc.property(rectangle, fc.integer({ min: -8, max: 8 }), ({ quad }, turns) => {
        expect(cornerDistance(quad, rotateQuad(quad, turns))).toBe(0);
        expect(rotateQuad(quad, turns + 4)).toEqual(rotateQuad(quad, turns));
      }),
    );
  });

  test('shares with another what it shares with it, no more than either has, and all with itself', () => {
    fc.assert(
      fc.property(rectangle, rectangle, ({ quad: a }, { quad: b }) => {
        const shared = sharedArea(a, b);
        expect(shared).toBeCloseTo(sharedArea(b, a), 4);
        expect(shared).toBeLessThanOrEqual(Math.min(areaOf(a), areaOf(b)) + 1e-6);
        expect(overlapOf(a, a)).toBeCloseTo(1, 9);
        expect(overlapOf(a, b)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('shares with an upright one what their sides say', () => {
    const upright = (x: number, y: number, width: number, height: number): Quad => [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ];
    expect(sharedArea(upright(0, 0, 10, 10), upright(5, 5, 10, 10))).toBeCloseTo(25);
    expect(sharedArea(upright(0, 0, 10, 10), upright(20, 0, 10, 10))).toBe(0);
    expect(overlapOf(upright(0, 0, 10, 10), upright(2, 2, 4, 4))).toBeCloseTo(0.16);
    expect(boxOf(upright(3, 4, 10, 20))).toEqual({ x: 3, y: 4, width: 10, height: 20 });
  });
});
