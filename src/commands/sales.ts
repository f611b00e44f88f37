import { dayOf, formatDay } from '../lib/day.ts';
import { listUnmatched, rematch } from '../sales/import/waiting.ts';
import { listRejected } from '../sales/rejected.ts';
import { formatReport } from './import-sales.ts';
import { limitOption, today, withWorld } from './world.ts';

/** `mintmark sales rejected`: rows that are in no price, with their import and line. */
export async function rejectedCommand(options: { limit: string }): Promise<void> {
  const limit = limitOption(options.limit);
  await withWorld(async ({ db }) => {
    for (const { importId, importedAt, line, reason, row } of await listRejected(db, limit))
      console.log([`import ${importId}`, importedAt.toISOString(), `line ${line}`, reason, row].join('\t'));
  });
}

/** `mintmark sales unmatched`: the queue of sales whose card could not be identified. */
export async function unmatchedCommand(options: { limit: string }): Promise<void> {
  const limit = limitOption(options.limit);
  await withWorld(async ({ db }) => {
    const { sales, total, byReason } = await listUnmatched(db, limit);
    for (const sale of sales)
      console.log(
        [sale.source, sale.sourceSaleId, formatDay(dayOf(sale.soldAtMs)), sale.reason, sale.title ?? ''].join('\t'),
      );
    const reasons = Object.entries(byReason).map(([reason, count]) => `${reason} ${count}`);
    console.log(`${total} sales wait${reasons.length > 0 ? `: ${reasons.join(', ')}` : ''}`);
  });
}

/** `mintmark sales rematch` */
export async function rematchCommand(): Promise<void> {
  await withWorld(async ({ db }) => console.log(formatReport(await rematch(db, { today: today() }))));
}
