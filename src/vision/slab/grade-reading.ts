import { type GradeRow, gradeOf } from '../../catalog/grades.ts';
import type { Ocr } from '../ocr.ts';
import type { CV, Mat } from '../opencv.ts';
import type { Box } from '../quad.ts';
import { gradeNumberOf, gradeWordsOf } from './grade-words.ts';
import { around, type LabelRow } from './label-text.ts';
import type { SlabCompany } from './label-words.ts';
import { finish, frameIn, type Window } from './window.ts';

/** A grade as it was read: its words and its number, each where it was legible, and its row on the company's scale. */
export type GradeReading = { words: string | null; number: string | null; key: string | null };

/** Letters of the picture that digits are read from are so high, pixels. */
const DIGIT_PX = 44;

/**
 * The grade on a label: its words from the rows, its number from there or from its own place beside the words. Words count
 * right of a share of the window: on the left stand those of the card, and "EX" is a grade and a kind of card.
 */
export async function readGrade(
  { cv, ocr }: { cv: CV; ocr: Ocr },
  grey: Mat,
  window: Window,
  rows: readonly LabelRow[],
  company: SlabCompany,
  fromShare = company === 'CGC' ? 0 : 0.5,
): Promise<GradeReading | null> {
  let best: GradeReading | null = null;
  for (const { text, words, isRow } of rows.flatMap(gradeWordsOf)) {
    const box = around(words);
    // A row of its own may begin further left.
    if (box.x + box.width / 2 < window.picture.width * fromShare * (isRow ? 0.6 : 1)) continue;
    const named = gradeOf(company, text);
    const near = numberNear(rows, box, company);
    const reading =
      near !== null && gradeOf(company, `${text} ${near}`) !== null
        ? { words: text, number: near, key: gradeOf(company, `${text} ${near}`)!.key }
        : settle(company, text, named, await readNumbers({ cv, ocr }, grey, window, box, company));
    if (reading.key !== null && reading.number !== null) return reading;
    if (best === null || (best.key === null && reading.key !== null)) best = reading;
  }
  return best;
}

/** Grades whose words are also the end of another's: one that was read in part passes for them. */
const PARTS_OF_OTHERS = /^(?:MT|MINT|NM|EX|VG)\+?$/;

/** What words and readings of the number come to: the number that agrees with the words, or one that was read twice. */
function settle(company: SlabCompany, words: string, named: GradeRow | null, numbers: readonly string[]): GradeReading {
  for (const number of numbers) {
    const row = gradeOf(company, `${words} ${number}`);
    if (row !== null) return { words, number, key: row.key };
  }
  const twice = numbers.find((number, at) => numbers.indexOf(number) < at) ?? null;
  // Words that are on no scale may be misread: the number says enough.
  if (named === null && twice !== null) return { words, number: twice, key: gradeOf(company, twice)?.key ?? null };
  // A lost plus is half a grade, a lost word one or so: what is further off is a misread number.
  const isFarOff = numbers.every((number) => Math.abs(Number(number) - (named?.number ?? 0)) > 1);
  const isTold = numbers.length === 0 || (isFarOff && !PARTS_OF_OTHERS.test(words));
  return { words, number: null, key: isTold ? (named?.key ?? null) : null };
}

/** A number that was read with the rest, where the company prints it. */
function numberNear(rows: readonly LabelRow[], words: Box, company: SlabCompany): string | null {
  const [, area] = placesOf(words, company)[0]!;
  for (const row of rows) {
    for (const word of row.words) {
      const number = gradeNumberOf(word.text);
      if (number === null || word.confidence < 60) continue;
      const x = word.x + word.width / 2;
      const y = word.y + word.height / 2;
      if (x > area.x && x < area.x + area.width && y > area.y && y < area.y + area.height) return number;
    }
  }
  return null;
}

/** Where the number stands by its words, in boxes around it, and how high its digits are against the words. */
function placesOf({ x, y, width, height }: Box, company: SlabCompany): [digitHeights: number, area: Box][] {
  const middle = x + width / 2;
  // PSA sets words and number flush right, of one size; the others centre a large number.
  if (company === 'PSA') {
    const right = x + width;
    return [[1, { x: right - 3.6 * height, y: y + 1.05 * height, width: 4.2 * height, height: 1.9 * height }]];
  }
  const half = 4.2 * height;
  const below: Box = { x: middle - half, y: y + 1.05 * height, width: 2 * half, height: 5.6 * height };
  const above: Box = { x: middle - half, y: y - 4.4 * height, width: 2 * half, height: 4.35 * height };
  return company === 'BGS' ? [[3, above]] : [[3.4, below]];
}

/** Readings of the number alone, as digits, in several finishes until two agree. */
async function readNumbers(
  { cv, ocr }: { cv: CV; ocr: Ocr },
  grey: Mat,
  window: Window,
  words: Box,
  company: SlabCompany,
): Promise<string[]> {
  const numbers: string[] = [];
  for (const [heights, area] of placesOf(words, company)) {
    const frame = frameIn(window, area);
    const scale = (DIGIT_PX / (words.height * heights)) * window.scale;
    for (const [how, isInverted] of FINISHES) {
      const picture = finish(cv, grey, frame, scale, how, isInverted);
      const read = await ocr.read(picture, { layout: 'word', only: '0123456789.' });
      const found = read.map((word) => gradeNumberOf(word.text)).filter((number) => number !== null);
      if (found.length !== 1) continue;
      if (numbers.includes(found[0]!)) return [...numbers, found[0]!];
      numbers.push(found[0]!);
    }
  }
  return numbers;
}

const FINISHES = [
  ['stretched', false],
  ['otsu', false],
  ['otsu', true],
  ['stretched', true],
] as const;
