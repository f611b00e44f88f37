import type { Ocr, OcrLayout, OcrWord } from '../ocr.ts';
import type { CV, Mat } from '../opencv.ts';
import { type Box, grown } from '../quad.ts';
import { LETTER_PX } from './label-picture.ts';
import { cutOf, enlarged } from './print/finish.ts';
import { type Ink, inkOf } from './print/ink.ts';
import { findRows } from './print/print-rows.ts';

/** A word of a label, and whether it is printed dark on light or light on dark. */
export type PrintWord = OcrWord & { ink: Ink };

/** As it was photographed, or with its blur undone. */
export type Edges = 'plain' | 'sharp';

/** The print of a label: its dark letters or its light ones, each as dark on white, drawn when first needed. */
export type LabelPrint = {
  grey: Mat;
  width: number;
  height: number;
  of(ink: Ink, edges?: Edges): Mat;
  delete(): void;
};

export function openPrint(cv: CV, grey: Mat): LabelPrint {
  const drawn = new Map<string, Mat>();
  const once = (key: string, draw: () => Mat) => {
    const known = drawn.get(key) ?? draw();
    drawn.set(key, known);
    return known;
  };
  return {
    grey,
    width: grey.cols,
    height: grey.rows,
    of(ink, edges = 'plain') {
      const source = edges === 'plain' ? grey : once('sharp', () => sharpened(cv, grey));
      return once(`${ink} ${edges}`, () => inkOf(cv, source, ink));
    },
    delete() {
      for (const mat of drawn.values()) mat.delete();
    },
  };
}

/** Blurs of photos that can still be read are about so wide, pixels; more than undone, which the reader likes. */
const BLUR = { sigma: 4, undone: 2 };

/** Unsharp masking: letters of a blurred photo run into one another otherwise. */
function sharpened(cv: CV, grey: Mat): Mat {
  const sharp = new cv.Mat();
  cv.GaussianBlur(grey, sharp, new cv.Size(0, 0), BLUR.sigma);
  cv.addWeighted(grey, 1 + BLUR.undone, sharp, -BLUR.undone, 0, sharp);
  return sharp;
}

/** Words of a part of a label, enlarged for the reader; their places are those on the label. */
export async function readPart(
  { cv, ocr }: { cv: CV; ocr: Ocr },
  print: LabelPrint,
  ink: Ink,
  { part, scale, layout, edges }: { part: Box; scale: number; layout: OcrLayout; edges?: Edges },
): Promise<PrintWord[]> {
  const words = await ocr.read(cutOf(cv, print.of(ink, edges), part, scale), { layout });
  return words.map(({ x, y, width, height, ...word }) => ({
    ...word,
    x: x / scale + Math.max(0, part.x),
    y: y / scale + Math.max(0, part.y),
    width: width / scale,
    height: height / scale,
    ink,
  }));
}

/** Room around a row of print for the reader, in heights of its letters. */
const ROW_ROOM = 0.35;
const MAX_ROWS = 14;

/** Words of each row of print, read alone: what is printed near it cannot confuse them. */
export async function readRows(
  { cv, ocr }: { cv: CV; ocr: Ocr },
  print: LabelPrint,
  ink: Ink,
  edges: Edges,
): Promise<PrintWord[]> {
  const words: PrintWord[] = [];
  for (const row of findRows(cv, print.of(ink, edges)).slice(0, MAX_ROWS)) {
    const part = grown(row, ROW_ROOM * row.height);
    words.push(
      ...(await readPart({ cv, ocr }, print, ink, { part, scale: LETTER_PX / row.height, layout: 'line', edges })),
    );
  }
  return words;
}

/** Both readings without what is in them twice: of two words in one place the surer one. */
export function merged(some: readonly PrintWord[], others: readonly PrintWord[]): PrintWord[] {
  const isSame = (a: OcrWord, b: OcrWord) =>
    Math.abs(a.x + a.width / 2 - b.x - b.width / 2) < (a.width + b.width) / 4 &&
    Math.abs(a.y + a.height / 2 - b.y - b.height / 2) < (a.height + b.height) / 4;
  return [
    ...some.filter((word) => !others.some((other) => isSame(word, other) && other.confidence > word.confidence)),
    ...others.filter((other) => !some.some((word) => isSame(other, word) && word.confidence >= other.confidence)),
  ];
}

/** Of what print a word is: in the picture of the right one there is paper around it. */
export function inkAt(cv: CV, print: LabelPrint, word: Box): Ink {
  const box = grown(word, word.height / 2);
  const [dark, light] = (['dark', 'light'] as const).map((ink) => {
    const part = enlarged(cv, print.of(ink), box, 1);
    const mean = cv.mean(part)[0]!;
    part.delete();
    return mean;
  });
  return light! > dark! ? 'light' : 'dark';
}
