import { readJson, UnreadableFile } from '../../catalog/formats/files.ts';
import { objects } from '../../catalog/formats/text.ts';
import { englishDate } from '../row-fields.ts';
import { entryOf, type SalesFormat } from './sales-format.ts';

/** Sold eBay listings as a search of sold items shows them: one JSON array, dollars, no sale type. */
export const ebaySold: SalesFormat = {
  name: 'ebay-sold',
  about: 'sold eBay listings: a JSON array of {item_id, title, price, date, url}',
  extensions: ['.json'],
  async *read(path) {
    const listings = objects(await readJson(path));
    if (listings.length === 0 || !('item_id' in listings[0]! && 'date' in listings[0]))
      throw new UnreadableFile(`${path}: not a JSON array of sold listings (item_id, title, price, date, url)`);
    for (const [index, listing] of listings.entries()) {
      yield entryOf(
        {
          title: String(listing.title ?? ''),
          price: String(listing.price ?? ''),
          currency: 'USD',
          sold_at: englishDate(String(listing.date ?? '').replace(/^Sold\s+/, '')),
          source: 'ebay',
          sale_id: String(listing.item_id ?? ''),
          url: String(listing.url ?? ''),
        },
        index + 1,
        0,
        () => JSON.stringify(listing),
      );
    }
  },
};
