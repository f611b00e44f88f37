import { ebaySold } from './ebay-sold.ts';
import { fanaticsSales } from './fanatics.ts';
import type { SalesFormat } from './format.ts';
import { mintmarkSales } from './mintmark.ts';
import { psaSampleSales } from './psa-sample.ts';
import { renaissSales } from './renaiss.ts';

/** Every kind of sales file that can be imported. */
export const SALES_FORMATS: readonly SalesFormat[] = [
  mintmarkSales,
  psaSampleSales,
  fanaticsSales,
  ebaySold,
  renaissSales,
];
