import { dayOf, formatDay } from '../lib/day.ts';
import { listUnmatched, rematch } from '../sales/waiting.ts';
import { formatReport } from './import-sales.ts';
import { CommandError, today, withWorld } from './world.ts';

/** `mintmark sales unmatched`: the queue of sales whose card could not be told for sure. */
export async function unmatchedCommand(options: { limit: string }): Promise<void> {
  if (!/^[1-9]\d{0,4}$/.test(options.limit)) throw new CommandError('--limit takes a whole number from 1 to 99999');
  await withWorld(async ({ db }) => {
    const { sales, total, byReason } = await listUnmatched(db, { limit: Number(options.limit) });
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
