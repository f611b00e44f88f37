import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker, PSM } from 'tesseract.js';
import type { GreyPixels } from './slab/print/grey.ts';

/** A word that was read, with its place on the picture in pixels and how sure the reading is, 0 to 100. */
export type OcrWord = { text: string; confidence: number; x: number; y: number; width: number; height: number };

/** How a picture is laid out: lines of text anywhere, a block of lines, or one line. */
export type OcrLayout = 'sparse' | 'block' | 'line' | 'word';

export type Ocr = {
  /** Reads dark letters on light ground, best at capitals of 30 to 40 pixels. `only` are the characters that it may have. */
  read(picture: GreyPixels, options: { layout: OcrLayout; only?: string }): Promise<OcrWord[]>;
  close(): Promise<void>;
};

const MODES: Record<OcrLayout, PSM> = {
  sparse: PSM.SPARSE_TEXT,
  block: PSM.SINGLE_BLOCK,
  line: PSM.SINGLE_LINE,
  word: PSM.SINGLE_WORD,
};

const require = createRequire(import.meta.url);
const OEM_LSTM_ONLY = 1;

/** Starts a reader of English print, about a second; it reads one picture after another. */
export async function openOcr(): Promise<Ocr> {
  const langPath = join(dirname(require.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');
  // Without a cache of its own, which would write into the folder that the program was started in.
  const worker = await createWorker('eng', OEM_LSTM_ONLY, { langPath, cacheMethod: 'none', gzip: true });
  let settings = '';
  return {
    async read(picture, { layout, only = '' }) {
      const wanted = `${layout} ${only}`;
      if (wanted !== settings) {
        await worker.setParameters({
          tessedit_pageseg_mode: MODES[layout],
          tessedit_char_whitelist: only,
          user_defined_dpi: '300',
          // Its remarks on a picture ("Detected 7 diacritics") would be printed.
          debug_file: '/dev/null',
          // A reading must not depend on the photos before it.
          tessedit_enable_doc_dict: '0',
          classify_enable_learning: '0',
        });
        settings = wanted;
      }
      const { data } = await worker.recognize(pgmOf(picture), {}, { blocks: true, text: false });
      return (data.blocks ?? []).flatMap(({ paragraphs }) =>
        paragraphs.flatMap(({ lines }) =>
          lines.flatMap(({ words }) =>
            words.map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => ({
              text,
              confidence,
              x: x0,
              y: y0,
              width: x1 - x0,
              height: y1 - y0,
            })),
          ),
        ),
      );
    },
    async close() {
      await worker.terminate();
    },
  };
}

/** As a "portable graymap", the plainest of the formats that the reader takes. */
function pgmOf({ data, width, height }: GreyPixels): Buffer {
  return Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), data]);
}
