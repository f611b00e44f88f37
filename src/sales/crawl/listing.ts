import { dayOf, MS_PER_DAY } from '../../lib/day.ts';
import {
  badDate,
  ID_RULE,
  isId,
  isUnreadable,
  parseInstant,
  show,
  type UnreadableField,
  unreadable,
} from '../row-fields.ts';
import { OFFERED_FIELDS, type Offered, parseOffered } from '../sale.ts';

/** A live ask as files bring it, checked. */
export type Listing = Offered & {
  sourceListingId: string;
  firstSeenMs: number;
  lastSeenMs: number;
  /** When it was seen to have ended, sold or not. */
  endedAtMs: number | null;
};

/** The columns of the own listings CSV. */
export const LISTING_FIELDS = [...OFFERED_FIELDS, 'listing_id', 'first_seen', 'last_seen', 'ended_at'] as const;
export type RawListing = { [field in (typeof LISTING_FIELDS)[number]]?: string };

/**
 * Checks one row; what cannot be read exactly is rejected. A listing without its days was seen on `today`, the day of
 * the import: a snapshot.
 */
export function parseListing(raw: RawListing, today: number): Listing | UnreadableField {
  const offered = parseOffered(raw);
  if (isUnreadable(offered)) return offered;
  const sourceListingId = raw.listing_id ?? '';
  if (!isId(sourceListingId))
    return unreadable('bad_id', `listing_id ${show(sourceListingId)} is missing or ${ID_RULE}`);
  const snapshotMs = today * MS_PER_DAY;
  const lastSeenMs = raw.last_seen ? parseInstant(raw.last_seen) : snapshotMs;
  if (lastSeenMs === null) return badDate('last_seen', raw.last_seen!);
  const firstSeenMs = raw.first_seen ? parseInstant(raw.first_seen) : lastSeenMs;
  if (firstSeenMs === null) return badDate('first_seen', raw.first_seen!);
  const endedAtMs = raw.ended_at ? parseInstant(raw.ended_at) : null;
  if (raw.ended_at && endedAtMs === null) return badDate('ended_at', raw.ended_at);
  if (firstSeenMs > lastSeenMs || (endedAtMs !== null && endedAtMs < firstSeenMs))
    return unreadable('bad_date', 'first_seen must not be after last_seen or ended_at');
  if (dayOf(lastSeenMs) > today + 1)
    return unreadable('future', `last_seen ${show(raw.last_seen ?? '')} has not come yet`);
  return { ...offered, sourceListingId, firstSeenMs, lastSeenMs, endedAtMs };
}
