import type { CV, Mat } from '../opencv.ts';
import type { Point, Quad } from '../quad.ts';

/** A turned rectangle on the photo, pixels: `angle` is of its long print, clockwise. */
export type Frame = { center: Point; width: number; height: number; angle: number };

/** The corners, from the one where its text begins. */
export function cornersOf({ center: [x, y], width, height, angle }: Frame): Quad {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const at = (u: number, v: number): Point => [x + u * cos - v * sin, y + u * sin + v * cos];
  const [w, h] = [width / 2, height / 2];
  return [at(-w, -h), at(w, -h), at(w, h), at(-w, h)];
}

/** The part of a frame between shares of its sides; beyond 0 and 1 lies what is around it. */
export function partOf(frame: Frame, left: number, top: number, right: number, bottom: number): Frame {
  const { center, width, height, angle } = frame;
  const u = ((left + right) / 2 - 0.5) * width;
  const v = ((top + bottom) / 2 - 0.5) * height;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return {
    center: [center[0] + u * cos - v * sin, center[1] + u * sin + v * cos],
    width: (right - left) * width,
    height: (bottom - top) * height,
    angle,
  };
}

/** What a frame shows, upright, `scale` times as large as on the photo. The caller deletes it. */
export function cutOut(cv: CV, grey: Mat, frame: Frame, scale: number): Mat {
  const width = Math.max(8, Math.round(frame.width * scale));
  const height = Math.max(8, Math.round(frame.height * scale));
  const corners = cornersOf(frame);
  const pad = 4;
  const left = clamp(Math.floor(Math.min(...corners.map(([x]) => x))) - pad, 0, grey.cols - 2);
  const top = clamp(Math.floor(Math.min(...corners.map(([, y]) => y))) - pad, 0, grey.rows - 2);
  const right = clamp(Math.ceil(Math.max(...corners.map(([x]) => x))) + pad, left + 2, grey.cols);
  const bottom = clamp(Math.ceil(Math.max(...corners.map(([, y]) => y))) + pad, top + 2, grey.rows);
  const around = grey.roi(new cv.Rect(left, top, right - left, bottom - top));
  const small = new cv.Mat();
  const straight = new cv.Mat();
  let turn: Mat | null = null;
  try {
    // Shrunk by areas before it is turned: turning alone would leave out pixels.
    const shrink = Math.min(1, scale);
    if (shrink < 1) cv.resize(around, small, new cv.Size(0, 0), shrink, shrink, cv.INTER_AREA);
    const source = shrink < 1 ? small : around;
    const rest = scale / shrink;
    const cos = Math.cos(frame.angle) / rest;
    const sin = Math.sin(frame.angle) / rest;
    const cx = (frame.center[0] - left) * shrink;
    const cy = (frame.center[1] - top) * shrink;
    // From the straight picture back to the photo.
    const back = [
      cos,
      -sin,
      cx - (cos * width) / 2 + (sin * height) / 2,
      sin,
      cos,
      cy - (sin * width) / 2 - (cos * height) / 2,
    ];
    turn = cv.matFromArray(2, 3, cv.CV_64F, back);
    const how = (rest > 1 ? cv.INTER_CUBIC : cv.INTER_LINEAR) | cv.WARP_INVERSE_MAP;
    cv.warpAffine(source, straight, turn, new cv.Size(width, height), how, cv.BORDER_REPLICATE, new cv.Scalar());
    return straight;
  } catch (error) {
    straight.delete();
    throw error;
  } finally {
    around.delete();
    small.delete();
    turn?.delete();
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
