import { englishDate } from '../row-fields.ts';
import { jsonSales } from './sales-format.ts';

/** Sold lots of Fanatics Collect as a crawler took them from its pages: lower-cased, price and date inside the text. */
export const fanaticsSales = jsonSales(
  {
    name: 'fanatics',
    about: 'sold lots of Fanatics Collect: a JSON array of {id, name, sold_price, sold_date, raw_text}',
    keys: ['sold_price', 'raw_text'],
    what: 'sold lots (id, name, sold_price, sold_date, raw_text)',
  },
  (lot) => {
    const text = String(lot.raw_text ?? '');
    const auction = text.endsWith('in auction');
    return {
      title: String(lot.name ?? '').replace(/\s*(w\/\s+buyers\s+premium)?\s*(sold on .*)?$/s, ''),
      price: dollars(String(lot.sold_price ?? '')),
      currency: 'USD',
      sold_at: englishDate(String(lot.sold_date ?? '')),
      source: 'fanatics',
      sale_id: String(lot.id ?? ''),
      sale_type: auction ? 'house_auction' : text.endsWith('in buy now') ? 'fixed' : undefined,
      detail: text.includes('buyers premium') ? "price with buyer's premium" : undefined,
    };
  },
);

/** `$1,230` as `1230`: how the page writes dollars; anything else is left for the price check to reject. */
function dollars(text: string): string {
  return /^\$\d{1,3}(,\d{3})*(\.\d\d)?$/.test(text) ? text.slice(1).replaceAll(',', '') : text;
}
