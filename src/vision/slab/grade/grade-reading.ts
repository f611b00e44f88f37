import type { OcrLayout } from '../../ocr.ts';
import { type Box, boxAround } from '../../quad.ts';
import { inkAt, type LabelPrint, type PrintWord, readPart } from '../label-print.ts';
import { type LabelRow, rowsOf } from '../label-text.ts';
import type { SlabCompany } from '../label-words.ts';
import type { Ink } from '../print/ink.ts';
import { gradeByNumber } from './grade-by-number.ts';
import { numberNear, type Reader, readNumbers, readNumbersBy } from './grade-number.ts';
import { isSure, type LabelGrade, type PlacedGrade, settleGrade } from './grade-settle.ts';
import { gradeWordsOf } from './grade-words.ts';
import { findLargeNumbers } from './large-numbers.ts';

/** What was read of a label before: all rows, and where its cert is. */
type ReadRows = { rows: readonly LabelRow[]; cert: PrintWord | null; company: SlabCompany };

/** The grade on a label: by its words, read again enlarged where these are missed, or else by its number. */
export async function readGrade(tools: Reader, print: LabelPrint, seen: ReadRows): Promise<LabelGrade | null> {
  const grade = await anyGrade(tools, print, seen);
  if (grade === null) return null;
  const { at, ...read } = grade;
  // Four subgrades of 10 have a label of their own, light on dark, and the words of the other.
  const isBlackLabel = read.key === 'bgs-10' && inkAt(tools.cv, print, at) === 'light';
  return isBlackLabel ? { ...read, key: 'bgs-10-5' } : read;
}

async function anyGrade(
  tools: Reader,
  print: LabelPrint,
  { rows, cert, company }: ReadRows,
): Promise<PlacedGrade | null> {
  const fromShare = company === 'CGC' ? 0 : 0.5;
  let best = await gradeIn(tools, print, rows, company, fromShare);
  if (isSure(best)) return best;
  const large = await gradeByNumber(tools, print, company);
  if (isSure(large)) return large;
  if (best?.key == null) best = large ?? best;
  for (const { part, ink, scale, layout } of closerLooks(print, cert, company)) {
    const words = await readPart(tools, print, ink, { part, scale, layout });
    const grade = await gradeIn(tools, print, rowsOf(words), company, 0);
    if (isSure(grade)) return grade;
    if (best?.key == null) best = grade ?? best;
  }
  // What reads as a number may be a part of one, or a subgrade.
  if (best?.words == null) return best;
  for (const { box, ink } of findLargeNumbers(tools.cv, print, company)) {
    const numbers = await readNumbers(tools, print, { area: box, digitHeight: box.height, ink });
    const both = settleGrade(company, best.words, numbers);
    if (isSure(both)) return { ...both, at: box };
  }
  return best;
}

type InkPart = { part: Box; ink: Ink; scale: number; layout: OcrLayout };

const CLOSE_UP = 1.4;
/** Digits of a cert are so high when the words above them are read from close, pixels. */
const CERT_PX = 42;

/** Where graders print their grades: over the cert, those of CGC in a box on one side. */
function closerLooks({ width, height }: LabelPrint, cert: PrintWord | null, company: SlabCompany): InkPart[] {
  if (company === 'CGC') {
    const right = { x: 0.66 * width, y: 0, width: 0.34 * width, height };
    const left = { ...right, x: 0, width: 0.32 * width };
    return [right, left].flatMap((part) =>
      (['dark', 'light'] as const).map((ink) => ({ part, ink, scale: CLOSE_UP, layout: 'sparse' as const })),
    );
  }
  if (cert === null) return [];
  const scale = CERT_PX / cert.height;
  const above = (from: number, layout: OcrLayout): InkPart => ({
    part: {
      x: cert.x - cert.height,
      y: cert.y - from * cert.height,
      width: cert.width + 2 * cert.height,
      height: (from - 0.1) * cert.height,
    },
    ink: cert.ink,
    scale,
    layout,
  });
  // The words of BGS are missed next to the large number: they are read as a single line.
  if (company === 'BGS') return [above(2.3, 'line'), above(7.5, 'sparse')];
  return [above(7.5, 'sparse'), above(7.5, 'block')];
}

/**
 * The grade in rows of print. Words count right of a share of the label: those of the card are on the left, and "EX" is
 * a grade and a kind of card.
 */
async function gradeIn(
  tools: Reader,
  print: LabelPrint,
  rows: readonly LabelRow[],
  company: SlabCompany,
  fromShare: number,
): Promise<PlacedGrade | null> {
  let best: PlacedGrade | null = null;
  for (const { text, words, isRow } of rows.flatMap(gradeWordsOf)) {
    const box = boxAround(words);
    // A row of its own may begin further left.
    if (box.x + box.width / 2 < print.width * fromShare * (isRow ? 0.6 : 1)) continue;
    const near = numberNear(rows, box, company);
    const known = near === null ? [] : [near];
    const quick = settleGrade(company, text, known);
    const reading = isSure(quick)
      ? quick
      : settleGrade(company, text, [...known, ...(await readNumbersBy(tools, print, box, company))]);
    if (isSure(reading)) return { ...reading, at: box };
    if (best === null || (best.key === null && reading.key !== null)) best = { ...reading, at: box };
  }
  return best;
}
