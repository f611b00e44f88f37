import { invalidCursor } from '../../http/problem.ts';
import type { Fingerprint } from '../../lib/fingerprint.ts';
import { placeOfCursor, signedCursor } from '../../lib/signed-cursor.ts';
import type { Place } from './entries.ts';

/**
 * Cursors of corrections: the place of the last entry of a page, signed with the item whose entries it lists (null: of
 * all), so that the next page goes on where it ended whatever was added in between.
 */

const listOf = (sign: Fingerprint, itemId: string | null) => ({ sign, kind: 'corrections', list: itemId ?? '' });

/** A cursor to what follows an entry. */
export function correctionsCursor(sign: Fingerprint, itemId: string | null, { atMicros, id }: Place): string {
  return signedCursor(listOf(sign, itemId), `${atMicros}.${id}`);
}

/** The place that a cursor goes on from. Throws `invalid_cursor`. */
export function readCorrectionsCursor(sign: Fingerprint, itemId: string | null, cursor: string): Place {
  const read = placeOfCursor(listOf(sign, itemId), cursor);
  if ('place' in read) {
    const [atMicros, id] = read.place.split('.') as [string, string];
    return { atMicros: Number(atMicros), id };
  }
  throw read.problem === 'malformed'
    ? invalidCursor()
    : invalidCursor('after belongs to another list: send it with the same item.');
}
