import type { Db, Sql } from '../../db/client.ts';
import { dayOf } from '../../lib/day.ts';
import type { SeriesName } from '../sale.ts';
import { type CrawlContext, type CrawlReport, crawlSeries } from './crawl.ts';

/** A series is queried again no sooner than this. */
const MIN_AGE_MS = 6 * 3_600_000;
/** The series of a worker that died is free after this. */
const LEASE_MS = 5 * 60_000;
/** Of one series. */
const CRAWL_MS = 20_000;
/** What scheduled crawls leave of each day's budget: live valuations come first. */
const LEAVE_SHARE = 0.2;
/** Series with no sale for so long are not tracked any more. */
const TRACKED_DAYS = 365;
/** Half doublings of a cent up to more than any price: 2^(64/2) cents. Class 0 has no sale: it is not crawled by itself. */
const VALUE_CLASSES = 64;
/** Series without a sale are remembered for so long, since they were looked up once. */
const REMEMBERED_DAYS = 30;

/** The problems of a source that is not called at all. */
const NOT_CALLED: ReadonlySet<string> = new Set(['budget_spent', 'circuit_open', 'rate_limited', 'paused']);

/**
 * Tracks every series with an accepted sale in the last year, at the price of the newest one; others are forgotten.
 * Returns how many are tracked. `today` is a UTC day number.
 */
export async function trackSeries(db: Db, today: number): Promise<number> {
  return await db.transaction(async (session) => {
    await session.query(
      `create temp table newest_sales on commit drop as
       select distinct on (s.item_id, s.grade_key) s.item_id, s.grade_key, s.price_usd_cents
       from sales s
       where s.rejection is null and s.grade_key is not null and s.sold_day > $1
         and not exists (select from sale_voids v where v.sale_id = s.id)
       order by s.item_id, s.grade_key, s.sold_day desc, s.id desc`,
      [today - TRACKED_DAYS],
    );
    await session.query(
      `insert into crawl_states as c (item_id, grade_key, value_usd_cents)
       select item_id, grade_key, price_usd_cents from newest_sales
       on conflict (item_id, grade_key) do update set value_usd_cents = excluded.value_usd_cents
         where c.value_usd_cents <> excluded.value_usd_cents`,
    );
    await session.query(
      `delete from crawl_states c where not exists (
         select from newest_sales n where n.item_id = c.item_id and n.grade_key = c.grade_key)
       and (value_usd_cents > 0 or crawled_at < to_timestamp($1::int * 86400.0))`,
      [today - REMEMBERED_DAYS],
    );
    const [row] = await session.query<{ count: number }>('select count(*) as count from newest_sales');
    return row!.count;
  });
}

/**
 * Takes the series with the highest value × staleness for this worker: null when none is due. Exact but for the oldest of
 * each class of values, half a doubling wide: so it reads one row a class, however many series there are.
 */
export async function takeSeries(sql: Sql, nowMs: number): Promise<SeriesName | null> {
  const [row] = await sql.prepared<SeriesName>(
    'crawl_take',
    `with oldest as materialized (
       select c.item_id, c.grade_key, c.value_usd_cents, c.crawled_at
       from generate_series(1, ${VALUE_CLASSES}) class, lateral (
         select * from crawl_states where value_class = class and crawled_at <= $2 and taken_until <= $1
         order by crawled_at limit 1 for update skip locked
       ) c
     ), best as (
       select item_id, grade_key from oldest
       order by value_usd_cents * extract(epoch from $1::timestamptz - crawled_at) desc, item_id, grade_key limit 1
     )
     update crawl_states c set taken_until = $3 from best
     where c.item_id = best.item_id and c.grade_key = best.grade_key
     returning c.item_id as "itemId", c.grade_key as "gradeKey"`,
    [new Date(nowMs), new Date(nowMs - MIN_AGE_MS), new Date(nowMs + LEASE_MS)],
  );
  return row ?? null;
}

/**
 * Crawls tracked series one after the other, the most valuable first, until `forMs` are over, none is due, or no
 * source may be called any more. Any number of workers may do so at once.
 */
export async function crawlTracked(
  context: CrawlContext,
  signal: AbortSignal,
  forMs: number,
): Promise<{ series: number; added: number }> {
  const { db, clock, markets } = context;
  const done = { series: 0, added: 0 };
  const endsMs = performance.now() + forMs;
  // A ledger that was never queried: its turn comes before the clock's.
  const tracked = await db.query('select from crawl_states where value_class > 0 limit 1');
  if (markets.length > 0 && tracked.length === 0) await trackSeries(db, dayOf(clock()));
  while (markets.length > 0 && !signal.aborted && performance.now() < endsMs) {
    const series = await takeSeries(db, clock());
    const report = series === null ? null : await crawlSeries(context, series, signal, CRAWL_MS, LEAVE_SHARE);
    if (report === null) break;
    done.series++;
    done.added += report.added;
    if (noneCalled(report)) break;
  }
  return done;
}

function noneCalled({ sources }: CrawlReport): boolean {
  return sources.every(({ problem }) => problem !== null && NOT_CALLED.has(problem.reason));
}
