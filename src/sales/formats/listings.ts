import { readCsv } from '../../catalog/formats/csv.ts';
import { LISTING_FIELDS, type Listing, parseListing, type RawListing } from '../crawl/listing.ts';
import { isUnreadable, type UnreadableField, unreadable } from '../row-fields.ts';
import { centsText } from './renaiss.ts';
import { readObjectArray } from './sales-format.ts';

export type ListingEntry = { line: number } & (
  | { listing: Listing }
  | { listing: null; unreadable: UnreadableField; raw: string }
);

/** A kind of listings file that can be imported. */
export type ListingsFormat = {
  name: string;
  about: string;
  extensions: readonly string[];
  /** Reads one file; `today` is when a snapshot without dates was seen. Throws UnreadableFile for another format. */
  read(path: string, today: number): AsyncIterable<ListingEntry>;
};

/** The own format. */
export const ownListings: ListingsFormat = {
  name: 'mintmark',
  about: 'own CSV, described in docs/guide/import-sales.md',
  extensions: ['.csv'],
  async *read(path, today) {
    for await (const row of readCsv(path, LISTING_FIELDS, ['price', 'currency', 'source', 'listing_id'])) {
      const fields = row.problem === null ? row.fields : unreadable('bad_row', row.problem);
      yield listingEntryOf(fields, today, row.line, row.raw);
    }
  },
};

/** Asks of the Renaiss marketplace; the snapshot has no day of its own. */
export const renaissListings: ListingsFormat = {
  name: 'renaiss',
  about: 'asks of the Renaiss marketplace: a JSON array of {tokenId, name, gradingCompany, grade, askPriceCents}',
  extensions: ['.json'],
  async *read(path, today) {
    const asks = await readObjectArray(
      path,
      ['tokenId', 'askPriceCents'],
      'Renaiss asks (tokenId, name, askPriceCents)',
    );
    for (const [index, ask] of asks.entries()) {
      const raw: RawListing = {
        title: String(ask.name ?? ''),
        company: String(ask.gradingCompany ?? ''),
        grade: String(ask.grade ?? ''),
        price: centsText(ask.askPriceCents),
        currency: 'USD',
        source: 'renaiss',
        listing_id: String(ask.tokenId ?? ''),
      };
      yield listingEntryOf(raw, today, index + 1, JSON.stringify(ask));
    }
  },
};

/** The entry of a row: parsed, or unreadable with the reason. */
export function listingEntryOf(
  fields: RawListing | UnreadableField,
  today: number,
  line: number,
  raw: string,
): ListingEntry {
  const result = isUnreadable(fields) ? fields : parseListing(fields, today);
  if (isUnreadable(result)) return { line, listing: null, unreadable: result, raw };
  return { line, listing: result };
}
