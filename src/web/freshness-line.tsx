import { dayOf } from '../lib/day.ts';
import { ago } from './format.ts';
import { Day } from './price.tsx';

/** The newest sale that a page's numbers rest on, and the moment it is read at. */
export type Freshest = { newestSaleAt: Date | null; nowMs: number };

/** After so many days without a sale numbers are marked as old. */
const STALE_DAYS = 3;

/** Whole days since the newest sale; null without one. */
export function daysWithoutSale({ newestSaleAt, nowMs }: Freshest): number | null {
  return newestSaleAt === null ? null : Math.max(0, dayOf(nowMs) - dayOf(newestSaleAt.getTime()));
}

/** `Newest sale known: 30 Sep 2026 (53 days ago)`, marked where it is old. */
export function FreshnessLine({ freshest }: { freshest: Freshest }) {
  const days = daysWithoutSale(freshest);
  if (days === null) return <p class="freshness">No sale is recorded yet.</p>;
  const iso = freshest.newestSaleAt!.toISOString();
  return (
    <p class={days > STALE_DAYS ? 'freshness stale' : 'freshness'}>
      <a href="/status">Newest sale known</a>: <Day iso={iso} /> ({ago(iso, freshest.nowMs)})
    </p>
  );
}
