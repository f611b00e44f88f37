import type { IndexDetail } from '../../indices/detail.ts';
import { dayOf } from '../../lib/day.ts';
import { Day } from '../price.tsx';

/** After so many days without a sale of the basket, its level says nothing of the market. */
const SILENT_DAYS = 7;

/** `No sale of a member since 30 Sep 2026 (52 days).`; nothing while the basket sells. */
export function SilentBasket({ constituents, closeIso }: Pick<IndexDetail, 'constituents'> & { closeIso: string }) {
  const newest =
    constituents
      .map(({ lastSaleAt }) => lastSaleAt ?? '')
      .toSorted()
      .at(-1) ?? '';
  if (newest === '') return null;
  const days = dayOf(Date.parse(closeIso)) - dayOf(Date.parse(newest));
  if (days < SILENT_DAYS) return null;
  return (
    <p class="notice notice-old">
      No sale of a member since <Day iso={newest} /> ({days} days). Until one sells, the level stays where it is.
    </p>
  );
}
