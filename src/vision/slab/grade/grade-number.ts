import type { Ocr } from '../../ocr.ts';
import type { CV } from '../../opencv.ts';
import { type Box, isIn, middleOf } from '../../quad.ts';
import { inkAt, type LabelPrint } from '../label-print.ts';
import type { LabelRow } from '../label-text.ts';
import type { SlabCompany } from '../label-words.ts';
import { finish } from '../print/finish.ts';
import type { Ink } from '../print/ink.ts';
import { gradeNumberOf } from './grade-words.ts';
import { numbersIn } from './large-numbers.ts';

/** What reads a label. */
export type Reader = { cv: CV; ocr: Ocr };

/** A number that was read with the rest, where the company prints it. */
export function numberNear(rows: readonly LabelRow[], words: Box, company: SlabCompany): string | null {
  const [, area] = placeOf(words, company);
  for (const row of rows) {
    for (const word of row.words) {
      const number = gradeNumberOf(word.text);
      if (number === null || word.confidence < 60) continue;
      if (isIn(middleOf(word), area)) return number;
    }
  }
  return null;
}

/** Where the number is printed by its words, and how high its digits are against the words. */
function placeOf({ x, y, width, height }: Box, company: SlabCompany): [digitHeights: number, area: Box] {
  const middle = x + width / 2;
  // PSA sets words and number flush right, of one size; the others center a large number.
  if (company === 'PSA') {
    const right = x + width;
    return [1, { x: right - 3.6 * height, y: y + 1.05 * height, width: 4.2 * height, height: 1.9 * height }];
  }
  const half = 4.2 * height;
  const below: Box = { x: middle - half, y: y + 1.05 * height, width: 2 * half, height: 5.6 * height };
  const above: Box = { x: middle - half, y: y - 4.4 * height, width: 2 * half, height: 4.35 * height };
  return company === 'BGS' ? [3, above] : [3.4, below];
}

/** Letters of the picture that digits are read from are so high, pixels. */
const DIGIT_PX = 44;

/** Readings of the number that belongs to these words. */
export async function readNumbersBy(
  tools: Reader,
  print: LabelPrint,
  words: Box,
  company: SlabCompany,
): Promise<string[]> {
  const [heights, area] = placeOf(words, company);
  const ink = inkAt(tools.cv, print, words);
  // Alone where it is separate: the sides of the box around it would be read as ones.
  const large = company === 'PSA' ? [] : numbersIn(tools.cv, print, area, ink);
  const place = large.length === 1 ? { area: large[0]!, digitHeight: large[0]!.height } : null;
  return readNumbers(tools, print, { ...(place ?? { area, digitHeight: words.height * heights }), ink });
}

/** A digit read with less confidence, of 100, is a guess: a line of the watermark above a nine made it an eight, twice. */
const LEGIBLE = 25;

/** Readings of a number alone in an area, as digits, in several finishes until two agree, each of a confidence at `least`. */
export async function readNumbers(
  { cv, ocr }: Reader,
  print: LabelPrint,
  { area, digitHeight, ink }: { area: Box; digitHeight: number; ink: Ink },
  least = LEGIBLE,
): Promise<string[]> {
  const scale = DIGIT_PX / digitHeight;
  const numbers: string[] = [];
  for (const [of, how] of FINISHES) {
    const isLightOnGrey = of === 'grey' && ink === 'light';
    const picture = finish(cv, of === 'grey' ? print.grey : print.of(ink), area, scale, how, isLightOnGrey);
    const read = await ocr.read(picture, { layout: 'word', only: '0123456789.' });
    const found = read
      .filter(({ confidence }) => confidence >= least)
      .map(({ text }) => gradeNumberOf(text))
      .filter((number) => number !== null);
    if (found.length !== 1) continue;
    if (numbers.includes(found[0]!)) return [...numbers, found[0]!];
    numbers.push(found[0]!);
  }
  return numbers;
}

const FINISHES = [
  ['plain', 'stretched'],
  ['grey', 'stretched'],
  ['grey', 'otsu'],
  ['plain', 'otsu'],
] as const;
