import { dailyLinesOf } from '../../pricing/read/daily-lines.ts';
import type { FileRow, FileTable } from '../file-table.ts';
import { type BulkRead, type DaySpan, soldCards } from './bulk-read.ts';

/** The daily line: what each close of some days published of each card and grade. Days without a price have no row. */
export const SERIES: FileTable = {
  kind: 'series',
  key: ['itemId', 'gradeToken', 'day'],
  columns: [
    { name: 'itemId', type: 'text' },
    { name: 'gradeToken', type: 'text' },
    { name: 'day', type: 'day' },
    { name: 'priceUsdCents', type: 'integer' },
    { name: 'lowUsdCents', type: 'integer' },
    { name: 'highUsdCents', type: 'integer' },
    { name: 'scorerVersion', type: 'text' },
  ],
};

export async function* seriesRowsOf(read: BulkRead, { fromDay, toDay }: DaySpan): AsyncGenerator<FileRow[]> {
  for await (const ids of soldCards(read)) {
    const rows: FileRow[] = [];
    for (const { itemId, gradeKey, points } of await dailyLinesOf(read.sql, ids, fromDay, toDay))
      for (const { day, usdCents, lowUsdCents, highUsdCents, version } of points)
        if (usdCents !== null) rows.push([itemId, gradeKey, day, usdCents, lowUsdCents, highUsdCents, version]);
    yield rows;
  }
}
