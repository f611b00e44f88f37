import type { SALE_FIELDS } from '../sale.ts';
import { numbered } from './numbered.ts';
import type { SalesFormat } from './sales-format.ts';
import { type LayoutFound, spreadsheetSales } from './spreadsheet/spreadsheet.ts';

const COLUMNS: readonly [(typeof SALE_FIELDS)[number], string | readonly string[]][] = [
  ['title', ['Product Name', 'Card Number', 'Set Name', 'Printing', 'Language', 'Condition']],
  ['price', 'Price'],
  ['sold_at', 'Order Date'],
  ['sale_id', ['Order Number', 'SKU']],
];
const STATED = [
  ['source', 'tcgplayer'],
  ['currency', 'USD'],
  ['sale_type', 'fixed'],
] as const;

/**
 * The orders of a TCGplayer seller, one row for each product of an order, as tools for sellers exchange them. `Price` is that
 * of one copy: a row of several is one sale at it. The condition is read from the title.
 */
export function tcgplayerOrders(onLayout?: LayoutFound): SalesFormat {
  const rows = spreadsheetSales(
    { map: new Map(COLUMNS), set: new Map(STATED), decimal: null, days: 'mdy', dollar: 'USD' },
    onLayout,
    // No other column: "Quantity" would make a lot of several copies.
    COLUMNS.map(([field]) => field),
  );
  return {
    ...rows,
    name: 'tcgplayer-orders',
    about:
      'orders of a TCGplayer seller: CSV with Order Number, Product Name, Set Name, Price, Condition, Order Date, SKU',
    // Rows of one product in one order, or of an order without SKUs, are as many sales.
    read: (path) => {
      let row = 0;
      return numbered(rows.read(path), () => String(row++));
    },
  };
}
