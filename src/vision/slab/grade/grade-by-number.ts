import { canonicalWords, GRADES, gradeByKey } from '../../../catalog/grades.ts';
import type { CV } from '../../opencv.ts';
import { type Box, grown, isIn, middleOf } from '../../quad.ts';
import { type LabelPrint, readPart } from '../label-print.ts';
import type { SlabCompany } from '../label-words.ts';
import type { Ink } from '../print/ink.ts';
import { findRows } from '../print/print-rows.ts';
import { nearestGradeWords } from './grade-nearest.ts';
import { type Reader, readNumbers } from './grade-number.ts';
import { isSure, type LabelGrade, type PlacedGrade, settleGrade } from './grade-settle.ts';
import { findLargeNumbers, numbersIn, wordsBy } from './large-numbers.ts';

/** A part of a label to read as one line, so many times as large. */
type WordLine = { part: Box; scale: number };

/** A number alone, the row of words by it where one was found, and where its words may be. */
type NumberPlace = { number: Box; row: Box | null; words: WordLine[]; ink: Ink };

/** Numbers that are tried. */
const MAX_NUMBERS = 3;

/**
 * The grade by a number that is read twice alike, and the row of words next to it. Blurred words run together
 * until their blur is undone, and then some letters are misread; where all are, a large number alone may be enough.
 */
export async function gradeByNumber(
  tools: Reader,
  print: LabelPrint,
  company: SlabCompany,
): Promise<PlacedGrade | null> {
  let best: PlacedGrade | null = null;
  const places =
    company === 'PSA' ? placesOnRight(tools.cv, print).slice(0, MAX_NUMBERS) : placesOfLarge(tools.cv, print, company);
  for (const { number, row, words, ink } of places) {
    const place = { area: number, digitHeight: number.height, ink };
    const numbers = await readNumbers(tools, print, place);
    if (new Set(numbers).size === numbers.length) continue;
    let isRead = false;
    for (const [line, edges] of words.flatMap((one) => [[one, 'plain'] as const, [one, 'sharp'] as const])) {
      const read = await readPart(tools, print, ink, { ...line, layout: 'line', edges });
      const near = nearestGradeWords(company, read.map(({ text }) => text).join(' '));
      if (near === null) continue;
      isRead = true;
      const both = { ...settleGrade(company, near, numbers), at: number };
      // Digits of PSA are as small as its words, which are not part of others here: fives pass for sixes, nines for eights.
      if (company === 'PSA' && !isNamed(both.key, near)) continue;
      if (isSure(both)) return both;
      best ??= both;
    }
    if (company !== 'PSA' && !isRead && row !== null && isCentered(number, row)) {
      const alone = gradeOfNumber(company, await readNumbers(tools, print, place, BEYOND_DOUBT));
      if (alone !== null) return { ...alone, at: number };
    }
  }
  return best;
}

/** Of 100: where no word of the grade is legible, each of two readings of its number must be so sure. */
const BEYOND_DOUBT = 85;
/** In heights of the number: its middle is above or below that of its words, unless a digit was missed. */
const OFF_CENTER = 0.08;

/** The only grade of a number that is read twice alike: of several tens the words would say which, and any line passes for a one. */
function gradeOfNumber(company: SlabCompany, numbers: readonly string[]): LabelGrade | null {
  const number = numbers.find((one, at) => one !== '1' && numbers.indexOf(one) < at) ?? null;
  const [row, another] = GRADES.filter((one) => one.company === company && one.number === Number(number));
  return row === undefined || another !== undefined ? null : { words: null, number, key: row.key };
}

function isCentered(number: Box, row: Box): boolean {
  return Math.abs(middleOf(number)[0] - middleOf(row)[0]) < OFF_CENTER * number.height;
}

/** Whether these are all words of the grade. */
function isNamed(key: string | null, words: string): boolean {
  return key !== null && gradeByKey(key)!.spellings.includes(canonicalWords(words, 'PSA').words);
}

/** Letters of a row that is read alone are so high, and have so much room around them, in their heights. */
const WORDS_PX = 44;
const ROOM = 0.35;
/** Where no row was found: they are read a little larger than the rest. */
const CLOSE_UP = 1.4;

function alone(row: Box): WordLine {
  return { part: grown(row, ROOM * row.height), scale: WORDS_PX / row.height };
}

/** Large numbers, the largest first, each with the row in the area of its words, and that area. */
function placesOfLarge(cv: CV, print: LabelPrint, company: SlabCompany): NumberPlace[] {
  return findLargeNumbers(cv, print, company)
    .sort((a, b) => b.box.height - a.box.height)
    .slice(0, MAX_NUMBERS)
    .map(({ box, ink }) => {
      const area = wordsBy(box, company);
      const row = findRows(cv, print.of(ink)).find((one) => isIn(middleOf(one), area));
      const words = [...(row === undefined ? [] : [alone(row)]), { part: area, scale: CLOSE_UP }];
      return { number: box, row: row ?? null, words, ink };
    });
}

/** Where PSA has its grade, from this share of the label's width on: a row of words, and below it a number of their size. */
const RIGHT = 0.6;
const BELOW = { from: 0.9, to: 3, aside: 0.6, least: 0.7, most: 1.35 };
/** The border next to it is darker than its ink. */
const LIGHTER = 150;
/** Both end on the right; a number that ends before lacks a digit. */
const FLUSH = 0.3;

function placesOnRight(cv: CV, print: LabelPrint): NumberPlace[] {
  const rows = findRows(cv, print.of('dark')).filter(({ x, width }) => x + width / 2 > RIGHT * print.width);
  return rows.flatMap((words) => {
    const { x, y, width, height } = words;
    const aside = BELOW.aside * height;
    const area = {
      x: x - aside,
      y: y + BELOW.from * height,
      width: width + 2 * aside,
      height: (BELOW.to - BELOW.from) * height,
    };
    const digits = { least: BELOW.least * height, most: BELOW.most * height, lighter: LIGHTER };
    const [number, another] = numbersIn(cv, print, area, 'dark', digits);
    const isFlush = number !== undefined && number.x + number.width > x + width - FLUSH * height;
    return isFlush && another === undefined
      ? [{ number, row: words, words: [alone(words)], ink: 'dark' as const }]
      : [];
  });
}
