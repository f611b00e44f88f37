import { SALE_FIELDS } from '../sale.ts';
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
 * The orders report that eBay's sellers download: a row for each item, and before those of an order of several a row of the whole
 * order, without a title or a transaction. `onOrderRow` is called for each of the latter: it is not a sale. The company and
 * grade are those of the title; how it was sold is not stated.
 */
export function ebayOrders(onLayout?: LayoutFound, onOrderRow?: () => void): SalesFormat {
  return {
    ...spreadsheetSales(
      { map: new Map(COLUMNS), set: new Map([['source', 'ebay']]), decimal: null, days: null, dollar: 'USD' },
      onLayout,
      SALE_FIELDS,
      (textOf) => {
        const isOrder = textOf('title') === '' && textOf('sale_id') === '';
        if (isOrder) onOrderRow?.();
        return isOrder;
      },
    ),
    name: 'ebay-orders',
    about: 'orders report of an eBay seller: CSV with Item Title, Sold For, Sale Date, Transaction ID',
  };
}
