import type { Point, Quad } from '../../../src/vision/quad.ts';

/** A picture being painted: three numbers of 0 to 255 a pixel. */
export type Canvas = { data: Float32Array; width: number; height: number };

/** From millimetres on a plane in the world to pixels of the photo: rows of a 3 × 3 homography. */
export type View = readonly number[];

type Rgba = { r: number; g: number; b: number; a: number };

/** Color of the plane at a place in millimetres; `mmPerPx` is how fine the photo is there, for soft edges. */
export type Paint = (x: number, y: number, mmPerPx: number, out: Rgba) => void;

export type Pose = {
  /** Degrees: nodding, turning aside, and turning in the plane (clockwise on the photo). */
  pitch: number;
  yaw: number;
  roll: number;
  /** Focal length in units of the long side of the photo; phones have 0.7 to 1. */
  focal: number;
};

/** How a camera sees a plane of that size: as large as `share` of the frame allows, its middle at the frame's middle. */
export function viewOf(pose: Pose, size: { width: number; height: number }, frame: Canvas, share: number): View {
  const long = Math.max(frame.width, frame.height);
  const f = pose.focal * long;
  const [cp, sp, cy, sy, cr, sr] = [pose.pitch, pose.yaw, pose.roll].flatMap((degrees) => {
    const radians = (degrees * Math.PI) / 180;
    return [Math.cos(radians), Math.sin(radians)];
  }) as [number, number, number, number, number, number];
  // Columns of Rx(pitch) · Ry(yaw) · Rz(roll): where the plane's x and y axes point.
  const r1 = [cy * cr, cp * sr + sp * sy * cr, sp * sr - cp * sy * cr];
  const r2 = [-cy * sr, cp * cr - sp * sy * sr, sp * cr + cp * sy * sr];
  const at = (depth: number): View => {
    const [mx, my] = [frame.width / 2, frame.height / 2];
    return [
      f * r1[0]! + mx * r1[2]!,
      f * r2[0]! + mx * r2[2]!,
      mx * depth,
      f * r1[1]! + my * r1[2]!,
      f * r2[1]! + my * r2[2]!,
      my * depth,
      r1[2]!,
      r2[2]!,
      depth,
    ];
  };
  let [near, far] = [Math.hypot(size.width, size.height) * 0.8, Math.hypot(size.width, size.height) * 60];
  for (let i = 0; i < 40; i++) {
    const middle = Math.sqrt(near * far);
    const corners = cornersOf(at(middle), size.width, size.height);
    const w = spread(corners.map((corner) => corner[0])) / frame.width;
    const h = spread(corners.map((corner) => corner[1])) / frame.height;
    if (Math.max(w, h) > share) near = middle;
    else far = middle;
  }
  return at(far);
}

/** The same view moved over the photo, in pixels. */
export function moved(view: View, dx: number, dy: number): View {
  const [a, b, c, d, e, f, g, h, i] = view as [number, number, number, number, number, number, number, number, number];
  return [a + dx * g, b + dx * h, c + dx * i, d + dy * g, e + dy * h, f + dy * i, g, h, i];
}

/** The view of a part of the plane that is shifted (mm) and turned (degrees) on it. */
export function placed(view: View, x: number, y: number, turn: number): View {
  const [c, s] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const part = [c, -s, x, s, c, y, 0, 0, 1];
  return [0, 3, 6].flatMap((row) =>
    [0, 1, 2].map(
      (column) => view[row]! * part[column]! + view[row + 1]! * part[column + 3]! + view[row + 2]! * part[column + 6]!,
    ),
  );
}

export function project(view: View, x: number, y: number): Point {
  const w = view[6]! * x + view[7]! * y + view[8]!;
  return [(view[0]! * x + view[1]! * y + view[2]!) / w, (view[3]! * x + view[4]! * y + view[5]!) / w];
}

/** Corners of a rectangle around the plane's origin, from its own top-left. */
export function cornersOf(view: View, width: number, height: number): Quad {
  const [x, y] = [width / 2, height / 2];
  return [project(view, -x, -y), project(view, x, -y), project(view, x, y), project(view, -x, y)];
}

/** Paints a rectangle of the plane around its origin over what the canvas shows. */
export function paintPlane(canvas: Canvas, view: View, size: { width: number; height: number }, paint: Paint): void {
  const corners = cornersOf(view, size.width, size.height);
  const xs = corners.map((corner) => corner[0]);
  const ys = corners.map((corner) => corner[1]);
  const [left, right] = [
    Math.max(0, Math.floor(Math.min(...xs))),
    Math.min(canvas.width - 1, Math.ceil(Math.max(...xs))),
  ];
  const [top, bottom] = [
    Math.max(0, Math.floor(Math.min(...ys))),
    Math.min(canvas.height - 1, Math.ceil(Math.max(...ys))),
  ];
  const mmPerPx = Math.sqrt((size.width * size.height) / Math.max(1, quadArea(corners)));
  const [a, b, c, d, e, f, g, h, i] = inverse(view);
  const out = { r: 0, g: 0, b: 0, a: 0 };
  for (let py = top; py <= bottom; py++) {
    for (let px = left; px <= right; px++) {
      const [u, v] = [px + 0.5, py + 0.5];
      const w = g * u + h * v + i;
      out.a = 0;
      paint((a * u + b * v + c) / w, (d * u + e * v + f) / w, mmPerPx, out);
      if (out.a <= 0) continue;
      const at = (py * canvas.width + px) * 3;
      const share = Math.min(1, out.a);
      canvas.data[at] = canvas.data[at]! + (out.r - canvas.data[at]!) * share;
      canvas.data[at + 1] = canvas.data[at + 1]! + (out.g - canvas.data[at + 1]!) * share;
      canvas.data[at + 2] = canvas.data[at + 2]! + (out.b - canvas.data[at + 2]!) * share;
    }
  }
}

/** Distance in mm from a place to the edge of a rectangle with round corners around the origin; negative inside. */
export function roundedEdge(x: number, y: number, width: number, height: number, radius: number): number {
  const dx = Math.abs(x) - width / 2 + radius;
  const dy = Math.abs(y) - height / 2 + radius;
  // Only in the corners is it a distance to a point; drawing calls this for every pixel, and `hypot` is slow.
  return (dx > 0 && dy > 0 ? Math.hypot(dx, dy) : Math.max(dx, dy)) - radius;
}

function inverse(m: View): [number, number, number, number, number, number, number, number, number] {
  const [a, b, c, d, e, f, g, h, i] = m as [number, number, number, number, number, number, number, number, number];
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
}

function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

function quadArea(corners: Quad): number {
  let twice = 0;
  for (let i = 0; i < 4; i++) {
    const [p, q] = [corners[i]!, corners[(i + 1) % 4]!];
    twice += p[0] * q[1] - q[0] * p[1];
  }
  return Math.abs(twice) / 2;
}
