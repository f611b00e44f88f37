import type { CV, Mat } from '../opencv.ts';
import type { Box } from '../quad.ts';
import { cutOut, type Frame, onPhoto } from './frame.ts';
import { type GreyPixels, pixelsOf } from './grey.ts';

/** A part of the photo made upright, `scale` times as large as there. */
export type Window = { frame: Frame; scale: number; picture: GreyPixels };

export function openWindow(cv: CV, grey: Mat, frame: Frame, scale: number, isInverted = false): Window {
  const cut = cutOut(cv, grey, frame, scale);
  try {
    if (isInverted) cv.bitwise_not(cut, cut);
    return { frame, scale, picture: pixelsOf(cut) };
  } finally {
    cut.delete();
  }
}

/** Where a box of a window lies on the photo, with room around it in pixels of the window. */
export function frameIn({ frame, scale }: Pick<Window, 'frame' | 'scale'>, box: Box, room = { x: 0, y: 0 }): Frame {
  const u = (box.x + box.width / 2) / scale - frame.width / 2;
  const v = (box.y + box.height / 2) / scale - frame.height / 2;
  return {
    ...frame,
    center: onPhoto(frame, u, v),
    width: (box.width + 2 * room.x) / scale,
    height: (box.height + 2 * room.y) / scale,
  };
}

/** Ways to make a cut-out easier to read: its greys stretched, black on white by Otsu's threshold, or by its surroundings. */
export type Finish = 'stretched' | 'otsu' | 'local';

/** The part of the photo within a frame, finished for reading: dark on light whatever it was. */
export function finish(cv: CV, grey: Mat, frame: Frame, scale: number, how: Finish, isInverted = false): GreyPixels {
  const cut = cutOut(cv, grey, frame, scale);
  const padded = new cv.Mat();
  try {
    if (isInverted) cv.bitwise_not(cut, cut);
    if (how === 'otsu') cv.threshold(cut, cut, 0, 255, cv.THRESH_BINARY | cv.THRESH_OTSU);
    else if (how === 'local') {
      const around = (Math.round(cut.rows * 0.5) | 1) + 2;
      cv.adaptiveThreshold(cut, cut, 255, cv.ADAPTIVE_THRESH_GAUSSIAN_C, cv.THRESH_BINARY, around, 12);
    } else cv.normalize(cut, cut, 0, 255, cv.NORM_MINMAX);
    // Letters that touch the border are not read.
    const pad = 10;
    const paper = how === 'stretched' ? cv.BORDER_REPLICATE : cv.BORDER_CONSTANT;
    cv.copyMakeBorder(cut, padded, pad, pad, pad, pad, paper, new cv.Scalar(255));
    return pixelsOf(padded);
  } finally {
    cut.delete();
    padded.delete();
  }
}

/** A part of a window with its paper made evenly white, whatever light fell on it. */
export function flattened(cv: CV, { picture }: Window, part: Box): GreyPixels {
  const whole = cv.matFromArray(picture.height, picture.width, cv.CV_8UC1, picture.data);
  const grey = whole.roi(new cv.Rect(part.x, part.y, part.width, part.height));
  const paper = new cv.Mat();
  const kernel = cv.getStructuringElement(cv.MORPH_RECT, new cv.Size(PAPER_PX, PAPER_PX));
  const flat = new cv.Mat();
  try {
    cv.morphologyEx(grey, paper, cv.MORPH_CLOSE, kernel);
    cv.GaussianBlur(paper, paper, new cv.Size(PAPER_PX, PAPER_PX), 0);
    cv.divide(grey, paper, flat, 255);
    return pixelsOf(flat);
  } finally {
    for (const mat of [whole, grey, paper, kernel, flat]) mat.delete();
  }
}

/** Wider than strokes of letters of 30 pixels. */
const PAPER_PX = 25;
