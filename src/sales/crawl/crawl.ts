import type { Logger } from 'pino';
import type { Db, Sql } from '../../db/client.ts';
import { dayOf, MS_PER_DAY } from '../../lib/day.ts';
import { startImport } from '../import/import-sales.ts';
import { countReason } from '../import/set-aside.ts';
import type { SeriesName } from '../sale.ts';
import {
  badAnswer,
  type MarketQuery,
  type Patience,
  type SaleSource,
  type SourceAnswer,
  type SourceProblem,
  seriesQuery,
} from '../sources/source.ts';
import type { TitleBook } from '../titles.ts';
import { startListings } from './crawled-listings.ts';

export type CrawlContext = {
  db: Db;
  log: Logger;
  clock: () => number;
  markets: readonly SaleSource[];
  titles: TitleBook;
};

/** The result of querying one source. */
export type CrawledSource = {
  source: string;
  name: string;
  /** Rows found, whatever became of them. */
  sales: number;
  listings: number;
  /** Rows that are not sales or asks, by reason. */
  unreadable: Record<string, number>;
  /** Accepted sales that the ledger did not have. */
  added: number;
  complete: boolean;
  problem: SourceProblem | null;
  tookMs: number;
};

export type CrawlReport = { itemId: string; gradeKey: string; sources: CrawledSource[]; added: number };

/** What imports of crawls are called, before the source. */
export const CRAWL_FORMAT = 'crawl ';
/** How long unreadable rows of crawls are kept. */
const KEPT_DAYS = 30;
/** A source ends by itself when its time is over; one that does not is left behind after this. */
const GRACE_MS = 250;
/** After a crawl that no source answered, the series is not queried for this long. */
const PAUSE_MS = 15 * 60_000;

/**
 * Queries every market for a series, all at once, for `withinMs` at most; what each finds is stored as it comes, through the
 * same parser, screen and matcher as a file. A market that hangs or answers garbage costs its own share only. `leaveShare`
 * of each budget is left to others. Null when there is no such series.
 */
export async function crawlSeries(
  context: CrawlContext,
  { itemId, gradeKey }: SeriesName,
  signal: AbortSignal,
  withinMs: number,
  leaveShare = 0,
): Promise<CrawlReport | null> {
  const { db, clock, markets } = context;
  const query = await seriesQuery(db, itemId, gradeKey);
  if (query === null) return null;
  const endsMs = performance.now() + withinMs;
  const patience = { leftMs: () => endsMs - performance.now(), leaveShare };
  const sources = await Promise.all(
    markets.map(async (market): Promise<CrawledSource> => {
      const startedMs = performance.now();
      const answer = await boundedSearch(context, market, query, { ...patience, signal });
      const tookMs = Math.round(performance.now() - startedMs);
      const { complete, problem } = answer;
      const [sales, listings] = [answer.sales.length, answer.listings.length];
      const { unreadable, added } = await store(context, market, answer);
      const { id: source, name } = market;
      return { source, name, sales, listings, unreadable, added, complete, problem, tookMs };
    }),
  );
  await keepState(db, { itemId, gradeKey }, sources, clock());
  return { itemId, gradeKey, sources, added: sources.reduce((sum, { added }) => sum + added, 0) };
}

/** Queries a market, and gives up on one that exceeds its time or throws. */
async function boundedSearch(
  { log, clock }: CrawlContext,
  market: SaleSource,
  query: MarketQuery,
  patience: Patience,
): Promise<SourceAnswer> {
  const nothing = (problem: SourceProblem): SourceAnswer => ({ sales: [], listings: [], complete: false, problem });
  const answer = market.search(query, patience, clock()).catch((error: unknown) => {
    log.error({ err: error, source: market.id }, 'a source failed');
    return nothing(badAnswer('Its answer could not be read.'));
  });
  const { signal } = patience;
  let timer: NodeJS.Timeout | undefined;
  let giveUpAfter = (_ms: number): void => {};
  const late = new Promise<SourceAnswer>((resolve) => {
    const timeout = nothing({ reason: 'timeout', message: 'It was not done in its time.' });
    giveUpAfter = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(resolve, ms, timeout);
    };
  });
  const onAbort = () => giveUpAfter(GRACE_MS);
  giveUpAfter(signal.aborted ? GRACE_MS : patience.leftMs() + GRACE_MS);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([answer, late]);
  } finally {
    // The signal may be that of the whole process: what is left on it would be kept until the time is over.
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Writes what was found. */
async function store(
  { db, clock, titles }: CrawlContext,
  market: SaleSource,
  answer: SourceAnswer,
): Promise<Pick<CrawledSource, 'unreadable' | 'added'>> {
  const unreadable: Record<string, number> = {};
  const sales = answer.sales.filter((entry) => entry.sale !== null || isFirst(unreadable, entry.unreadable.reason));
  const listings = answer.listings.filter(
    (entry) => entry.listing !== null || isFirst(unreadable, entry.unreadable.reason),
  );
  if (sales.length === 0 && listings.length === 0) return { unreadable, added: 0 };
  await db.query('insert into sources (id, display_name) values ($1, $2) on conflict (id) do nothing', [
    market.id,
    market.name,
  ]);
  if (listings.length > 0) {
    const run = await startListings(db, CRAWL_FORMAT + market.id, { titles });
    for (const entry of listings) await run.take(entry);
    await run.finish();
  }
  if (sales.length === 0) return { unreadable, added: 0 };
  const run = await startImport(db, CRAWL_FORMAT + market.id, dayOf(clock()), { titles });
  for (const entry of sales) await run.take(entry);
  return { unreadable, added: (await run.finish()).added };
}

/**
 * Counts a reason; true for the first row of it. Markets return many rows that are not sales, again and again: one row of each
 * reason is kept, for diagnosis.
 */
function isFirst(counts: Record<string, number>, reason: string): boolean {
  countReason(counts, reason);
  return counts[reason] === 1;
}

/** Drops unreadable rows that were crawled long ago; returns how many. */
export async function dropOldCrawledRows(sql: Sql, nowMs: number): Promise<number> {
  const rows = await sql.query(
    `delete from rejected_rows r using imports i
     where i.id = r.import_id and i.format like $1 and i.started_at < $2 returning 1`,
    [`${CRAWL_FORMAT}%`, new Date(nowMs - KEPT_DAYS * MS_PER_DAY)],
  );
  return rows.length;
}

async function keepState(db: Db, { itemId, gradeKey }: SeriesName, sources: CrawledSource[], nowMs: number) {
  const answered = sources.some(({ problem }) => problem === null);
  const problems = sources.flatMap(({ source, problem }) =>
    problem === null ? [] : [{ source, reason: problem.reason }],
  );
  const rows = sources.reduce((sum, { sales, listings }) => sum + sales + listings, 0);
  await db.query(
    `insert into crawl_states as c (item_id, grade_key, crawled_at, taken_until, rows_found, problems)
     values ($1, $2, coalesce($3::timestamptz, 'epoch'), $4, $5, $6)
     on conflict (item_id, grade_key) do update set crawled_at = coalesce($3, c.crawled_at), taken_until = $4,
       rows_found = $5, problems = $6`,
    [
      itemId,
      gradeKey,
      answered ? new Date(nowMs) : null,
      new Date(answered ? 0 : nowMs + PAUSE_MS),
      rows,
      JSON.stringify(problems),
    ],
  );
}
