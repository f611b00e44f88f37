import type { Fingerprint } from '../lib/fingerprint.ts';

/**
 * Cursors of tag searches: opaque, signed, bound to their query. Pure: the keyed hash and the time are passed in.
 * On the wire: base64url of `offset.expiry.mac`, the expiry in seconds since the epoch, both numbers in base 36.
 */

/** How many items a tag search pages through. */
export const WINDOW = 300;
const VALID_SECONDS = 24 * 3600;
const MAC_BYTES = 16;

/** A cursor to the items of `query` from `offset` on; `query` is any text that is equal for equal queries. */
export function makeCursor(sign: Fingerprint, query: string, offset: number, nowMs: number): string {
  const where = `${offset.toString(36)}.${(Math.floor(nowMs / 1000) + VALID_SECONDS).toString(36)}`;
  return Buffer.from(`${where}.${macOf(sign, query, where)}`).toString('base64url');
}

type CursorReading = { offset: number } | { problem: 'malformed' | 'foreign' | 'expired' | 'outside' };

/** Where a cursor points, or why it does not: not one of ours or of another query, too old, past the window. */
export function readCursor(sign: Fingerprint, query: string, cursor: string, nowMs: number): CursorReading {
  const text = Buffer.from(cursor, 'base64url').toString();
  const parts = /^([0-9a-z]{1,6})\.([0-9a-z]{1,10})\.([\w-]{22})$/.exec(text);
  // The decoder is lenient: only exactly the text that was issued is accepted.
  if (parts === null || Buffer.from(text).toString('base64url') !== cursor) return { problem: 'malformed' };
  const [, offsetText, expiryText, mac] = parts as unknown as [string, string, string, string];
  // The comparison needs no constant time: a MAC that is guessed letter by letter only opens the guesser's own page.
  if (mac !== macOf(sign, query, `${offsetText}.${expiryText}`)) return { problem: 'foreign' };
  const offset = Number.parseInt(offsetText, 36);
  if (Number.parseInt(expiryText, 36) * 1000 < nowMs) return { problem: 'expired' };
  return offset > 0 && offset < WINDOW ? { offset } : { problem: 'outside' };
}

function macOf(sign: Fingerprint, query: string, where: string): string {
  return sign(`search cursor\n${where}\n${query}`).subarray(0, MAC_BYTES).toString('base64url');
}
