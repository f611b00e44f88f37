import type { PublishedCorrection } from '../../items/corrections/correction-shape.ts';
import { Name } from '../card/name.tsx';
import { causeOf, noteOf } from './correction-words.ts';

type Noticed = {
  corrections: readonly PublishedCorrection[];
  gradeLabel: string | null;
  /** Of the price shown, `YYYY-MM-DD`; null for a price that is not of a close. */
  closeDay: string | null;
  /** The page shows an earlier close: its price stays, whatever became known since. */
  isPast?: boolean;
  listHref: string;
};

/** Next to a price: the newest correction of its grade that the price does not have yet. Nothing without one. */
export function CorrectionNotice({ corrections, gradeLabel, closeDay, isPast = false, listHref }: Noticed) {
  if (closeDay === null) return null;
  const later = corrections.filter((one) => one.gradeLabel === gradeLabel && isAfter(one, closeDay));
  const [newest] = later;
  if (newest === undefined) return null;
  return (
    <p class="notice notice-old">
      <strong>{causeOf(newest)} after this close.</strong> {newest.note !== null && <Name>{noteOf(newest)!}</Name>}{' '}
      {isPast ? 'Computed today, this price would differ.' : 'The next close takes it into account.'}{' '}
      <a href={listHref}>{later.length === 1 ? 'Correction' : `${later.length} corrections`}</a>
    </p>
  );
}

/** The day is one of those that would differ today. */
function isAfter({ fromDay, toDay }: PublishedCorrection, day: string): boolean {
  return fromDay !== null && toDay !== null && fromDay <= day && day <= toDay;
}
