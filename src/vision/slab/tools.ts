import { openBarcodeReader } from '../barcode.ts';
import { openOcr } from '../ocr.ts';
import { openCv } from '../opencv.ts';
import type { SlabTools } from './read-label.ts';

let opening: Promise<SlabTools> | null = null;

/** What slabs are read with, opened once per process or worker, in about two seconds. */
export function openSlabTools(): Promise<SlabTools> {
  opening ??= Promise.all([openCv(), openBarcodeReader(), openOcr()]).then(([{ cv }, barcode, ocr]) => ({
    cv,
    barcode,
    ocr,
  }));
  // One that failed is tried again by the next photo.
  opening.catch(() => {
    opening = null;
  });
  return opening;
}
