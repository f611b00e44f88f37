import { type CV, type Mat, withMats } from '../../opencv.ts';
import { LABEL_PX_PER_MM } from '../label-picture.ts';

export type Ink = 'dark' | 'light';

/** Strokes of print are narrower than this, those of the largest grades too; millimetres. */
const STROKE_MM = 3.2;
/** What is as dark as the darkest within this distance is ink in full. */
const NEAR_MM = 5;
/** Ink differs from its paper by this much at least; smaller differences are noise. */
const CONTRAST = 24;
/** Paper and light change slowly: they are sampled so coarsely. */
const COARSE_PX_PER_MM = 5;

/**
 * The print of a label as dark letters on white, whatever its paper and the light on it: `dark` letters on lighter paper, or
 * `light` ones on darker. The caller deletes it.
 */
export function inkOf(cv: CV, grey: Mat, ink: Ink): Mat {
  const shrink = COARSE_PX_PER_MM / LABEL_PX_PER_MM;
  const kernel = (mm: number, scale: number) => {
    const side = Math.round(mm * scale) | 1;
    return cv.getStructuringElement(cv.MORPH_RECT, new cv.Size(side, side));
  };
  const whole = new cv.Size(grey.cols, grey.rows);
  return withMats((own) => {
    const mat = () => own(new cv.Mat());
    const [coarse, paper, hat, print] = [mat(), mat(), mat(), mat()];
    const [most, near, strength] = [mat(), mat(), mat()];
    const least = own(new cv.Mat(grey.rows, grey.cols, cv.CV_8UC1, new cv.Scalar(CONTRAST)));
    const stroke = own(kernel(STROKE_MM, COARSE_PX_PER_MM));
    const around = own(kernel(2 * NEAR_MM, COARSE_PX_PER_MM));
    const thin = own(kernel(1 / COARSE_PX_PER_MM, LABEL_PX_PER_MM));
    cv.resize(grey, coarse, new cv.Size(0, 0), shrink, shrink, cv.INTER_AREA);
    cv.morphologyEx(coarse, coarse, ink === 'dark' ? cv.MORPH_CLOSE : cv.MORPH_OPEN, stroke);
    cv.resize(coarse, paper, whole, 0, 0, cv.INTER_LINEAR);
    if (ink === 'dark') cv.subtract(paper, grey, hat);
    else cv.subtract(grey, paper, hat);
    cv.dilate(hat, most, thin);
    cv.resize(most, near, new cv.Size(coarse.cols, coarse.rows), 0, 0, cv.INTER_NEAREST);
    cv.dilate(near, near, around);
    cv.GaussianBlur(near, near, new cv.Size(0, 0), (NEAR_MM * COARSE_PX_PER_MM) / 3);
    cv.resize(near, strength, whole, 0, 0, cv.INTER_LINEAR);
    cv.max(strength, least, strength);
    cv.divide(hat, strength, print, 255);
    cv.bitwise_not(print, print);
    return print;
  });
}
