import type { Db, Session } from '../../db/client.ts';
import { copyRows } from '../../db/copy.ts';
import { dayOf } from '../../lib/day.ts';
import { toUsdCents } from '../../lib/money.ts';
import { openRateBook, type RateBook } from '../currency.ts';
import type { ListingEntry, ListingsFormat } from '../formats/listings.ts';
import { type Identifier, openIdentifier } from '../identify.ts';
import { type ImportEvents, type ImportRun, importFiles } from '../import/import-files.ts';
import type { ResolvedGrade } from '../import/resolve.ts';
import { countReason, type RejectedRow, writeRejected } from '../import/set-aside.ts';
import { ensureSources } from '../known-sources.ts';
import { isSaneUsdPrice } from '../screen.ts';
import type { TitleBook } from '../titles.ts';
import type { Listing } from './listing.ts';

/** What an import of listings did: rows = listings + the sums of rejected and of unmatched rows. */
export type ListingsReport = {
  importId: number;
  rows: number;
  /** Rows that are asks: written, or known already. */
  listings: number;
  refused: Record<string, number>;
  /** Rows whose card could not be identified, by reason. A listing that is not matched is seen again in the next file. */
  unmatched: Record<string, number>;
};

type ImportListingsOptions = ImportEvents & {
  format: ListingsFormat;
  paths: readonly string[];
  /** UTC day number of the import. */
  today: number;
};

const BATCH_ROWS = 5000;

type ReadyListing = { listing: Listing; itemId: string; grade: ResolvedGrade; priceUsdCents: number };

/**
 * Imports asks. A listing seen again moves its last day, and what was seen last is what it says. Running it again
 * changes nothing. Throws UnreadableFile for a file of another format.
 */
export async function importListings(db: Db, options: ImportListingsOptions): Promise<ListingsReport> {
  const { format, paths, today } = options;
  const files = { extensions: format.extensions, read: (path: string) => format.read(path, today) };
  return importFiles(paths, files, () => startListings(db, format.name), options);
}

type ListingsRun = ImportRun<ListingEntry, ListingsReport>;

/** Starts an import of asks that takes rows one by one; `titles` as in `startImport`. */
export async function startListings(db: Db, formatName: string, titles?: TitleBook): Promise<ListingsRun> {
  const [row] = await db.query<{ id: number }>(
    `insert into imports (kind, format) values ('listings', $1) returning id`,
    [formatName],
  );
  const report: ListingsReport = { importId: row!.id, rows: 0, listings: 0, refused: {}, unmatched: {} };
  const identifier = openIdentifier(db, titles);
  const rates = openRateBook(db);
  let entries: ListingEntry[] = [];
  let fresh = 0;
  async function flush(): Promise<void> {
    const batch = entries;
    entries = [];
    if (batch.length > 0) fresh += await importBatch(db, batch, report, identifier, rates);
  }
  return {
    report,
    async take(entry) {
      if (entries.push(entry) < BATCH_ROWS) return false;
      await flush();
      return true;
    },
    flush,
    async finish() {
      await flush();
      await db.query('update imports set finished_at = now(), counts = $2 where id = $1', [report.importId, report]);
      // One that is seen again moves its last day; ready answers are no older than a minute.
      if (fresh > 0) await db.query(`select pg_notify('sales', '')`);
      return report;
    },
  };
}

/** Writes a batch; returns how many of its listings were not known. */
async function importBatch(
  db: Db,
  entries: ListingEntry[],
  report: ListingsReport,
  identifier: Identifier,
  rates: RateBook,
): Promise<number> {
  const listings = entries.flatMap(({ listing }) => (listing === null ? [] : [listing]));
  await identifier.load(listings);
  await rates.load(listings.map((listing) => listing.currency));
  const ready: ReadyListing[] = [];
  const refused: RejectedRow[] = [];
  for (const entry of entries) {
    report.rows++;
    if (entry.listing === null) {
      refused.push(entry);
      countReason(report.refused, entry.unreadable.reason);
      continue;
    }
    const { listing } = entry;
    const identified = identifier.identify(listing);
    if (identified.item === null) {
      countReason(report.unmatched, identified.reason);
      continue;
    }
    const usdPerUnit = rates.rateOn(listing.currency, dayOf(listing.lastSeenMs));
    const priceUsdCents = usdPerUnit === null ? null : toUsdCents(listing.priceMinor, listing.currency, usdPerUnit);
    if (identified.grade.row === null) countReason(report.refused, identified.grade.scale);
    else if (priceUsdCents === null) countReason(report.refused, 'fx_missing');
    else if (!isSaneUsdPrice(priceUsdCents)) countReason(report.refused, 'absurd_price');
    else ready.push({ listing, itemId: identified.item.id, grade: identified.grade, priceUsdCents });
  }
  report.listings += ready.length;
  return await db.transaction(async (session) => {
    await ensureSources(
      session,
      listings.map((listing) => listing.source),
    );
    const fresh = await writeListings(session, ready, report.importId);
    await writeRejected(session, 'listings', refused, report.importId);
    return fresh;
  });
}

const COLUMNS = `source, source_listing_id, item_id, company, grade, grade_key, price_usd_cents, price_minor, currency,
  first_seen, last_seen, ended_at, url, title`;
const LAST_TOLD = [
  'item_id',
  'company',
  'grade',
  'grade_key',
  'price_usd_cents',
  'price_minor',
  'currency',
  'ended_at',
  'url',
  'title',
  'import_id',
];

async function writeListings(session: Session, ready: ReadyListing[], importId: number): Promise<number> {
  if (ready.length === 0) return 0;
  await session.query(
    `create temp table if not exists staged_listings (
       n int, source text, source_listing_id text, item_id uuid, company text, grade text, grade_key text,
       price_usd_cents bigint, price_minor bigint, currency text, first_seen timestamptz, last_seen timestamptz,
       ended_at timestamptz, url text, title text
     ) on commit delete rows`,
  );
  await copyRows(
    session,
    `staged_listings (n, ${COLUMNS})`,
    ready.map(({ listing, itemId, grade, priceUsdCents }, n) => [
      n,
      listing.source,
      listing.sourceListingId,
      itemId,
      grade.company,
      grade.grade,
      grade.row!.key,
      priceUsdCents,
      listing.priceMinor,
      listing.currency,
      timestamp(listing.firstSeenMs),
      timestamp(listing.lastSeenMs),
      listing.endedAtMs === null ? null : timestamp(listing.endedAtMs),
      listing.url,
      listing.title,
    ]),
  );
  const newest = LAST_TOLD.map(
    (column) => `${column} = case when excluded.last_seen >= l.last_seen then excluded.${column} else l.${column} end`,
  );
  const written = await session.query<{ fresh: boolean }>(
    `insert into listings as l (${COLUMNS}, import_id)
     select distinct on (source, source_listing_id) ${COLUMNS.replace(
       'first_seen',
       'min(first_seen) over (partition by source, source_listing_id)',
     )}, $1::int
     from staged_listings order by source, source_listing_id, last_seen desc, n desc
     on conflict (source, source_listing_id) do update set ${newest.join(', ')},
       first_seen = least(excluded.first_seen, l.first_seen), last_seen = greatest(excluded.last_seen, l.last_seen)
     returning xmax = 0 as fresh`,
    [importId],
  );
  return written.filter(({ fresh }) => fresh).length;
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
