import type { Barcode, BarcodeKind, BarcodeReader } from '../barcode.ts';
import type { Ocr, OcrWord } from '../ocr.ts';
import type { CV, Mat } from '../opencv.ts';
import type { Box } from '../quad.ts';
import { digitsOf } from './label-text.ts';
import { type Finish, finish, frameIn, openWindow, type Window } from './window.ts';

/** Digits that may be a cert, by one way of reading. */
export type CertSighting =
  | { by: 'print'; digits: string /** 0 to 100. */; confidence: number }
  | { by: 'barcode'; digits: string; kind: BarcodeKind };

/**
 * How each reading is finished, the height of its digits in pixels, and the room beside them in their heights: wide first,
 * since a digit at an end may have been missed.
 */
const READINGS: readonly { how: Finish; digitPx: number; room: number }[] = [
  { how: 'stretched', digitPx: 40, room: 1.3 },
  { how: 'stretched', digitPx: 40, room: 0.6 },
  { how: 'otsu', digitPx: 40, room: 0.6 },
  { how: 'local', digitPx: 40, room: 0.6 },
  { how: 'stretched', digitPx: 30, room: 0.8 },
  { how: 'stretched', digitPx: 52, room: 0.8 },
];
/** So many readings alike need no other. */
const ENOUGH = 3;

/** Every way that a cert of the label was read as print: with the rest, and alone in several finishes. */
export async function readCerts(
  { cv, ocr }: { cv: CV; ocr: Ocr },
  grey: Mat,
  window: Window,
  words: readonly OcrWord[],
): Promise<CertSighting[]> {
  const seen: CertSighting[] = [];
  for (const word of placesOf(words)) {
    const digits = digitsOf(word.text)!;
    seen.push({ by: 'print', digits, confidence: word.confidence });
    for (const reading of READINGS) {
      const line = await readDigits({ cv, ocr }, grey, window, word, reading);
      if (line !== null) seen.push(line);
      if (seen.filter((one) => one.digits === digits).length >= ENOUGH) break;
    }
  }
  return seen;
}

/** Words that are digits, each place once. */
export function placesOf(words: readonly OcrWord[]): OcrWord[] {
  const places: OcrWord[] = [];
  for (const word of words) {
    if (digitsOf(word.text) === null) continue;
    const isThere = places.some(
      (place) =>
        Math.abs(place.y - word.y) < word.height && place.x < word.x + word.width && word.x < place.x + place.width,
    );
    if (!isThere) places.push(word);
  }
  return places.slice(0, MAX_PLACES);
}

const MAX_PLACES = 2;

async function readDigits(
  { cv, ocr }: { cv: CV; ocr: Ocr },
  grey: Mat,
  window: Window,
  place: Box,
  { how, digitPx, room }: (typeof READINGS)[number],
): Promise<CertSighting | null> {
  const frame = frameIn(window, place, { x: room * place.height, y: 0.35 * place.height });
  const picture = finish(cv, grey, frame, (digitPx / place.height) * window.scale, how);
  const read = await ocr.read(picture, { layout: 'line', only: '0123456789' });
  // What else is read there is the edge of the label, or bars.
  const longest = read.reduce<OcrWord | null>(
    (best, word) => (word.text.length > (best?.text.length ?? 6) ? word : best),
    null,
  );
  return longest && /^\d+$/.test(longest.text)
    ? { by: 'print', digits: longest.text, confidence: longest.confidence }
    : null;
}

/** Certs in the barcodes of a label. */
export async function readBarcodes(
  { cv, barcode }: { cv: CV; barcode: BarcodeReader },
  grey: Mat,
  window: Window,
): Promise<CertSighting[]> {
  const seen: CertSighting[] = [];
  for (const scale of [1, 2, 1.5]) {
    const { picture } = scale === 1 ? window : openWindow(cv, grey, window.frame, window.scale * scale);
    for (const code of await barcode.read(picture)) {
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
