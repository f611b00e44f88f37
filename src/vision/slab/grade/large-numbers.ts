import type { CV } from '../../opencv.ts';
import { type Box, boxAround, grown } from '../../quad.ts';
import { LABEL_PX_PER_MM as MM } from '../label-picture.ts';
import type { LabelPrint } from '../label-print.ts';
import type { SlabCompany } from '../label-words.ts';
import { blotsOf } from '../print/blots.ts';
import type { Ink } from '../print/ink.ts';

/** Heights of digits in pixels of the label's picture, and what is lighter than their ink. */
type Digits = { least: number; most: number; lighter: number };
/** Digits of a large number are so high: BGS and CGC print their grades so. */
const LARGE: Digits = { least: 4.5 * MM, most: 10 * MM, lighter: 110 };
const WIDEST_MM = 8;
/** Between digits of one number there is no more. */
const GAP_MM = 4;
const ROOM_MM = 0.8;
/** Where graders print it, in shares of the label's width: elsewhere logos are as large. */
const SIDES: Partial<Record<SlabCompany, readonly [from: number, to: number][]>> = {
  BGS: [[0.6, 1]],
  CGC: [
    [0.62, 1],
    [0, 0.34],
  ],
};

/** Numbers of a label that are two or three times as high as its letters; PSA prints none. */
export function findLargeNumbers(cv: CV, print: LabelPrint, company: SlabCompany): { box: Box; ink: Ink }[] {
  return (['dark', 'light'] as const).flatMap((ink) => {
    const digits = digitsIn(cv, print, ink, LARGE);
    return (SIDES[company] ?? []).flatMap(([from, to]) => {
      const there = digits.filter(({ x, width }) => x > from * print.width && x + width < to * print.width);
      return numbersOf(there).map((box) => ({ box, ink }));
    });
  });
}

/** Where the words of a grade are printed around its large number, in heights of it. */
const BELOW = { from: 1, to: 1.7, aside: 1.5 };
const ABOVE = { from: -0.8, to: -0.06, aside: 1.1 };

/** The row of words next to a large number: below it on labels of BGS, above it on those of CGC. */
export function wordsBy({ x, y, width, height }: Box, company: SlabCompany): Box {
  const words = company === 'BGS' ? BELOW : ABOVE;
  const digit = height - 2 * ROOM_MM * MM;
  const middle = x + width / 2;
  return {
    x: middle - words.aside * digit,
    y: y + ROOM_MM * MM + words.from * digit,
    width: 2 * words.aside * digit,
    height: (words.to - words.from) * digit,
  };
}

/** Numbers in an area of the label, of one kind of print: large ones, or with other digits. */
export function numbersIn(cv: CV, print: LabelPrint, area: Box, ink: Ink, digits: Digits = LARGE): Box[] {
  const isInside = ({ x, y, width, height }: Box) =>
    x > area.x && x + width < area.x + area.width && y > area.y && y + height < area.y + area.height;
  return numbersOf(digitsIn(cv, print, ink, digits).filter(isInside));
}

function digitsIn(cv: CV, print: LabelPrint, ink: Ink, { least, most, lighter }: Digits): Box[] {
  const mask = new cv.Mat();
  try {
    cv.threshold(print.of(ink), mask, lighter, 255, cv.THRESH_BINARY_INV);
    const isDigit = (width: number, height: number, area: number) =>
      height > least && height < most && width < WIDEST_MM * MM && width < 1.1 * height && area > 0.2 * width * height;
    return blotsOf(cv, mask, 8, isDigit).sort((a, b) => a.x - b.x);
  } finally {
    mask.delete();
  }
}

/** Digits next to each other as numbers, with room around them. */
function numbersOf(digits: readonly Box[]): Box[] {
  const groups: Box[][] = [];
  for (const digit of digits) {
    const group = groups.find((one) => {
      const last = one.at(-1)!;
      const isLevel =
        Math.abs(last.y - digit.y) < 0.15 * last.height && Math.abs(last.height - digit.height) < 0.15 * last.height;
      return isLevel && digit.x - last.x - last.width < GAP_MM * MM;
    });
    if (group === undefined) groups.push([digit]);
    else group.push(digit);
  }
  return groups.filter((group) => group.length <= 2).map((group) => grown(boxAround(group), ROOM_MM * MM));
}
