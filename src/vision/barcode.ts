import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { GreyPixels } from './slab/print/grey.ts';

/** Kinds of barcodes on slabs. */
export type BarcodeKind = 'ITF' | 'Code128' | 'QRCode' | 'DataMatrix';

export type Barcode = {
  kind: BarcodeKind;
  text: string;
};

export type BarcodeReader = {
  /** Every barcode of a picture. */
  read(picture: GreyPixels): Promise<Barcode[]>;
};

const KINDS: readonly BarcodeKind[] = ['ITF', 'Code128', 'QRCode', 'DataMatrix'];
const require = createRequire(import.meta.url);

/** Loads the reader once per process or worker, some milliseconds. */
export async function openBarcodeReader(): Promise<BarcodeReader> {
  const wasm = readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  // Handed over, since it would be fetched from the network otherwise.
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return {
    async read(picture) {
      const found = await readBarcodes(imageDataOf(picture), {
        formats: [...KINDS],
        tryHarder: true,
        tryInvert: false,
        tryDownscale: false,
        // An ITF has no check digit: rows that agree are its only proof.
        minLineCount: 3,
      });
      return found
        .filter(({ isValid }) => isValid)
        .map(({ symbology, text }) => ({ kind: symbology as BarcodeKind, text }));
    },
  };
}

function imageDataOf({ data, width, height }: GreyPixels): ImageData {
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let i = 0, at = 0; i < data.length; i++, at += 4) rgba[at] = rgba[at + 1] = rgba[at + 2] = data[i]!;
  return { data: rgba, width, height, colorSpace: 'srgb' } as ImageData;
}
