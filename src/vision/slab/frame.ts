import { type CV, type Mat, withMats } from '../opencv.ts';
import type { Point, Quad } from '../quad.ts';

/**
 * A turned rectangle on the photo, pixels. `angle` is of its lines of print, clockwise; perspective makes it lean, so that
 * it goes `lean` pixels to the right for each one down.
 */
export type Frame = { center: Point; width: number; height: number; angle: number; lean: number };

/** The place on the photo that lies so far along and down from the middle of a frame. */
function onPhoto({ center: [x, y], angle, lean }: Omit<Frame, 'width' | 'height'>, u: number, v: number): Point {
  const along = u + lean * v;
  return [x + along * Math.cos(angle) - v * Math.sin(angle), y + along * Math.sin(angle) + v * Math.cos(angle)];
}

/** The corners, from the one where its text begins. */
export function cornersOf(frame: Frame): Quad {
  const [w, h] = [frame.width / 2, frame.height / 2];
  return [onPhoto(frame, -w, -h), onPhoto(frame, w, -h), onPhoto(frame, w, h), onPhoto(frame, -w, h)];
}

/** The part of a frame between shares of its sides; beyond 0 and 1 lies what is around it. */
export function partOf(frame: Frame, left: number, top: number, right: number, bottom: number): Frame {
  const { width, height } = frame;
  const center = onPhoto(frame, ((left + right) / 2 - 0.5) * width, ((top + bottom) / 2 - 0.5) * height);
  return { ...frame, center, width: (right - left) * width, height: (bottom - top) * height };
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
  return withMats((own) => {
    const around = own(grey.roi(new cv.Rect(left, top, right - left, bottom - top)));
    const small = own(new cv.Mat());
    const straight = own(new cv.Mat());
    // Shrunk by areas before it is turned: turning alone would leave out pixels.
    const shrink = Math.min(1, scale);
    if (shrink < 1) cv.resize(around, small, new cv.Size(0, 0), shrink, shrink, cv.INTER_AREA);
    const source = shrink < 1 ? small : around;
    const rest = scale / shrink;
    const { angle, lean } = frame;
    const [cos, sin] = [Math.cos(angle) / rest, Math.sin(angle) / rest];
    // One pixel along and one down on the straight picture, back on the photo.
    const down = [lean * cos - sin, lean * sin + cos] as const;
    const cx = (frame.center[0] - left) * shrink;
    const cy = (frame.center[1] - top) * shrink;
    const x = cx - (cos * width) / 2 - (down[0] * height) / 2;
    const y = cy - (sin * width) / 2 - (down[1] * height) / 2;
    const back = [cos, down[0], x, sin, down[1], y];
    const turn = own(cv.matFromArray(2, 3, cv.CV_64F, back));
    const how = (rest > 1 ? cv.INTER_CUBIC : cv.INTER_LINEAR) | cv.WARP_INVERSE_MAP;
    cv.warpAffine(source, straight, turn, new cv.Size(width, height), how, cv.BORDER_REPLICATE, new cv.Scalar());
    return straight;
  });
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
