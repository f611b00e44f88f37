import { dayOf, parseDay } from '../../lib/day.ts';
import { ago, briefDay } from '../format.ts';
import { daysWithoutSale } from '../freshness-line.tsx';
import type { StatusOfService } from './read-status.ts';

/** The state of the service in a sentence, and whether it is as it should be. */
export function verdictOf(status: StatusOfService): { words: string; isOld: boolean } {
  const days = daysWithoutSale(status);
  if (days === null) return { words: 'No sale is recorded yet, so there are no prices.', isOld: true };
  const newest = briefDay(status.newestSaleAt!.toISOString());
  if (days > 3)
    return {
      words: `No new sale for ${days} days: the newest is of ${newest}. Prices are those of an older market.`,
      isOld: true,
    };
  if (closeLag(status) > 1)
    return { words: `Sales are current, but prices are of ${briefDay(status.closedDay!)}.`, isOld: true };
  return { words: `Prices and sales are current. The newest sale is of ${newest}.`, isOld: false };
}

/** Days between yesterday, whose close is due, and the last close. */
function closeLag({ closedDay, nowMs }: StatusOfService): number {
  return closedDay === null ? 0 : dayOf(nowMs) - 1 - parseDay(closedDay)!;
}

/** When the sales of games and places were counted: `30 Nov 2026, 09:40 UTC`. */
export function countedWords({ countedAtMs }: StatusOfService): string {
  const iso = new Date(countedAtMs).toISOString();
  return `${briefDay(iso)}, ${iso.slice(11, 16)} UTC`;
}

/** What ran when, in words; `when` is null for what never ran. */
export function jobsOf({ closedDay, closedAt, importedAt, catalogAt, backup, nowMs }: StatusOfService) {
  const words = (at: Date | null) =>
    at === null ? null : `${briefDay(at.toISOString())}, ${ago(at.toISOString(), nowMs)}`;
  return [
    { job: 'Last closed day', when: closedDay === null ? null : briefDay(closedDay) },
    { job: 'Prices computed', when: words(closedAt) },
    { job: 'Sales imported', when: words(importedAt) },
    { job: 'Catalog imported', when: words(catalogAt) },
    ...(backup.failed === null
      ? [{ job: 'Backup made', when: words(backup.last && new Date(backup.last.atMs)) }]
      : [{ job: 'Backup failed', when: words(new Date(backup.failed.atMs)) }]),
  ];
}
