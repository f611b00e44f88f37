import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Session } from './client.ts';

/** Rows for `copy … from stdin (format binary)`: `row` begins one, the other calls add its values in order. */
export type BinaryRows = {
  row(columns: number): void;
  /** Of `smallint`, `int`, `bigint` (a safe integer), `real`. */
  i16(value: number): void;
  i32(value: number): void;
  i64(value: number): void;
  f32(value: number): void;
  /** ASCII, at most 255 characters. */
  ascii(value: string): void;
  /** The bytes so far, in pieces. */
  chunks(): Buffer[];
};

const CHUNK_BYTES = 1 << 18;
/** More than one value needs. */
const MARGIN = 512;
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);

/** Rows without a value yet; their memory grows by chunks. */
export function newBinaryRows(): BinaryRows {
  const full: Buffer[] = [];
  let chunk = Buffer.alloc(0);
  let at = 0;
  /** Where a value of so many bytes begins, behind its length. */
  const value = (bytes: number): number => {
    if (at + MARGIN > chunk.length) {
      if (at > 0) full.push(chunk.subarray(0, at));
      chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      at = 0;
    }
    chunk.writeInt32BE(bytes, at);
    at += 4 + bytes;
    return at - bytes;
  };
  return {
    row(columns) {
      // The count of columns stands where a value would, without a length of its own.
      const place = value(2) - 4;
      chunk.writeInt16BE(columns, place);
      at = place + 2;
    },
    i16(number) {
      const place = value(2);
      chunk.writeInt16BE(number, place);
    },
    i32(number) {
      const place = value(4);
      chunk.writeInt32BE(number, place);
    },
    i64(number) {
      const place = value(8);
      chunk.writeInt32BE(Math.floor(number / 2 ** 32), place);
      chunk.writeUInt32BE(number >>> 0, place + 4);
    },
    f32(number) {
      const place = value(4);
      chunk.writeFloatBE(number, place);
    },
    ascii(text) {
      const place = value(text.length);
      chunk.write(text, place, 'latin1');
    },
    chunks: () => (at === 0 ? full : [...full, chunk.subarray(0, at)]),
  };
}

/** Sends rows to a table with its columns, as `copyRows` does. Sends nothing when there are no rows. */
export async function copyBinary(session: Session, target: string, rows: BinaryRows): Promise<void> {
  const chunks = rows.chunks();
  if (chunks.length === 0) return;
  await pipeline(
    Readable.from([SIGNATURE, ...chunks, TRAILER]),
    session.copyIn(`copy ${target} from stdin (format binary)`),
  );
}
