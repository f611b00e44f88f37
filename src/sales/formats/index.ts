import { ebayOrders } from './ebay-orders.ts';
import { ebaySold } from './ebay-sold.ts';
import { fanaticsSales } from './fanatics.ts';
import { type ListingsFormat, ownListings, renaissListings } from './listings.ts';
import { mintmarkSales } from './mintmark.ts';
import { renaissSales } from './renaiss.ts';
import type { SalesFormat } from './sales-format.ts';
import { spreadsheetListings, spreadsheetSales } from './spreadsheet/spreadsheet.ts';
import { tcgplayerOrders } from './tcgplayer-orders.ts';

/** Every kind of sales file that can be imported. */
export const SALES_FORMATS: readonly SalesFormat[] = [
  mintmarkSales,
  spreadsheetSales(),
  ebayOrders(),
  tcgplayerOrders(),
  fanaticsSales,
  ebaySold,
  renaissSales,
];

/** Every kind of listings file that can be imported. */
export const LISTINGS_FORMATS: readonly ListingsFormat[] = [ownListings, spreadsheetListings(), renaissListings];
