import { invalidCursor } from '../../http/problem.ts';
import type { Fingerprint } from '../../lib/fingerprint.ts';
import { placeOfCursor, signedCursor } from '../../lib/signed-cursor.ts';

/**
 * Cursors of trades: the id of the last sale of a page, signed with the filters it was listed under, so that a page goes on
 * where the one before ended whatever was recorded in between.
 */

/** A cursor to what follows a sale; `filters` is any text that is equal for equal filters. */
export function tradesCursor(sign: Fingerprint, filters: string, saleId: number): string {
  return signedCursor({ sign, kind: 'trades', list: filters }, String(saleId));
}

/** The sale that a cursor goes on from. Throws `invalid_cursor`. */
export function readTradesCursor(sign: Fingerprint, filters: string, cursor: string): number {
  const read = placeOfCursor({ sign, kind: 'trades', list: filters }, cursor);
  if ('place' in read) return Number(read.place);
  throw read.problem === 'malformed'
    ? invalidCursor()
    : invalidCursor('after belongs to another list: send it with the same card, scope, source and window.');
}
