import { timingSafeEqual } from 'node:crypto';
import { invalidCursor } from '../../http/problem.ts';
import type { Fingerprint } from '../../lib/fingerprint.ts';
import type { Place } from './entries.ts';

/**
 * Cursors of corrections: the place of the last entry of a page, signed with the item whose entries it lists (null: of
 * all), so that the next page goes on where it ended whatever was added in between. On the wire: base64url of `at.id.mac`.
 */

const MAC_BYTES = 16;

/** A cursor to what follows an entry. */
export function correctionsCursor(sign: Fingerprint, itemId: string | null, { atMicros, id }: Place): string {
  const place = `${atMicros}.${id}`;
  return Buffer.from(`${place}.${macOf(sign, itemId, place).toString('base64url')}`).toString('base64url');
}

/** The place that a cursor goes on from. Throws `invalid_cursor`. */
export function readCorrectionsCursor(sign: Fingerprint, itemId: string | null, cursor: string): Place {
  const text = Buffer.from(cursor, 'base64url').toString();
  const parts = /^((-?\d{1,16})\.([a-z0-9-]{1,60}))\.([\w-]{22})$/.exec(text);
  // The decoder is lenient: only exactly the text that was issued is accepted.
  if (parts === null || Buffer.from(text).toString('base64url') !== cursor) throw invalidCursor();
  const [, place, atMicros, id, mac] = parts as unknown as [string, string, string, string, string];
  if (!timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(sign, itemId, place)))
    throw invalidCursor('after belongs to another list: send it with the same item.');
  return { atMicros: Number(atMicros), id };
}

function macOf(sign: Fingerprint, itemId: string | null, place: string): Buffer {
  return sign(`corrections cursor\n${place}\n${itemId ?? ''}`).subarray(0, MAC_BYTES);
}
