import type { BarcodeReader } from '../barcode.ts';
import type { Ocr } from '../ocr.ts';
import type { CV } from '../opencv.ts';
import { distance } from '../quad.ts';
import { type CertSighting, isCertLike, placesOf, readBarcodes, readCerts } from './cert-reading.ts';
import { readGrade } from './grade/grade-reading.ts';
import type { LabelGrade } from './grade/grade-settle.ts';
import { gradeWordsOf } from './grade/grade-words.ts';
import type { LabelPicture } from './label-picture.ts';
import { type LabelPrint, merged, openPrint, type PrintWord, readPart, readRows } from './label-print.ts';
import { digitsOf, type LabelText, labelText, rowsOf } from './label-text.ts';
import { type CompanyMarks, companyOfWords, type SlabCompany } from './label-words.ts';
import { greyOf } from './print/grey.ts';
import { hasRedBorder } from './red-border.ts';

export type SlabTools = { cv: CV; barcode: BarcodeReader; ocr: Ocr };

/** Tools for one place of a photo: for the words that say whether it is a label, and for grade and cert where it is one. */
export type PlaceTools = { words: SlabTools; details: SlabTools };

/** What a label says, as far as it can be read. */
export type LabelReading = LabelText & {
  company: SlabCompany;
  certs: CertSighting[];
  grade: LabelGrade | null;
  /** Its company is known by words; the red border of PSA says less. */
  isMarked: boolean;
};

/** Reads what may be a label, straight and with letters of `LETTER_PX`; null when it is not a label. */
export async function readLabel(
  { words: forWords, details: tools }: PlaceTools,
  { picture, quad }: LabelPicture,
): Promise<LabelReading | null> {
  const grey = greyOf(tools.cv, picture);
  const print = openPrint(tools.cv, grey);
  try {
    const isRed = hasRedBorder(picture);
    const { words, marks } = await readWords(forWords, print, isRed);
    const company = marks?.company ?? (isRed ? 'PSA' : null);
    if (company === null) return null;
    const rows = rowsOf(words);
    const label = {
      company,
      ...labelText(rows),
      isMarked: marks !== null,
    };
    // Text of a red card, or the left column of a label alone.
    if (marks === null && words.every(({ text }) => digitsOf(text) === null) && rows.flatMap(gradeWordsOf).length === 0)
      return { ...label, certs: [], grade: null };
    const places = placesOf(words, company);
    const grade = await readGrade(tools, print, { rows, cert: places[0] ?? null, company });
    // Words of a grade next to a cert belong to a label; on red without a cert they are text of a card.
    const hasBoth = grade !== null && places.some(({ text }) => isCertLike(company, digitsOf(text) ?? ''));
    if (marks === null && grade?.key == null && !hasBoth) return { ...label, certs: [], grade: null };
    const photoPx = distance(quad[0], quad[1]) / picture.width;
    const certs = [...(await readCerts(tools, print, places, photoPx)), ...(await readBarcodes(tools, grey))];
    return { ...label, certs, grade };
  } finally {
    print.delete();
    grey.delete();
  }
}

/**
 * All words: the rows of dark print and of light first; where these are of a label but are incomplete, rows with their blur
 * undone, and scattered words.
 */
async function readWords(
  tools: SlabTools,
  print: LabelPrint,
  isRed: boolean,
): Promise<{ words: PrintWord[]; marks: CompanyMarks | null }> {
  const part = { x: 0, y: 0, width: print.width, height: print.height };
  let words: PrintWord[] = [];
  // The name of a company counts wherever it was read: the other ink's reading of the same place may have been surer.
  const all: PrintWord[] = [];
  let marks: CompanyMarks | null = null;
  for (const [ink, how] of STEPS) {
    const more =
      how === 'scattered'
        ? await readPart(tools, print, ink, { part, scale: 1, layout: 'sparse' })
        : await readRows(tools, print, ink, how);
    words = merged(words, more);
    all.push(...more);
    marks = companyOfWords(all);
    const company = marks?.company ?? (isRed ? 'PSA' : undefined);
    const digits = words.map(({ text }) => digitsOf(text)).filter((read) => read !== null);
    if (company !== undefined && digits.some((read) => isCertLike(company, read))) break;
    const isNone = marks === null && digits.length === 0 && rowsOf(words).flatMap(gradeWordsOf).length === 0;
    if (ink === 'light' && isNone) break;
  }
  return { words, marks };
}

const STEPS = [
  ['dark', 'plain'],
  ['light', 'plain'],
  ['dark', 'sharp'],
  ['dark', 'scattered'],
  ['light', 'sharp'],
] as const;
