import { englishDate } from '../row-fields.ts';
import { jsonSales } from './sales-format.ts';

/** Sold eBay listings as a search of sold items shows them: one JSON array, dollars, no sale type. */
export const ebaySold = jsonSales(
  {
    name: 'ebay-sold',
    about: 'sold eBay listings: a JSON array of {item_id, title, price, date, url}',
    keys: ['item_id', 'date'],
    what: 'sold listings (item_id, title, price, date, url)',
  },
  (listing) => ({
    title: String(listing.title ?? ''),
    price: String(listing.price ?? ''),
    currency: 'USD',
    sold_at: englishDate(String(listing.date ?? '').replace(/^Sold\s+/, '')),
    source: 'ebay',
    sale_id: String(listing.item_id ?? ''),
    url: String(listing.url ?? ''),
  }),
);
