import { type GradeRow, gradeOf } from '../../catalog/grades.ts';
import type { Ocr, OcrLayout } from '../ocr.ts';
import type { CV } from '../opencv.ts';
import type { Box } from '../quad.ts';
import { numberNear, readNumbers, readNumbersBy } from './grade-number.ts';
import { gradeWordsOf } from './grade-words.ts';
import type { Ink } from './ink.ts';
import { inkAt, type LabelPrint, type PrintWord, readPart } from './label-print.ts';
import { around, type LabelRow, rowsOf } from './label-text.ts';
import type { SlabCompany } from './label-words.ts';
import { findLargeNumbers } from './large-numbers.ts';

/** A grade as it was read: its words and its number, each where it was legible, and its row on the company's scale. */
export type GradeReading = { words: string | null; number: string | null; key: string | null };

type Reader = { cv: CV; ocr: Ocr };

/** What was read of a label before: all rows, and where its cert is. */
type Seen = { rows: readonly LabelRow[]; cert: PrintWord | null; company: SlabCompany };

/** The grade on a label: by its words, looked at from closer where these are missed, or else by its large number. */
export async function readGrade(tools: Reader, print: LabelPrint, seen: Seen): Promise<GradeReading | null> {
  const grade = await anyGrade(tools, print, seen);
  // Four subgrades of 10 have a label of their own, light on dark, and the words of the other.
  const isBlackLabel = grade?.key === 'bgs-10' && seen.cert !== null && inkAt(tools.cv, print, seen.cert) === 'light';
  return isBlackLabel ? { ...grade, key: 'bgs-10-5' } : grade;
}

async function anyGrade(tools: Reader, print: LabelPrint, { rows, cert, company }: Seen): Promise<GradeReading | null> {
  const fromShare = company === 'CGC' ? 0 : 0.5;
  let best = await gradeIn(tools, print, rows, company, fromShare);
  if (isSure(best)) return best;
  for (const { part, ink, scale, layout } of closerLooks(print, cert, company)) {
    const words = await readPart(tools, print, ink, { part, scale, layout });
    const grade = await gradeIn(tools, print, rowsOf(words), company, 0);
    if (isSure(grade)) return grade;
    if (best?.key == null) best = grade ?? best;
  }
  for (const { box, ink } of findLargeNumbers(tools.cv, print, company)) {
    const numbers = await readNumbers(tools, print, { area: box, digitHeight: box.height, ink });
    const number = numbers.find((one, at) => numbers.indexOf(one) < at);
    if (number === undefined || number === '1') continue;
    const both = best?.words == null ? null : settle(company, best.words, [number, number]);
    if (isSure(both)) return both;
    const named = gradeOf(company, number);
    if (named !== null) return { words: null, number, key: named.key };
  }
  return best;
}

/** Its words and its number agree. */
function isSure(grade: GradeReading | null): boolean {
  return grade?.key != null && grade.number !== null;
}

type Look = { part: Box; ink: Ink; scale: number; layout: OcrLayout };

const CLOSE_UP = 1.4;
/** Digits of a cert are so high when the words above them are read from close, pixels. */
const CERT_PX = 42;

/** Where graders print their grades: over the cert, those of CGC in a box on one side. */
function closerLooks({ width, height }: LabelPrint, cert: PrintWord | null, company: SlabCompany): Look[] {
  if (company === 'CGC') {
    const right = { x: 0.66 * width, y: 0, width: 0.34 * width, height };
    const left = { ...right, x: 0, width: 0.32 * width };
    return [right, left].flatMap((part) =>
      (['dark', 'light'] as const).map((ink) => ({ part, ink, scale: CLOSE_UP, layout: 'sparse' as const })),
    );
  }
  if (cert === null) return [];
  const scale = CERT_PX / cert.height;
  const above = (from: number, layout: OcrLayout): Look => ({
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
  // Beside the large number the words of BGS are missed: they are read as the line that they are.
  if (company === 'BGS') return [above(2.3, 'line'), above(7.5, 'sparse')];
  return [above(7.5, 'sparse'), above(7.5, 'block')];
}

/**
 * The grade in rows of print. Words count right of a share of the label: on the left stand those of the card, and "EX" is
 * a grade and a kind of card.
 */
async function gradeIn(
  tools: Reader,
  print: LabelPrint,
  rows: readonly LabelRow[],
  company: SlabCompany,
  fromShare: number,
): Promise<GradeReading | null> {
  let best: GradeReading | null = null;
  for (const { text, words, isRow } of rows.flatMap(gradeWordsOf)) {
    const box = around(words);
    // A row of its own may begin further left.
    if (box.x + box.width / 2 < print.width * fromShare * (isRow ? 0.6 : 1)) continue;
    const near = numberNear(rows, box, company);
    const reading =
      near !== null && gradeOf(company, `${text} ${near}`) !== null
        ? { words: text, number: near, key: gradeOf(company, `${text} ${near}`)!.key }
        : settle(
            company,
            text,
            [...(near === null ? [] : [near]), ...(await readNumbersBy(tools, print, box, company))],
            isRow || !PARTS_OF_OTHERS.test(text),
          );
    if (reading.key !== null && reading.number !== null) return reading;
    if (best === null || (best.key === null && reading.key !== null)) best = reading;
  }
  return best;
}

/** Grades whose words are also the end of another's: one that was read in part passes for them. */
const PARTS_OF_OTHERS = /^(?:MT|MINT|NM|EX|VG)\+?$/;

/**
 * What words and readings of the number come to: the number that agrees with the words, or one that was read twice. Words
 * that may be a part only (not `isWhole`) need a number that was read twice, too.
 */
function settle(company: SlabCompany, words: string, numbers: readonly string[], isWhole = true): GradeReading {
  const named: GradeRow | null = gradeOf(company, words);
  const twice = numbers.find((number, at) => numbers.indexOf(number) < at) ?? null;
  for (const number of isWhole ? numbers : [twice]) {
    // Any upright line passes for a one.
    if (number === null || (number === '1' && twice !== '1')) continue;
    // A plus is easily missed, a point less so.
    for (const spelled of number.endsWith('.5') ? [words, `${words}+`] : [words]) {
      const row = gradeOf(company, `${spelled} ${number}`);
      if (row !== null) return { words: spelled, number, key: row.key };
    }
  }
  // Words that are on no scale may be misread: the number says enough.
  if (named === null && twice !== null) return { words, number: twice, key: gradeOf(company, twice)?.key ?? null };
  // A lost plus is half a grade, a lost word one or so: what is further off is a misread number.
  const isFarOff = numbers.every((number) => Math.abs(Number(number) - (named?.number ?? 0)) > 1);
  const isTold = (numbers.length === 0 && isWhole) || (isFarOff && !PARTS_OF_OTHERS.test(words));
  return { words, number: null, key: isTold ? (named?.key ?? null) : null };
}
