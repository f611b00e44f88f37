import { ebaySold } from './ebay-sold.ts';
import { fanaticsSales } from './fanatics.ts';
import { mintmarkSales } from './mintmark.ts';
import { renaissSales } from './renaiss.ts';
import type { SalesFormat } from './sales-format.ts';

/** Every kind of sales file that can be imported. */
export const SALES_FORMATS: readonly SalesFormat[] = [mintmarkSales, fanaticsSales, ebaySold, renaissSales];
