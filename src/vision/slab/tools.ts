import { openBarcodeReader } from '../barcode.ts';
import { openOcr } from '../ocr.ts';
import { openCv } from '../opencv.ts';
import type { SlabTools } from './read-label.ts';

let opening: Promise<SlabTools> | null = null;

/** What slabs are read with, opened once per process or worker, in about two seconds. */
export function openSlabTools(): Promise<SlabTools> {
  opening ??= Promise.all([openCv(), openBarcodeReader(), openOcr()]).then(([{ cv }, barcode, ocr]) => {
    const close = () => {
      // A reader that was closed never answers: the next caller opens another.
      opening = null;
      return ocr.close();
    };
    return { cv, barcode, ocr: { ...ocr, close } };
  });
  // One that failed is tried again by the next photo.
  opening.catch(() => {
    opening = null;
  });
  return opening;
}
