import { gradeByKey } from '../../catalog/grades.ts';
import type { Core } from '../../http/context.ts';
import { formatDay } from '../../lib/day.ts';
import { LEAST_UUID } from '../../lib/uuid.ts';
import { closedDay, quotesAsOf } from '../../pricing/read/quotes.ts';
import type { SeriesQuote } from '../../pricing/read/series-quote.ts';
import { type SeriesEvents, seriesEvents } from '../../pricing/record/ledger-events.ts';
import { tablesOf } from '../../pricing/record/read-record.ts';
import { type ItemRow, itemHref, itemMap } from '../item-row.ts';
import { type ChangesPlace, changesCursor } from './changes-cursor.ts';
import type { PriceChange } from './price-change.ts';

type ChangesPage = { changes: PriceChange[]; hasMore: boolean; nextCursor: string };

/** Closes that one page reads. */
const MAX_DAYS = 31;

/**
 * What the closes after a place changed, of at most `limit` cards and 31 closes, by day and card; `after` null: what the last
 * close did. Null before the first close.
 */
export async function changesPage(
  db: Core['db'],
  { after, limit }: { after: ChangesPlace | null; limit: number },
): Promise<ChangesPage | null> {
  const [row] = await db.prepared<{ first: number | null }>('first_close', 'select min(day) as first from market_days');
  const last = await closedDay(db);
  if (last === null || row!.first === null) return null;
  const first = row!.first;
  const start = after ?? { day: last, item: LEAST_UUID };
  // Nothing changed before the first close.
  let place = start.day < first ? { day: first, item: LEAST_UUID } : start;
  const changes: PriceChange[] = [];
  let left = limit;
  for (let days = 0; place.day <= last && days < MAX_DAYS && left > 0; days++) {
    const { day, item } = place;
    const events = await seriesEvents(tablesOf(db, day), day, item, left);
    const ids = [...new Set(events.map(({ itemId }) => itemId))];
    changes.push(...(await changesOf(db, day, ids, events)));
    place = ids.length < left ? { day: day + 1, item: LEAST_UUID } : { day, item: ids.at(-1)! };
    left -= ids.length;
  }
  return { changes, hasMore: place.day <= last, nextCursor: changesCursor(place) };
}

/** The prices of some cards that the close of a day changed. */
async function changesOf(
  db: Core['db'],
  day: number,
  ids: readonly string[],
  events: readonly SeriesEvents[],
): Promise<PriceChange[]> {
  if (ids.length === 0) return [];
  const items = await itemMap(db, ids);
  const before = await quotesAsOf(db, ids, day - 1);
  const now = await quotesAsOf(db, ids, day);
  return ids.flatMap((id) => {
    const item = items.get(id)!;
    if (item.removed_at !== null) return [];
    const pairs = [before.get(id) ?? [], now.get(id) ?? []].map(
      (all) => new Map(all.map((one) => [one.gradeKey, one])),
    );
    const [was, is] = pairs as [Map<string, SeriesQuote>, Map<string, SeriesQuote>];
    const gradeKeys = [...new Set([...was.keys(), ...is.keys()])].sort();
    return gradeKeys.flatMap((gradeKey) => {
      const own = events.find((one) => one.itemId === id && one.gradeKey === gradeKey);
      const change = changeOf(was.get(gradeKey)?.priceUsdCents ?? null, is.get(gradeKey), own);
      return change === null ? [] : [{ day: formatDay(day), ...named(item, gradeKey), ...change }];
    });
  });
}

function named(item: ItemRow, gradeKey: string) {
  const { company, grade, label: gradeLabel } = gradeByKey(gradeKey)!;
  return { item: item.id, gradeToken: gradeKey, company, grade, gradeLabel, href: itemHref(item, gradeKey) };
}

function changeOf(priceBeforeUsdCents: number | null, now: SeriesQuote | undefined, own: SeriesEvents | undefined) {
  const { priceUsdCents = null, lowUsdCents, highUsdCents } = now ?? {};
  if (priceUsdCents === priceBeforeUsdCents) return null;
  const { taken: salesTaken = 0, voided: salesVoided = 0 } = own ?? {};
  return {
    priceBeforeUsdCents,
    priceUsdCents,
    priceRange: priceUsdCents === null ? null : { low: lowUsdCents!, high: highUsdCents! },
    cause: salesVoided > 0 ? 'sales_voided' : salesTaken > 0 ? 'sales' : 'other_grade',
    salesTaken,
    salesVoided,
  };
}
