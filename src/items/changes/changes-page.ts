import { gradeByKey } from '../../catalog/grades.ts';
import type { Core } from '../../http/context.ts';
import { formatDay } from '../../lib/day.ts';
import { groupBy } from '../../lib/group-by.ts';
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

/** Whether the catalog was without a card when a day began, and when it ended. */
type Absence = { before: boolean; now: boolean };

/**
 * What the closes after a place changed, of at most `limit` cards and 31 closes, by day and card; `after` null: what the last
 * close did. Null before the first close.
 */
export async function changesPage(
  db: Core['db'],
  { after, limit, withMarket }: { after: ChangesPlace | null; limit: number; withMarket: boolean },
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
    const events = groupBy(await seriesEvents(tablesOf(db, day), day, item, left), ({ itemId }) => itemId);
    const moved = await movedInCatalog(db, place, left);
    const others = withMarket ? await soldCards(db, place, left) : [];
    const ids = [...new Set([...events.keys(), ...moved, ...others])].sort().slice(0, left);
    changes.push(...(await changesOf(db, day, ids, events)));
    place = ids.length < left ? { day: day + 1, item: LEAST_UUID } : { day, item: ids.at(-1)! };
    left -= ids.length;
  }
  return { changes, hasMore: place.day <= last, nextCursor: changesCursor(place) };
}

/** The first `limit` cards after a place that the catalog withdrew on its day, or took back, and not both. */
async function movedInCatalog(db: Core['db'], { day, item }: ChangesPlace, limit: number): Promise<string[]> {
  const rows = await db.prepared<{ id: string }>(
    'withdrawals_of_day',
    `select item_id as id from item_withdrawals
     where noted_at >= to_timestamp($1 * 86400.0) and noted_at < to_timestamp(($1 + 1) * 86400.0) and item_id > $2
     group by item_id having count(*) % 2 = 1 order by item_id limit $3`,
    [day, item, limit],
  );
  return rows.map(({ id }) => id);
}

/** Those of cards that the catalog has ever withdrawn. */
async function absences(db: Core['db'], day: number, ids: readonly string[]): Promise<Map<string, Absence>> {
  const rows = await db.prepared<Absence & { id: string }>(
    'absences_of_cards',
    `select item_id as id, (array_agg(withdrawn order by id desc))[1] as now,
       coalesce((array_agg(withdrawn order by id desc) filter (where noted_at < to_timestamp($1 * 86400.0)))[1], false) as before
     from item_withdrawals where item_id = any($2::uuid[]) and noted_at < to_timestamp(($1 + 1) * 86400.0)
     group by item_id`,
    [day, ids],
  );
  return new Map(rows.map(({ id, before, now }) => [id, { before, now }]));
}

/** The first `limit` cards after a place that had sold by the close of its day, those whose sales were all voided since too. */
async function soldCards(db: Core['db'], { day, item }: ChangesPlace, limit: number): Promise<string[]> {
  const rows = await tablesOf(db, day).prepared<{ id: string }>(
    'sold_cards',
    'select distinct item_id as id from card_snapshots where item_id > $1 order by item_id limit $2',
    [item, limit],
  );
  return rows.map(({ id }) => id);
}

/** The prices of some cards that the close of a day changed. */
async function changesOf(
  db: Core['db'],
  day: number,
  ids: readonly string[],
  events: ReadonlyMap<string, SeriesEvents[]>,
): Promise<PriceChange[]> {
  if (ids.length === 0) return [];
  const items = await itemMap(db, ids);
  const before = await quotesAsOf(db, ids, day - 1);
  const now = await quotesAsOf(db, ids, day);
  const absent = await absences(db, day, ids);
  return ids.flatMap((id) => {
    const item = items.get(id)!;
    const series = events.get(id) ?? [];
    const out = absent.get(id) ?? { before: false, now: false };
    if (item.removed_at !== null && !out.now) return [];
    const pairs = [out.before ? [] : (before.get(id) ?? []), out.now ? [] : (now.get(id) ?? [])].map(
      (all) => new Map(all.map((one) => [one.gradeKey, one])),
    );
    const [was, is] = pairs as [Map<string, SeriesQuote>, Map<string, SeriesQuote>];
    const gradeKeys = [...new Set([...was.keys(), ...is.keys()])].sort();
    return gradeKeys.flatMap((gradeKey) => {
      const previousUsdCents = was.get(gradeKey)?.priceUsdCents ?? null;
      const { priceUsdCents = null, lowUsdCents, highUsdCents } = is.get(gradeKey) ?? {};
      if (priceUsdCents === previousUsdCents) return [];
      const own = series.find((one) => one.gradeKey === gradeKey);
      return [
        {
          day: formatDay(day),
          ...named(item, gradeKey),
          previousUsdCents,
          priceUsdCents,
          priceRange: priceUsdCents === null ? null : { low: lowUsdCents!, high: highUsdCents! },
          cause:
            out.before === out.now ? causeOf(own === undefined ? series : [own]) : out.now ? 'withdrawn' : 'catalog',
          salesTaken: own?.taken ?? 0,
          salesVoided: own?.voided ?? 0,
        },
      ];
    });
  });
}

function named(item: ItemRow, gradeKey: string) {
  const { company, grade, label: gradeLabel } = gradeByKey(gradeKey)!;
  return { id: item.id, gradeToken: gradeKey, company, grade, gradeLabel, href: itemHref(item, gradeKey) };
}

/** Why a price changed: by the sales of its grade, or of other grades of its card where it has none. */
function causeOf(series: readonly SeriesEvents[]): string {
  if (series.some(({ voided }) => voided > 0)) return 'void';
  return series.length > 0 ? 'sale' : 'market';
}
