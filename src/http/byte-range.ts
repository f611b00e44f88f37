/** The first and the last byte of a part. */
export type ByteRange = { from: number; to: number };

/**
 * The part that a Range header names (RFC 9110, section 14.1.2): `none` where it begins behind the end. Null for several parts, and for
 * what is not a range of bytes: these are ignored.
 */
export function byteRangeOf(header: string, bytes: number): ByteRange | 'none' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '')
    return Number(last) === 0 || bytes === 0 ? 'none' : { from: Math.max(0, bytes - Number(last)), to: bytes - 1 };
  const from = Number(first);
  if (last !== '' && Number(last) < from) return null;
  return from >= bytes ? 'none' : { from, to: Math.min(last === '' ? bytes - 1 : Number(last), bytes - 1) };
}
