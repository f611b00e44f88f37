import { areaOf, boxOf, centerOf, coverOf, middleOf, type Quad } from '../../vision/quad.ts';

type Outlined = { quad: Quad };

/** A box that is covered this far by a much larger one is a part of it, such as its art. */
const COVERED = 0.9;
const PART = 0.6;

/** Boxes without those that are a part of another, as people read: row by row, from the left. */
export function inReadingOrder<Box extends Outlined>(boxes: readonly Box[]): Box[] {
  const whole = boxes.filter(
    ({ quad }) =>
      !boxes.some(
        (other) =>
          areaOf(quad) < PART * areaOf(other.quad) && other.quad !== quad && coverOf(quad, other.quad) > COVERED,
      ),
  );
  const rows: Box[][] = [];
  for (const box of whole.toSorted((a, b) => topOf(a) - topOf(b))) {
    const row = rows.at(-1);
    // A row goes on as long as the middle of a box is above the bottom of the row's first one.
    if (row !== undefined && centerOf(box.quad)[1] < bottomOf(row[0]!)) row.push(box);
    else rows.push([box]);
  }
  return rows.flatMap((row) => row.toSorted((a, b) => centerOf(a.quad)[0] - centerOf(b.quad)[0]));
}

/** The position of the box nearest to the middle of a photo. */
export function mostCentral(boxes: readonly Outlined[], photo: { width: number; height: number }): number {
  const [x, y] = middleOf({ x: 0, y: 0, ...photo });
  const distances = boxes.map(({ quad }) => Math.hypot(centerOf(quad)[0] - x, centerOf(quad)[1] - y));
  return distances.indexOf(Math.min(...distances));
}

function topOf({ quad }: Outlined): number {
  return boxOf(quad).y;
}

function bottomOf({ quad }: Outlined): number {
  const { y, height } = boxOf(quad);
  return y + height;
}
