import type { SalesFormat } from './sales-format.ts';
import { type LayoutFound, spreadsheetSales } from './spreadsheet/spreadsheet.ts';

const COLUMNS = [
  ['title', 'Item Title'],
  ['price', 'Sold For'],
  ['sold_at', 'Sale Date'],
  ['sale_id', 'Transaction ID'],
  ['quantity', 'Quantity'],
] as const;

/**
 * The orders report that eBay's sellers download: one row an item, and one more, without a title, for an order of several.
 * The company and grade are those of the title; how it was sold is not stated.
 */
export function ebayOrders(onLayout?: LayoutFound): SalesFormat {
  return {
    ...spreadsheetSales(
      { map: new Map(COLUMNS), set: new Map([['source', 'ebay']]), decimal: null, days: null, dollar: 'USD' },
      onLayout,
    ),
    name: 'ebay-orders',
    about: 'orders report of an eBay seller: CSV with Item Title, Sold For, Sale Date, Transaction ID',
  };
}
