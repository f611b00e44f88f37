import { type CV, type Mat, withMats } from '../../opencv.ts';
import type { Box } from '../../quad.ts';

const STATS = 5;

/** Boxes around connected pixels of a mask, of those whose size and number of pixels are right. */
export function blotsOf(
  cv: CV,
  mask: Mat,
  neighbours: 4 | 8,
  isRight: (width: number, height: number, area: number) => boolean,
): Box[] {
  return withMats((own) => {
    const [labels, stats, centroids] = [own(new cv.Mat()), own(new cv.Mat()), own(new cv.Mat())];
    const count = cv.connectedComponentsWithStats(mask, labels, stats, centroids, neighbours, cv.CV_32S);
    // Each read of `data32S` makes a new view, and noise has a hundred thousand components.
    const data = stats.data32S;
    const blots: Box[] = [];
    // The first component is the ground.
    for (let at = STATS; at < count * STATS; at += STATS) {
      const [width, height] = [data[at + 2]!, data[at + 3]!];
      if (isRight(width, height, data[at + 4]!)) blots.push({ x: data[at]!, y: data[at + 1]!, width, height });
    }
    return blots;
  });
}
