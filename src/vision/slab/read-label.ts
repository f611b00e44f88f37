import type { BarcodeReader } from '../barcode.ts';
import type { RgbPixels } from '../dominant-colors.ts';
import type { Ocr, OcrLayout, OcrWord } from '../ocr.ts';
import type { CV, Mat } from '../opencv.ts';
import type { Quad } from '../quad.ts';
import { type CertSighting, placesOf, readBarcodes, readCerts } from './cert-reading.ts';
import { cornersOf, type Frame, partOf } from './frame.ts';
import { type GradeReading, readGrade } from './grade-reading.ts';
import { gradeWordsOf } from './grade-words.ts';
import { digitsOf, rowsOf } from './label-text.ts';
import { companyOfWords, type SlabCompany } from './label-words.ts';
import { leanOf } from './lean.ts';
import { hasRedBorder } from './red-border.ts';
import type { Spot } from './spots.ts';
import { flattened, frameIn, openWindow, type Window } from './window.ts';

export type SlabTools = { cv: CV; barcode: BarcodeReader; ocr: Ocr };

/** What a label says, as far as it can be read. */
export type LabelReading = {
  company: SlabCompany;
  certs: CertSighting[];
  grade: GradeReading | null;
  /** All rows of its print, from the top. */
  rows: string[];
  /** Where it is on the photo. */
  quad: Quad;
  /** Its company is told by words; the red border of PSA says less. */
  isMarked: boolean;
};

/** Letters of the picture that is read are so high, pixels: what the reader likes best. */
const LETTER_PX = 30;
/** Around the print that was found, in heights of a letter: for what is larger or lighter, header, grade and barcode. */
const ROOM = { side: 4, above: 5, below: 4 };

/** The right column of a label reaches so many heights of a letter further than the left one, at most. */
const RIGHT_COLUMN = 16;

/** Reads what may be a label; null when it is none. */
export async function readLabel(
  tools: SlabTools,
  grey: Mat,
  photo: RgbPixels,
  spot: Spot,
): Promise<LabelReading | null> {
  const label = await readSpot(tools, grey, photo, spot);
  if (label === null || label.certs.length > 0 || label.grade !== null) return label;
  // Only the left column was found: cert and grade stand on the right.
  const frame = partOf(spot.frame, 0, -0.5, 1 + (RIGHT_COLUMN * spot.letterPx) / spot.frame.width, 1.5);
  const wider = await readSpot(tools, grey, photo, { ...spot, frame });
  if (wider !== null && (wider.certs.length > 0 || wider.grade !== null)) return wider;
  // Red alone may be a card's.
  return label.isMarked ? label : null;
}

async function readSpot(tools: SlabTools, grey: Mat, photo: RgbPixels, found: Spot): Promise<LabelReading | null> {
  const { letterPx, ink } = found;
  const look = (frame: Frame) =>
    openWindow(tools.cv, grey, withRoom(frame, letterPx), LETTER_PX / letterPx, ink === 'light');
  const lean = leanOf(look(found.frame).picture);
  const spot = { ...found, frame: { ...found.frame, lean } };
  const window = look(spot.frame);
  const words = await readWords(tools, window);
  const rows = rowsOf(words);
  const marks = companyOfWords(words);
  const company = marks?.company ?? (hasRedBorder(photo, window.frame) ? 'PSA' : null);
  if (company === null) return null;
  const print = rows.map((row) => row.words.map(({ text }) => text).join(' '));
  const label = { company, rows: print, quad: cornersOf(window.frame), isMarked: marks !== null };
  const hasDigits = words.some(({ text }) => digitsOf(text) !== null);
  // Text of a red card, or the left column of a label alone.
  if (marks === null && !hasDigits && rows.flatMap(gradeWordsOf).length === 0)
    return { ...label, certs: [], grade: null };
  const digits = hasDigits ? words : await readLower(tools, grey, window);
  const certs = [...(await readCerts(tools, grey, window, digits)), ...(await readBarcodes(tools, grey, window))];
  const seen = await readGrade(tools, grey, window, rows, company);
  const closer = () =>
    company === 'CGC'
      ? readGradeAside(tools, grey, spot)
      : readGradeAbove(tools, grey, window, placesOf(digits)[0], company);
  const grade = seen?.key != null ? seen : ((await closer()) ?? seen);
  // Four subgrades of 10 have a label of their own, and the words of the other.
  const isBlackLabel = company === 'BGS' && ink === 'light' && grade?.key === 'bgs-10';
  return { ...label, certs, grade: isBlackLabel ? { ...grade, key: 'bgs-10-5' } : grade };
}

/** Around the print in the second reading, in heights of a letter: edges and plastic are left out. */
const CLOSE_ROOM = 1.2;

function withRoom(frame: Frame, letterPx: number): Frame {
  const side = (ROOM.side * letterPx) / frame.width;
  return partOf(
    frame,
    -side,
    (-ROOM.above * letterPx) / frame.height,
    1 + side,
    1 + (ROOM.below * letterPx) / frame.height,
  );
}

