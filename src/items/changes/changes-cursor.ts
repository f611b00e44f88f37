import { quoted } from '../../http/allowed.ts';
import { invalidCursor } from '../../http/problem.ts';
import { formatDay, parseDay } from '../../lib/day.ts';
import { LEAST_UUID, UUID } from '../../lib/uuid.ts';

/** The first card of which nothing is known yet: what follows is of the close of `day`, after the card `item`, `LEAST_UUID` for all of them. */
export type ChangesPlace = { day: number; item: string };

/**
 * A cursor that can be read: a day, where everything through its close was seen, or the day before a close and the last
 * card that was seen of that close. It stays good when closes are added.
 */
export function changesCursor({ day, item }: ChangesPlace): string {
  const seen = formatDay(day - 1);
  return item === LEAST_UUID ? seen : `${seen}.${item}`;
}

/** The place that a cursor goes on from. Throws `invalid_cursor`. */
export function readChangesCursor(text: string): ChangesPlace {
  const seen = parseDay(text.slice(0, 10));
  const item = text.length === 10 ? LEAST_UUID : text.slice(11);
  if (seen !== null && (text.length === 10 || (text[10] === '.' && UUID.test(item)))) return { day: seen + 1, item };
  throw invalidCursor(`after must be a day, YYYY-MM-DD, or nextCursor of an earlier page; got ${quoted(text)}.`);
}
