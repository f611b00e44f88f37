import { timingSafeEqual } from 'node:crypto';
import { invalidCursor } from '../../http/problem.ts';
import type { Fingerprint } from '../../lib/fingerprint.ts';

/**
 * Cursors of trades: the id of the last sale of a page, signed with the filters it was listed under, so that a page goes on
 * where the one before ended whatever was recorded in between. On the wire: base64url of `id.mac`.
 */

const MAC_BYTES = 16;

/** A cursor to what follows a sale; `filters` is any text that is equal for equal filters. */
export function tradesCursor(sign: Fingerprint, filters: string, saleId: number): string {
  return Buffer.from(`${saleId}.${macOf(sign, filters, saleId).toString('base64url')}`).toString('base64url');
}

/** The sale that a cursor goes on from. Throws `invalid_cursor`. */
export function readTradesCursor(sign: Fingerprint, filters: string, cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  const parts = /^([1-9][0-9]{0,14})\.([\w-]{22})$/.exec(text);
  // The decoder forgives much: only the very text that was sent is taken.
  if (parts === null || Buffer.from(text).toString('base64url') !== cursor) throw invalidCursor();
  const saleId = Number(parts[1]);
  if (!timingSafeEqual(Buffer.from(parts[2]!, 'base64url'), macOf(sign, filters, saleId)))
    throw invalidCursor('after belongs to another list: send it with the same card, scope, source and window.');
  return saleId;
}

function macOf(sign: Fingerprint, filters: string, saleId: number): Buffer {
  return sign(`trades cursor\n${saleId}\n${filters}`).subarray(0, MAC_BYTES);
}
