/** Pixels: x to the right, y down. */
export type Point = readonly [x: number, y: number];

/** Four corners, clockwise on the picture, from the one that shows as top-left. */
export type Quad = readonly [Point, Point, Point, Point];

/** Axis-parallel, in pixels. */
export type Box = { x: number; y: number; width: number; height: number };

/** Four corners in any order as a quad: the sides of a convex figure, the corner nearest to the top left first. */
export function orderQuad(corners: readonly Point[]): Quad {
  const [cx, cy] = centerOf(corners);
  const clockwise = corners
    .map((corner) => ({ corner, angle: Math.atan2(corner[1] - cy, corner[0] - cx) }))
    .sort((a, b) => a.angle - b.angle)
    .map(({ corner }) => corner);
  const sums = clockwise.map(([x, y]) => x + y);
  return rotateQuad(clockwise as unknown as Quad, sums.indexOf(Math.min(...sums)));
}

/** The same figure read from another of its corners: `turns` corners further clockwise. */
export function rotateQuad(quad: Quad, turns: number): Quad {
  return [0, 1, 2, 3].map((i) => quad[(((i + turns) % 4) + 4) % 4]!) as unknown as Quad;
}

/** The mean of the points. */
export function centerOf(points: readonly Point[]): Point {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point[0];
    y += point[1];
  }
  return [x / points.length, y / points.length];
}

/** Area of a polygon in square pixels, positive when its corners run clockwise on the picture. */
export function areaOf(polygon: readonly Point[]): number {
  let twice = 0;
  for (let i = 0; i < polygon.length; i++) {
    const [x, y] = polygon[i]!;
    const [u, v] = polygon[(i + 1) % polygon.length]!;
    twice += x * v - u * y;
  }
  return twice / 2;
}

export function distance(a: Point, b: Point): number {
  return lengthOf(a[0] - b[0], a[1] - b[1]);
}

/** `Math.hypot(x, y)` in a fraction of its time. */
export function lengthOf(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** Lengths of the four sides, from the first corner on. */
export function sidesOf(quad: Quad): [number, number, number, number] {
  return [
    distance(quad[0], quad[1]),
    distance(quad[1], quad[2]),
    distance(quad[2], quad[3]),
    distance(quad[3], quad[0]),
  ];
}

/** Mean of the two diagonals, pixels. */
export function diagonalOf(quad: Quad): number {
  return (distance(quad[0], quad[2]) + distance(quad[1], quad[3])) / 2;
}

export function isConvex(quad: Quad): boolean {
  return quad.every((corner, i) => cross(corner, quad[(i + 1) % 4]!, quad[(i + 2) % 4]!) > 0);
}

/** All of a picture. */
export function frameOf({ width, height }: { width: number; height: number }): Quad {
  return [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
}

/** True when two boxes share some of their area. */
export function boxesMeet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

export function boxOf(points: readonly Point[]): Box {
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** The smallest box around others. */
export function boxAround(boxes: readonly Box[]): Box {
  return boxOf(
    boxes.flatMap(({ x, y, width, height }): Point[] => [
      [x, y],
      [x + width, y + height],
    ]),
  );
}

/** The box with so much more on each side, across and down. */
export function grown({ x, y, width, height }: Box, across: number, down = across): Box {
  return { x: x - across, y: y - down, width: width + 2 * across, height: height + 2 * down };
}

export function middleOf({ x, y, width, height }: Box): Point {
  return [x + width / 2, y + height / 2];
}

/** True when a point is inside a box. */
export function isIn([px, py]: Point, { x, y, width, height }: Box): boolean {
  return px > x && px < x + width && py > y && py < y + height;
}

export function scaleQuad(quad: Quad, factor: number): Quad {
  return quad.map(([x, y]) => [x * factor, y * factor] as const) as unknown as Quad;
}

/** What two convex quads have in common, of what they cover together: 0 to 1. */
export function overlapOf(a: Quad, b: Quad): number {
  const shared = sharedArea(a, b);
  return shared / (areaOf(a) + areaOf(b) - shared);
}

/** Area that two convex quads share, square pixels: Sutherland and Hodgman, "Reentrant polygon clipping" (1974). */
export function sharedArea(a: Quad, b: Quad): number {
  let figure: Point[] = [...a];
  for (let i = 0; i < 4 && figure.length > 0; i++) figure = cutOff(figure, b[i]!, b[(i + 1) % 4]!);
  return figure.length < 3 ? 0 : Math.max(0, areaOf(figure));
}

/** What two convex quads share, of the smaller one: 0 to 1. */
export function coverOf(a: Quad, b: Quad): number {
  return sharedArea(a, b) / Math.min(areaOf(a), areaOf(b));
}

/** The largest distance between corners of two quads, whichever corner either of them is read from. */
export function cornerDistance(a: Quad, b: Quad): number {
  let least = Number.POSITIVE_INFINITY;
  for (let turns = 0; turns < 4; turns++) {
    let most = 0;
    for (let i = 0; i < 4 && most < least; i++) most = Math.max(most, distance(a[i]!, b[(i + turns) % 4]!));
    least = Math.min(least, most);
  }
  return least;
}

/** Positive when c is clockwise of the line from a to b. */
function cross(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function cutOff(figure: readonly Point[], from: Point, to: Point): Point[] {
  const kept: Point[] = [];
  for (let i = 0; i < figure.length; i++) {
    const a = figure[i]!;
    const b = figure[(i + 1) % figure.length]!;
    const sideA = cross(from, to, a);
    const sideB = cross(from, to, b);
    if (sideA >= 0) kept.push(a);
    if (sideA >= 0 !== sideB >= 0) {
      const share = sideA / (sideA - sideB);
      kept.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
    }
  }
  return kept;
}