/** Words of a label: scattered ones first, and where these tell no company or cert, lines on paper made even. */
async function readWords({ cv, ocr }: SlabTools, window: Window): Promise<OcrWord[]> {
  const words = await ocr.read(window.picture, { layout: 'sparse' });
  if (companyOfWords(words) !== null && words.some(({ text }) => digitsOf(text) !== null)) return words;
  const { width, height } = window.picture;
  const x = Math.round((ROOM.side - CLOSE_ROOM) * LETTER_PX);
  const y = Math.round((ROOM.above - CLOSE_ROOM) * LETTER_PX);
  const bottom = Math.round((ROOM.below - CLOSE_ROOM) * LETTER_PX);
  const part = { x, y, width: width - 2 * x, height: height - y - bottom };
  const read = await ocr.read(flattened(cv, window, part), { layout: 'block' });
  const lines = read.map((word) => ({ ...word, x: word.x + x, y: word.y + y }));
  const isSame = (a: OcrWord, b: OcrWord) =>
    Math.abs(a.x + a.width / 2 - b.x - b.width / 2) < (a.width + b.width) / 4 &&
    Math.abs(a.y + a.height / 2 - b.y - b.height / 2) < (a.height + b.height) / 4;
  const isBeaten = (word: OcrWord, others: readonly OcrWord[]) =>
    others.some((other) => isSame(word, other) && other.confidence >= word.confidence);
  return [
    ...words.filter((word) => !isBeaten(word, lines)),
    ...lines.filter((line) => !words.some((word) => isSame(line, word) && word.confidence > line.confidence)),
  ];
}

/** Closer than the label is read: small words beside large digits are missed otherwise. */
const CLOSE_UP = 1.4;

/** Words of the lower part of a label, where certs stand, from closer. */
async function readLower({ cv, ocr }: SlabTools, grey: Mat, window: Window): Promise<OcrWord[]> {
  const { width, height } = window.picture;
  const top = Math.round(height * LOWER);
  const frame = frameIn(window, { x: 0, y: top, width, height: height - top });
  const { picture } = openWindow(cv, grey, frame, window.scale * CLOSE_UP);
  const words = await ocr.read(picture, { layout: 'sparse' });
  return words.map(({ x, y, width, height, ...word }) => ({
    ...word,
    x: x / CLOSE_UP,
    y: y / CLOSE_UP + top,
    width: width / CLOSE_UP,
    height: height / CLOSE_UP,
  }));
}

const LOWER = 0.4;

/** The grade of CGC, which stands in a box of its own on one side of the print. */
async function readGradeAside(tools: SlabTools, grey: Mat, { frame, letterPx }: Spot): Promise<GradeReading | null> {
  const room = (10 * letterPx) / frame.width;
  const [above, below] = [(5 * letterPx) / frame.height, (4 * letterPx) / frame.height];
  for (const box of [
    partOf(frame, 1 - room, -above, 1 + room, 1 + below),
    partOf(frame, -room, -above, room, 1 + below),
  ]) {
    for (const isInverted of [false, true]) {
      const window = openWindow(tools.cv, grey, box, (CLOSE_UP * LETTER_PX) / letterPx, isInverted);
      const grade =
        (await readGradeIn(tools, grey, window, 'CGC', 'sparse')) ??
        (await readGradeIn(tools, grey, window, 'CGC', 'block'));
      if (grade !== null) return grade;
    }
  }
  return null;
}

/** The grade of PSA and BGS, which stands over the cert. */
async function readGradeAbove(
  tools: SlabTools,
  grey: Mat,
  window: Window,
  cert: OcrWord | undefined,
  company: SlabCompany,
): Promise<GradeReading | null> {
  if (cert === undefined) return null;
  const { x, y, width, height } = cert;
  const above = (from: number, to: number) =>
    frameIn(window, { x: x - height, y: y - from * height, width: width + 2 * height, height: (from - to) * height });
  const scale = (CLOSE_UP * LETTER_PX * window.scale) / height;
  const read = (frame: Frame, layout: OcrLayout) =>
    readGradeIn(tools, grey, openWindow(tools.cv, grey, frame, scale), company, layout);
  // Beside the large number the words of BGS are missed: they are read as the line that they are.
  if (company === 'BGS') return (await read(above(2.3, 0.1), 'line')) ?? read(above(7.5, 0.1), 'sparse');
  return (await read(above(7.5, 0.1), 'sparse')) ?? read(above(7.5, 0.1), 'block');
}

async function readGradeIn(
  tools: SlabTools,
  grey: Mat,
  window: Window,
  company: SlabCompany,
  layout: OcrLayout,
): Promise<GradeReading | null> {
  const words = await tools.ocr.read(window.picture, { layout });
  const grade = await readGrade(tools, grey, window, rowsOf(words), company, 0);
  return grade?.key == null ? null : grade;
}
