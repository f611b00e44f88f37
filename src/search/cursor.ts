import type { Fingerprint } from '../lib/fingerprint.ts';
import { placeOfCursor, signedCursor } from '../lib/signed-cursor.ts';

/**
 * Cursors of tag searches: opaque, signed, bound to their query. Pure: the keyed hash and the time are passed in.
 * The place is `offset.expiry`, the expiry in seconds since the epoch, both numbers in base 36.
 */

/** How many items a tag search pages through. */
export const WINDOW = 300;
const VALID_SECONDS = 24 * 3600;

const listOf = (sign: Fingerprint, query: string) => ({ sign, kind: 'search', list: query });

/** A cursor to the items of `query` from `offset` on; `query` is any text that is equal for equal queries. */
export function makeCursor(sign: Fingerprint, query: string, offset: number, nowMs: number): string {
  const expiry = Math.floor(nowMs / 1000) + VALID_SECONDS;
  return signedCursor(listOf(sign, query), `${offset.toString(36)}.${expiry.toString(36)}`);
}

type CursorReading = { offset: number } | { problem: 'malformed' | 'foreign' | 'expired' | 'outside' };

/** Where a cursor points, or why it does not: not one of ours or of another query, too old, past the window. */
export function readCursor(sign: Fingerprint, query: string, cursor: string, nowMs: number): CursorReading {
  const read = placeOfCursor(listOf(sign, query), cursor);
  if ('problem' in read) return read;
  const [offset, expiry] = read.place.split('.').map((number) => Number.parseInt(number, 36)) as [number, number];
  if (expiry * 1000 < nowMs) return { problem: 'expired' };
  return offset > 0 && offset < WINDOW ? { offset } : { problem: 'outside' };
}
