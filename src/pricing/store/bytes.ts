/** Little-endian numbers one after another, for card-bytes.ts and snapshot-bytes.ts. */

type ByteWriter = {
  u8(value: number): void;
  u16(value: number): void;
  i32(value: number): void;
  f32(value: number): void;
  f64(value: number): void;
  /** A copy of the bytes written; the writer starts again. */
  take(): Buffer;
};

/** A writer whose memory grows as needed and is reused after each `take`. */
export function byteWriter(): ByteWriter {
  let buffer = Buffer.allocUnsafe(4096);
  let at = 0;
  /** Moves on by `bytes` and returns the place before; the memory may be another one afterwards. */
  const step = (bytes: number): number => {
    if (at + bytes > buffer.length) {
      const larger = Buffer.allocUnsafe(buffer.length * 2);
      buffer.copy(larger, 0, 0, at);
      buffer = larger;
    }
    at += bytes;
    return at - bytes;
  };
  return {
    u8(value) {
      const place = step(1);
      buffer[place] = value;
    },
    u16(value) {
      const place = step(2);
      buffer.writeUInt16LE(value, place);
    },
    i32(value) {
      const place = step(4);
      buffer.writeInt32LE(value, place);
    },
    f32(value) {
      const place = step(4);
      buffer.writeFloatLE(value, place);
    },
    f64(value) {
      const place = step(8);
      buffer.writeDoubleLE(value, place);
    },
    take() {
      const taken = Buffer.from(buffer.subarray(0, at));
      at = 0;
      return taken;
    },
  };
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
  let at = 0;
  const step = (size: number): number => {
    at += size;
    return at - size;
  };
  return {
    u8: () => bytes.readUInt8(step(1)),
    u16: () => bytes.readUInt16LE(step(2)),
    i32: () => bytes.readInt32LE(step(4)),
    f32: () => bytes.readFloatLE(step(4)),
    f64: () => bytes.readDoubleLE(step(8)),
    skip: step,
    place: () => at,
    done: () => at >= bytes.length,
  };
}
