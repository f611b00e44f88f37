import type { IndexDetail } from '../../indices/detail.ts';
import type { IndexTile } from '../../indices/tiles.ts';
import { dayOf } from '../../lib/day.ts';
import { Day } from '../price.tsx';

/** After so many days without a sale of the basket, its level says little of the market. */
const SILENT_DAYS = 7;

/** `No sale of a member since 30 Sep 2026 (52 days).`; nothing while the basket sells. */
export function SilentBasket({ constituents, closeIso }: Pick<IndexDetail, 'constituents'> & { closeIso: string }) {
  const newest =
    constituents
      .map(({ lastSaleAt }) => lastSaleAt ?? '')
      .toSorted()
      .at(-1) ?? '';
  const days = silentDays(newest, closeIso);
  if (days === null) return null;
  return (
    <p class="notice notice-old">
      No sale of a member since <Day iso={newest} /> ({days} days). Until one sells, the level follows other sales of
      its game only.
    </p>
  );
}

/** The same in a tile: `No sale since 30 Sep 2026`. */
export function SilentTile({ newestSaleAt, closeIso }: Pick<IndexTile, 'newestSaleAt'> & { closeIso: string }) {
  if (silentDays(newestSaleAt ?? '', closeIso) === null) return null;
  return (
    <span class="stale">
      No sale since <Day iso={newestSaleAt!} />
    </span>
  );
}

/** Days from the newest sale to the close; null while they are few, and where no sale is known. */
function silentDays(newestIso: string, closeIso: string): number | null {
  if (newestIso === '') return null;
  const days = dayOf(Date.parse(closeIso)) - dayOf(Date.parse(newestIso));
  return days < SILENT_DAYS ? null : days;
}
