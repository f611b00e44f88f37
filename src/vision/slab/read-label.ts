import type { BarcodeReader } from '../barcode.ts';
import type { RgbPixels } from '../dominant-colors.ts';
import type { Ocr, OcrWord } from '../ocr.ts';
import type { CV, Mat } from '../opencv.ts';
import type { Quad } from '../quad.ts';
import { type CertSighting, placesOf, readBarcodes, readCerts } from './cert-reading.ts';
import { cornersOf, type Frame, partOf } from './frame.ts';
import { type GradeReading, readGrade } from './grade-reading.ts';
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
  const whole = window.frame;
  const words = await readWords(tools, window);
  const rows = rowsOf(words);
  const marks = companyOfWords(words);
  const certs = await readCerts(tools, grey, window, words);
  if (marks === null && certs.length === 0 && !hasRedBorder(photo, whole)) return null;
  certs.push(...(await readBarcodes(tools, grey, window)));
  const company = marks?.company ?? (hasRedBorder(photo, whole) ? 'PSA' : null);
  if (company === null) return null;
  const grade =
    (await readGrade(tools, grey, window, rows, company)) ??
    (company === 'CGC'
      ? await readGradeAside(tools, grey, spot)
      : await readGradeAbove(tools, grey, window, placesOf(words)[0], company));
  const print = rows.map((row) => row.words.map(({ text }) => text).join(' '));
  return { company, certs, grade, rows: print, quad: cornersOf(whole), isMarked: marks !== null };
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

/** The grade of CGC, which stands in a box of its own on one side of the print. */
async function readGradeAside(tools: SlabTools, grey: Mat, { frame, letterPx }: Spot): Promise<GradeReading | null> {
  const room = (10 * letterPx) / frame.width;
  const [above, below] = [(5 * letterPx) / frame.height, (4 * letterPx) / frame.height];
  for (const box of [
    partOf(frame, 1 - room, -above, 1 + room, 1 + below),
    partOf(frame, -room, -above, room, 1 + below),
  ]) {
    for (const isInverted of [false, true]) {
      const grade = await readGradeIn(tools, grey, box, (CLOSE_UP * LETTER_PX) / letterPx, 'CGC', isInverted);
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
  const area = { x: x - height, y: y - 6.5 * height, width: width + 2 * height, height: 6.4 * height };
  const scale = (CLOSE_UP * LETTER_PX * window.scale) / height;
  return readGradeIn(tools, grey, frameIn(window, area), scale, company, false);
}

async function readGradeIn(
  tools: SlabTools,
  grey: Mat,
  frame: Frame,
  scale: number,
  company: SlabCompany,
  isInverted: boolean,
): Promise<GradeReading | null> {
  const window = openWindow(tools.cv, grey, frame, scale, isInverted);
  const words = await tools.ocr.read(window.picture, { layout: 'sparse' });
  return readGrade(tools, grey, window, rowsOf(words), company, 0);
}
