import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import iconv from 'iconv-lite';
import { readChunks, UnreadableFile } from '../../../catalog/formats/files.ts';

/** The text of a file as one of the encodings that spreadsheets save. */
export type TextEncoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'Windows-1252';

/** One record; `line` is where it begins, `raw` its text. */
export type CsvRecord = { line: number; raw: string; values: string[] };

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const MAX_RECORD = 1 << 20;

/**
 * Finds the encoding of a file: by its byte order mark, else UTF-16 by the zero bytes of its Latin letters, else UTF-8 if
 * all of it is; what is left is Windows-1252, which Excel saves as "CSV".
 */
export async function encodingOf(path: string): Promise<TextEncoding> {
  const handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0).finally(() => handle.close());
  const head = buffer.subarray(0, bytesRead);
  if (head[0] === 0xff && head[1] === 0xfe) return 'UTF-16LE';
  if (head[0] === 0xfe && head[1] === 0xff) return 'UTF-16BE';
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++;
  if (zeros[1]! > head.length / 4) return 'UTF-16LE';
  if (zeros[0]! > head.length / 4) return 'UTF-16BE';
  if (zeros[0]! + zeros[1]! > 0) throw new UnreadableFile(`${path}: not text (a zero byte)`);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(path)) decoder.decode(chunk as Buffer, { stream: true });
    decoder.decode();
    return 'UTF-8';
  } catch {
    return 'Windows-1252';
  }
}

/** The records of a delimited file; a quoted field may have line breaks. Throws UnreadableFile at a quote that never ends. */
export async function* readRecords(
  path: string,
  encoding: TextEncoding,
  delimiter: Delimiter,
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    delimiter,
    // A file put together from several may have more than one kind: by its first alone, rows would be read as one.
    record_delimiter: ['\r\n', '\n', '\r'],
    bom: true,
    info: true,
    raw: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_RECORD,
  });
  const text = Readable.from(readChunks(path), { objectMode: false });
  const records = pipeline(text, iconv.decodeStream(encoding), parser, () => {});
  let line = 1;
  try {
    for await (const { info, raw, record } of records as AsyncIterable<ParsedRecord>) {
      yield { line, raw: raw.replace(/[\r\n]+$/, ''), values: record };
      line = info.lines + 1;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isLong = error.code === 'CSV_MAX_RECORD_SIZE';
    const what = isLong ? 'a record is too long' : 'a quote is in the wrong place, or not closed';
    throw new UnreadableFile(`${path}: line ${Number(error.lines ?? line)}: ${what}; nothing of the file was imported`);
  }
}

type ParsedRecord = { info: { lines: number; empty_lines: number }; raw: string; record: string[] };
