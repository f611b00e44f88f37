import type { Db, Session } from '../../db/client.ts';
import { beginImport, finishImport, forgetImport } from '../../db/import-rows.ts';
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
  rejected: Record<string, number>;
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
 * Imports asks. A listing seen again moves its last day, and the newest statement counts. Running it again
 * changes nothing. Throws UnreadableFile for a file of another format.
 */
export async function importListings(db: Db, options: ImportListingsOptions): Promise<ListingsReport> {
  const { format, paths, today } = options;
  const files = { extensions: format.extensions, read: (path: string) => format.read(path, today) };
  return importFiles(paths, files, (found) => startListings(db, format.name, { files: found }), options);
}

type ListingsRun = ImportRun<ListingEntry, ListingsReport>;

/** Starts an import of asks that takes rows one by one; `titles` as in `startImport`. */
export async function startListings(
  db: Db,
  formatName: string,
  { titles, files = [] }: { titles?: TitleBook; files?: readonly string[] } = {},
): Promise<ListingsRun> {
  const importId = await beginImport(db, 'listings', formatName, files);
  const report: ListingsReport = { importId, rows: 0, listings: 0, rejected: {}, unmatched: {} };
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
      await finishImport(db, importId, report);
      // One that is seen again moves its last day; ready answers are no older than a minute.
      if (fresh > 0) await db.query(`select pg_notify('sales', '')`);
      return report;
    },
    forget: () => forgetImport(db, importId),
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
  const rejected: RejectedRow[] = [];
  for (const entry of entries) {
    report.rows++;
    if (entry.listing === null) {
      rejected.push(entry);
      countReason(report.rejected, entry.unreadable.reason);
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
    if (identified.grade.row === null) countReason(report.rejected, identified.grade.scale);
    else if (priceUsdCents === null) countReason(report.rejected, 'fx_missing');
    else if (!isSaneUsdPrice(priceUsdCents)) countReason(report.rejected, 'absurd_price');
    else ready.push({ listing, itemId: identified.item.id, grade: identified.grade, priceUsdCents });
  }
  report.listings += ready.length;
  return await db.transaction(async (session) => {
    await ensureSources(
      session,
      listings.map((listing) => listing.source),
    );
    const fresh = await writeListings(session, ready, report.importId);
    await writeRejected(session, 'listings', rejected, report.importId);
    return fresh;
  });
}

/** Columns of what is stated about a listing; the newest statement counts. */
const STATED = [
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
];

async function writeListings(session: Session, ready: ReadyListing[], importId: number): Promise<number> {
  const rows = ready.map(({ listing, itemId, grade, priceUsdCents }) => ({
    source: listing.source,
    source_listing_id: listing.sourceListingId,
    item_id: itemId,
    company: grade.company,
    grade: grade.grade,
    grade_key: grade.row!.key,
    price_usd_cents: priceUsdCents,
    price_minor: listing.priceMinor,
    currency: listing.currency,
    first_seen: new Date(listing.firstSeenMs),
    last_seen: new Date(listing.lastSeenMs),
    ended_at: listing.endedAtMs === null ? null : new Date(listing.endedAtMs),
    url: listing.url,
    title: listing.title,
  }));
  const newest = [...STATED, 'import_id'].map(
    (column) => `${column} = case when excluded.last_seen >= l.last_seen then excluded.${column} else l.${column} end`,
  );
  const written = await session.query<{ fresh: boolean }>(
    `insert into listings as l (source, source_listing_id, first_seen, last_seen, ${STATED.join(', ')}, import_id)
     select distinct on (source, source_listing_id) source, source_listing_id,
       min(first_seen) over (partition by source, source_listing_id), last_seen, ${STATED.join(', ')}, $2::int
     from jsonb_populate_recordset(null::listings, $1) with ordinality
     order by source, source_listing_id, last_seen desc, ordinality desc
     on conflict (source, source_listing_id) do update set ${newest.join(', ')},
       first_seen = least(excluded.first_seen, l.first_seen), last_seen = greatest(excluded.last_seen, l.last_seen)
     returning xmax = 0 as fresh`,
    [JSON.stringify(rows), importId],
  );
  return written.filter(({ fresh }) => fresh).length;
}
