import type { Barcode, BarcodeKind, BarcodeReader } from '../barcode.ts';
import type { Ocr, OcrWord } from '../ocr.ts';
import type { CV, Mat } from '../opencv.ts';
import { boxAround, grown, middleOf } from '../quad.ts';
import type { Edges, LabelPrint, PrintWord } from './label-print.ts';
import { digitsOf } from './label-text.ts';
import type { SlabCompany } from './label-words.ts';
import { cutOf, type Finish, finish } from './print/finish.ts';

/** Digits that may be a cert, by one way of reading. */
export type CertSighting =
  | {
      by: 'print';
      digits: string /** 0 to 100. */;
      confidence: number /** Of the digits in the photo. */;
      heightPx: number;
    }
  | { by: 'barcode'; digits: string; kind: BarcodeKind };

/** How many digits the companies print. */
const LENGTHS: Readonly<Record<SlabCompany, readonly number[]>> = { PSA: [7, 8, 9], BGS: [8, 9, 10], CGC: [10, 13] };

/** Whether digits are as many as the company prints; those of BGS are ten where they begin with two zeros. */
export function isCertLike(company: SlabCompany, digits: string): boolean {
  if (company === 'BGS' && digits.startsWith('00')) return digits.length === 10;
  return LENGTHS[company].includes(digits.length);
}

type DigitReading = {
  /** The photo's own greys, or the print alone, as it is or sharpened. */
  of: 'grey' | Edges;
  how: Finish;
  digitPx: number;
  /** Room on both sides of the digits, in their heights: wide first, since one at an end may have been missed. */
  room: number;
};
const READINGS: readonly DigitReading[] = [
  { of: 'grey', how: 'stretched', digitPx: 40, room: 1.3 },
  { of: 'plain', how: 'stretched', digitPx: 40, room: 0.6 },
  { of: 'sharp', how: 'stretched', digitPx: 36, room: 0.8 },
  { of: 'grey', how: 'otsu', digitPx: 40, room: 0.6 },
  { of: 'grey', how: 'stretched', digitPx: 40, room: 0.4 },
  { of: 'sharp', how: 'stretched', digitPx: 40, room: 1.3 },
  { of: 'plain', how: 'stretched', digitPx: 30, room: 0.8 },
  { of: 'grey', how: 'local', digitPx: 40, room: 0.6 },
  { of: 'grey', how: 'stretched', digitPx: 52, room: 0.8 },
];
/** So many readings alike need no other. */
const ENOUGH = 3;

/**
 * Every way that a cert of the label was read as print: with the rest, and alone in several finishes. `photoPx` is a
 * pixel of the label's picture in pixels of the photo.
 */
export async function readCerts(
  { cv, ocr }: { cv: CV; ocr: Ocr },
  print: LabelPrint,
  places: readonly PrintWord[],
  photoPx: number,
): Promise<CertSighting[]> {
  const seen: CertSighting[] = [];
  for (const word of places) {
    const digits = digitsOf(word.text) ?? '';
    const heightPx = word.height * photoPx;
    seen.push({ by: 'print', digits, confidence: word.confidence, heightPx });
    for (const reading of READINGS) {
      const line = await readDigits({ cv, ocr }, print, word, reading);
      if (line !== null) seen.push({ by: 'print', digits: line.text, confidence: line.confidence, heightPx });
      if (seen.filter((one) => one.digits === digits).length >= ENOUGH) break;
    }
  }
  return seen;
}

/** Words that are digits, each place once, those first that are as long as the company's certs. */
export function placesOf(words: readonly PrintWord[], company: SlabCompany): PrintWord[] {
  const places: PrintWord[] = [];
  const isLike = ({ text }: PrintWord) => Number(isCertLike(company, digitsOf(text) ?? ''));
  for (const word of [...words].sort((a, b) => isLike(b) - isLike(a))) {
    if (digitsOf(word.text) === null) continue;
    const place = withNeighbours(word, words);
    const isThere = places.some(
      (other) =>
        Math.abs(other.y - place.y) < place.height &&
        other.x < place.x + place.width &&
        place.x < other.x + other.width,
    );
    if (!isThere) places.push(place);
  }
  return places.slice(0, MAX_PLACES);
}

const MAX_PLACES = 2;
/** Gaps between digits of one cert are no wider, in heights of them; blurred ones are read as two words. */
const NEAR = 0.8;

/** A word of digits with the next ones that are mostly digits: the first of them alone may pass for a shorter cert. */
function withNeighbours(word: PrintWord, words: readonly PrintWord[]): PrintWord {
  const row = words
    .filter((other) => Math.abs(middleOf(other)[1] - middleOf(word)[1]) < word.height / 2)
    .filter(({ text }) => text.replace(/\D/g, '').length * 2 > text.length)
    .sort((a, b) => a.x - b.x);
  const isNext = (left: PrintWord, right: PrintWord) => {
    const gap = right.x - left.x - left.width;
    return gap >= 0 && gap <= NEAR * word.height;
  };
  const parts = [word];
  for (const other of row) if (isNext(parts.at(-1)!, other)) parts.push(other);
  for (const other of row.toReversed()) if (isNext(other, parts[0]!)) parts.unshift(other);
  const { x, width } = boxAround(parts);
  return { ...word, text: parts.map(({ text }) => text).join(''), x, width };
}

async function readDigits(
  { cv, ocr }: { cv: CV; ocr: Ocr },
  print: LabelPrint,
  place: PrintWord,
  { of, how, digitPx, room }: DigitReading,
): Promise<OcrWord | null> {
  const box = grown(place, room * place.height, 0.35 * place.height);
  const source = of === 'grey' ? print.grey : print.of(place.ink, of);
  const picture = finish(cv, source, box, digitPx / place.height, how, of === 'grey' && place.ink === 'light');
  const read = await ocr.read(picture, { layout: 'line', only: '0123456789' });
  // What else is read there is the edge of the label, or bars.
  const longest = read.reduce<OcrWord | null>(
    (best, word) => (word.text.length > (best?.text.length ?? 6) ? word : best),
    null,
  );
  return longest && /^\d+$/.test(longest.text) ? longest : null;
}

/** Certs in the barcodes of a label. */
export async function readBarcodes(
  { cv, barcode }: { cv: CV; barcode: BarcodeReader },
  grey: Mat,
): Promise<CertSighting[]> {
  const whole = { x: 0, y: 0, width: grey.cols, height: grey.rows };
  const seen: CertSighting[] = [];
  for (const scale of [1, 2, 1.5]) {
    for (const code of await barcode.read(cutOf(cv, grey, whole, scale))) {
      const digits = certIn(code);
      if (digits !== null) seen.push({ by: 'barcode', digits, kind: code.kind });
    }
    if (seen.length > 0) break;
  }
  return seen;
}

/** The digits of a barcode: all of it, or the end of the address of a grader's page. */
function certIn({ text }: Barcode): string | null {
  return /^\d{5,20}$/.exec(text)?.[0] ?? /\/(\d{5,20})\/?$/.exec(text)?.[1] ?? null;
}
