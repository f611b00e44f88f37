/** Little-endian numbers one after another, as records and the states of cards are stored. */

/** Whole numbers beyond their range throw RangeError. */
export type ByteWriter = {
  u8(value: number): void;
  u16(value: number): void;
  i32(value: number): void;
  f32(value: number): void;
  f64(value: number): void;
  /** Moves on by so many bytes, which the caller sets in `memory()`; returns the place of the first. */
  skip(bytes: number): number;
  /** All bytes from the first on; another memory once more are written. */
  memory(): DataView;
  /** How many bytes were written. */
  place(): number;
  /** A part of them, valid until the next one is written. */
  part(begin: number, end: number): Buffer;
  /** All of them, valid until the next one is written; the writer starts again. */
  take(): Buffer;
};

let unpacked = Buffer.allocUnsafe(4096);

/** The bytes of a packed text, valid until the next call. */
export function unpack(text: string): Buffer {
  if (text.length > unpacked.length) unpacked = Buffer.allocUnsafe(2 * text.length);
  return unpacked.subarray(0, unpacked.write(text, 'latin1'));
}

/** Bytes as a text, one character for each: it takes less memory than a Buffer, and the garbage collector does not scan it. */
export function pack(bytes: Buffer): string {
  return bytes.toString('latin1');
}

/** A writer whose memory grows beyond `capacity` as needed and is reused after each `take`. */
export function byteWriter(capacity = 4096): ByteWriter {
  let buffer = Buffer.allocUnsafe(capacity);
  let view = viewOf(buffer);
  let at = 0;
  /** Moves on by `bytes` and returns the place before; the memory may be another one afterwards. */
  const step = (bytes: number): number => {
    if (at + bytes > buffer.length) {
      const larger = Buffer.allocUnsafe(buffer.length * 2);
      buffer.copy(larger, 0, 0, at);
      buffer = larger;
      view = viewOf(buffer);
    }
    at += bytes;
    return at - bytes;
  };
  return {
    u8(value) {
      if (value !== (value & 0xff)) throw outOfRange(value, 'u8');
      const place = step(1);
      view.setUint8(place, value);
    },
    u16(value) {
      if (value !== (value & 0xffff)) throw outOfRange(value, 'u16');
      const place = step(2);
      view.setUint16(place, value, true);
    },
    i32(value) {
      if (value !== (value | 0)) throw outOfRange(value, 'i32');
      const place = step(4);
      view.setInt32(place, value, true);
    },
    f32(value) {
      const place = step(4);
      view.setFloat32(place, value, true);
    },
    f64(value) {
      const place = step(8);
      view.setFloat64(place, value, true);
    },
    skip: step,
    memory: () => view,
    place: () => at,
    part: (begin, end) => buffer.subarray(begin, end),
    take() {
      const taken = buffer.subarray(0, at);
      at = 0;
      return taken;
    },
  };
}

/** A DataView would write another number. */
function outOfRange(value: number, type: string): RangeError {
  return new RangeError(`${value} is not a ${type}`);
}

// Several times as fast as the methods of a Buffer.
function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

export type ByteReader = {
  u8(): number;
  u16(): number;
  i32(): number;
  f32(): number;
  f64(): number;
  /** Passes over so many bytes. */
  skip(bytes: number): void;
  /** Where it has come to, from the beginning. */
  place(): number;
  done(): boolean;
};

/** Reads from the beginning. Throws RangeError beyond the end. */
export function byteReader(bytes: Buffer): ByteReader {
  const view = viewOf(bytes);
  let at = 0;
  const step = (size: number): number => {
    at += size;
    return at - size;
  };
  return {
    u8: () => view.getUint8(step(1)),
    u16: () => view.getUint16(step(2), true),
    i32: () => view.getInt32(step(4), true),
    f32: () => view.getFloat32(step(4), true),
    f64: () => view.getFloat64(step(8), true),
    skip: step,
    place: () => at,
    done: () => at >= bytes.length,
  };
}
