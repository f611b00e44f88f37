import { Type } from 'typebox';
import { isObject } from '../../catalog/formats/text.ts';
import { type Connection, settingsOf } from '../../connections.ts';
import type { ServiceClientWorld } from '../../http/outbound/service-client.ts';
import { dayOf } from '../../lib/day.ts';
import type { RawListing } from '../crawl/listing.ts';
import { type ListingEntry, listingEntryOf } from '../formats/listings.ts';
import { isUnreadable, type UnreadableField, unreadable } from '../row-fields.ts';
import { EBAY_SETTINGS, openEbay } from './ebay-api.ts';
import { ebayCard, needsDescriptors } from './ebay-row.ts';
import type { Patience, SaleSource } from './source.ts';

const PATH = '/buy/browse/v1/item_summary/search';
const SCOPE = 'https://api.ebay.com/oauth/api_scope';
/** The usual limit of an application. */
const BUDGET_PER_DAY = 5000;
const DEFAULT_LOOKUPS = 5;

/**
 * Live asks: eBay's Browse API. Its summaries do not carry condition descriptors; of slabs whose title names no grader
 * the first few are looked up one by one.
 */
export function openEbayBrowse(world: ServiceClientWorld, connection: Connection): SaleSource {
  const own = { ...EBAY_SETTINGS, lookups: Type.Optional(Type.Integer({ minimum: 0, maximum: 50 })) };
  const settings = settingsOf(connection, own);
  const { lookups = DEFAULT_LOOKUPS } = settings;
  const ebay = openEbay(world, connection, { settings, scope: SCOPE, budgetPerDay: BUDGET_PER_DAY });

  /** The row with the descriptors of its item; as it is when they cannot be had. */
  async function described(row: Record<string, unknown>, patience: Patience): Promise<Record<string, unknown>> {
    const id = encodeURIComponent(String(row.itemId));
    const got = await ebay.get(`/buy/browse/v1/item/${id}`, {}, patience);
    return 'json' in got ? { ...row, conditionDescriptors: got.json.conditionDescriptors } : row;
  }

  return {
    id: connection.id,
    name: connection.name,
    tells: ['listing'],
    client: ebay.client,
    async search(query, patience, nowMs) {
      const listings: ListingEntry[] = [];
      let looked = 0;
      const ended = await ebay.search(PATH, 'itemSummaries', query, patience, async (row) => {
        const lookUp = needsDescriptors(row) && looked < lookups && patience.leftMs() > 0;
        if (lookUp) looked++;
        const whole = lookUp ? await described(row, patience) : row;
        const fields = listingOf(whole, nowMs);
        listings.push(listingEntryOf(fields, dayOf(nowMs), listings.length + 1, JSON.stringify(whole)));
      });
      return { sales: [], listings, ...ended };
    },
  };
}

function listingOf(row: Record<string, unknown>, nowMs: number): RawListing | UnreadableField {
  const card = ebayCard(row);
  if (isUnreadable(card)) return card;
  const options = [row.buyingOptions ?? []].flat();
  if (!options.includes('FIXED_PRICE') && !options.includes('BEST_OFFER'))
    return unreadable('auction_bid', 'an auction under way: a bid is not an asking price');
  const { itemNumber, cert: _cert, ...fields } = card;
  const price = isObject(row.price) ? row.price : {};
  const seen = new Date(nowMs).toISOString();
  const since = typeof row.itemCreationDate === 'string' && row.itemCreationDate < seen ? row.itemCreationDate : seen;
  return {
    ...fields,
    price: String(price.value ?? ''),
    currency: String(price.currency ?? ''),
    source: 'ebay',
    listing_id: itemNumber,
    first_seen: since,
    last_seen: seen,
  };
}
