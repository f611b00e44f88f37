import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Session } from '../client.ts';

/**
 * Rows for `copy … from stdin (format binary)`: `row` begins one, of at most 1,024 bytes and `more`; the other calls add its values
 * in order.
 */
export type BinaryRows = {
  row(columns: number, more?: number): void;
  /** Of `smallint`, `int`, `bigint` (a safe integer), `real`. */
  i16(value: number): void;
  i32(value: number): void;
  i64(value: number): void;
  f32(value: number): void;
  bool(value: boolean): void;
  /** `timestamptz`, by milliseconds since 1970. */
  time(ms: number): void;
  /** ASCII. */
  ascii(value: string): void;
  uuid(value: string): void;
  bytea(parts: readonly Uint8Array[]): void;
  /** The bytes so far, in pieces. */
  chunks(): Buffer[];
};

const CHUNK_BYTES = 1 << 18;
/** The most that a row may have without saying so. */
const ROW_BYTES = 1024;
/** Where PostgreSQL counts its microseconds from. */
const YEAR_2000_MS = Date.UTC(2000, 0);
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);

/** Rows without a value yet; their memory grows by chunks. */
export function newBinaryRows(): BinaryRows {
  const full: Buffer[] = [];
  let chunk = Buffer.alloc(0);
  let view = new DataView(chunk.buffer);
  let at = 0;
  /** Where a value of so many bytes begins, behind its length. */
  const value = (bytes: number): number => {
    view.setInt32(at, bytes);
    at += 4 + bytes;
    return at - bytes;
  };
  const extend = (bytes: number): void => {
    if (at > 0) full.push(chunk.subarray(0, at));
    chunk = Buffer.from(new ArrayBuffer(Math.max(CHUNK_BYTES, bytes)));
    view = new DataView(chunk.buffer);
    at = 0;
  };
  const i64 = (number: number): void => {
    const place = value(8);
    view.setInt32(place, Math.floor(number / 2 ** 32));
    view.setUint32(place + 4, number >>> 0);
  };
  return {
    row(columns, more = 0) {
      if (at + ROW_BYTES + more > chunk.length) extend(ROW_BYTES + more);
      view.setInt16(at, columns);
      at += 2;
    },
    i16: (number) => view.setInt16(value(2), number),
    i32: (number) => view.setInt32(value(4), number),
    i64,
    f32: (number) => view.setFloat32(value(4), number),
    bool: (is) => view.setUint8(value(1), Number(is)),
    time: (ms) => i64((ms - YEAR_2000_MS) * 1000),
    ascii(text) {
      const place = value(text.length);
      for (let i = 0; i < text.length; i++) view.setUint8(place + i, text.charCodeAt(i));
    },
    uuid(text) {
      const place = value(16);
      chunk.write(text.replaceAll('-', ''), place, 'hex');
    },
    bytea(parts) {
      let place = value(parts.reduce((bytes, part) => bytes + part.length, 0));
      for (const part of parts) {
        chunk.set(part, place);
        place += part.length;
      }
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
