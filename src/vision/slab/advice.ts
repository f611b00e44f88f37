import { type CV, withMats } from '../opencv.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { greyOf } from './print/grey.ts';

/** Why a label may not have been readable. */
export type Advice = 'too_small' | 'glare' | 'blur' | 'cut_off';

const SMALL_PX = 700;
/** Share of pixels that are as white as a lamp. */
const MUCH_GLARE = 0.04;
const LAMP = 250;
/** Variance of the Laplacian at 1000 px: sharp photos have some hundreds. */
const LOOK_PX = 1000;
const SHARP = 40;

/** What to do better: from the whole photo, in this order, a cut-off label where nothing else is wrong. */
export function adviceFor(cv: CV, photo: RgbPixels): Advice {
  if (Math.max(photo.width, photo.height) < SMALL_PX) return 'too_small';
  return withMats((own) => {
    const grey = own(greyOf(cv, photo));
    const small = own(new cv.Mat());
    const edges = own(new cv.Mat());
    const lamp = own(new cv.Mat());
    const deviation = own(new cv.Mat());
    const shrink = Math.min(1, LOOK_PX / Math.max(grey.cols, grey.rows));
    cv.resize(grey, small, new cv.Size(0, 0), shrink, shrink, cv.INTER_AREA);
    cv.Laplacian(small, edges, cv.CV_64F);
    cv.meanStdDev(edges, own(new cv.Mat()), deviation);
    if (deviation.data64F[0]! ** 2 < SHARP) return 'blur';
    cv.threshold(small, lamp, LAMP, 255, cv.THRESH_BINARY);
    if (cv.countNonZero(lamp) > MUCH_GLARE * small.rows * small.cols) return 'glare';
    return 'cut_off';
  });
}
