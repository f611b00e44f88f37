import type { Fingerprint } from './fingerprint.ts';

/**
 * Cursors that are signed with the list that they belong to: one of another list is rejected. `kind` is what is
 * listed, `list` any text that is equal for equal lists. On the wire: base64url of `place.mac`.
 */
type CursorList = { sign: Fingerprint; kind: string; list: string };

const MAC_BYTES = 16;

export function signedCursor(list: CursorList, place: string): string {
  return Buffer.from(`${place}.${macOf(list, place)}`).toString('base64url');
}

/** The place of a cursor, or why it has none: it was not issued, or for another list. */
export function placeOfCursor(
  list: CursorList,
  cursor: string,
): { place: string } | { problem: 'malformed' | 'foreign' } {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, place, mac] = /^([\w.-]+)\.([\w-]{22})$/.exec(text) ?? [];
  // The decoder is lenient: only exactly the text that was issued is accepted.
  if (place === undefined || Buffer.from(text).toString('base64url') !== cursor) return { problem: 'malformed' };
  // The comparison needs no constant time: a MAC that is guessed letter by letter only opens the guesser's own page.
  return mac === macOf(list, place) ? { place } : { problem: 'foreign' };
}

function macOf({ sign, kind, list }: CursorList, place: string): string {
  return sign(`${kind} cursor\n${place}\n${list}`).subarray(0, MAC_BYTES).toString('base64url');
}
