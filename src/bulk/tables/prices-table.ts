import { gradeByKey } from '../../catalog/grades.ts';
import { priceRows, seriesIn } from '../../pricing/read/price-series.ts';
import { quoteOf, type SeriesQuote } from '../../pricing/read/series-quote.ts';
import type { FileRow, FileTable } from '../file-table.ts';
import { type BulkRead, soldCards } from './bulk-read.ts';

/** Prices of the last close, one row for each card and grade that has one. */
export const PRICES: FileTable = {
  kind: 'prices',
  key: ['itemId', 'gradeToken'],
  columns: [
    { name: 'itemId', type: 'text' },
    { name: 'gradeToken', type: 'text' },
    { name: 'company', type: 'text' },
    { name: 'grade', type: 'text' },
    { name: 'gradeLabel', type: 'text' },
    { name: 'day', type: 'day' },
    { name: 'priceUsdCents', type: 'integer' },
    { name: 'lowUsdCents', type: 'integer' },
    { name: 'highUsdCents', type: 'integer' },
    { name: 'nextSaleLowUsdCents', type: 'integer', optional: true },
    { name: 'nextSaleHighUsdCents', type: 'integer', optional: true },
    { name: 'unconfirmedMove', type: 'boolean' },
    { name: 'confidence', type: 'text' },
    { name: 'confidenceScore', type: 'real' },
    { name: 'estimated', type: 'boolean' },
    { name: 'delta7Pct', type: 'real', optional: true },
    { name: 'delta30Pct', type: 'real', optional: true },
    { name: 'delta365Pct', type: 'real', optional: true },
    { name: 'observationCount', type: 'integer' },
    { name: 'totalObservationCount', type: 'integer' },
    { name: 'sourceCount', type: 'integer' },
    { name: 'lastSaleAt', type: 'instant', optional: true },
  ],
};

export async function* priceRowsOf(read: BulkRead): AsyncGenerator<FileRow[]> {
  for await (const ids of soldCards(read)) {
    const quotes = seriesIn(await priceRows(read.sql, ids), { provisional: false }).map(quoteOf);
    yield quotes
      .filter(({ priceUsdCents }) => priceUsdCents !== null)
      .sort((a, b) => compare(a.itemId, b.itemId) || compare(a.gradeKey, b.gradeKey))
      .map(rowOf);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rowOf(quote: SeriesQuote): FileRow {
  const { company, grade, label } = gradeByKey(quote.gradeKey)!;
  const { lowUsdCents = null, highUsdCents = null } = quote.nextSaleRange ?? {};
  return [
    ...[quote.itemId, quote.gradeKey, company, grade, label, quote.day],
    ...[quote.priceUsdCents, quote.lowUsdCents, quote.highUsdCents, lowUsdCents, highUsdCents],
    ...[quote.unconfirmedMove !== null, quote.confidence, quote.confidenceScore, quote.estimated],
    ...[quote.delta7Pct, quote.delta30Pct, quote.delta365Pct],
    ...[quote.observationCount, quote.totalObservationCount, quote.sourceCount, quote.lastSaleAtMs],
  ];
}
