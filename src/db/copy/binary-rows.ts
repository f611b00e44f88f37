import type { Readable } from 'node:stream';

const HEADER_BYTES = 19;

/**
 * Reads the output of `copy … to stdout (format binary)` row by row. `starts[i]` is where the value of column i begins in
 * `buffer`, its length is in the four bytes before; both are reused for the next row.
 */
export async function readBinaryRows(
  stream: Readable,
  columns: number,
  onRow: (buffer: Buffer, starts: Int32Array) => void,
): Promise<void> {
  const starts = new Int32Array(columns);
  let rest: Buffer = Buffer.alloc(0);
  let at = HEADER_BYTES;
  for await (const chunk of stream) {
    rest = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    for (let end = rowEnd(rest, at, starts); end > 0; end = rowEnd(rest, at, starts)) {
      onRow(rest, starts);
      at = end;
    }
    if (at <= rest.length) {
      rest = rest.subarray(at);
      at = 0;
    }
  }
}

/** Where the row that begins at `at` ends; 0 when it is not there in full, or is the mark of the end. */
function rowEnd(buffer: Buffer, at: number, starts: Int32Array): number {
  let place = at + 2;
  if (place > buffer.length || buffer.readInt16BE(at) < 0) return 0;
  for (let i = 0; i < starts.length; i++) {
    if (place + 4 > buffer.length) return 0;
    const length = buffer.readInt32BE(place);
    place += 4;
    starts[i] = place;
    place += Math.max(0, length);
  }
  return place <= buffer.length ? place : 0;
}
