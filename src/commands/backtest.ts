import { backtest } from '../pricing/backtest.ts';
import { type BacktestSale, ledgerSales, readSalesCsv } from '../pricing/backtest-sales.ts';
import { formatBacktest } from '../pricing/backtest-table.ts';
import { readGuide } from '../sales/formats/guides.ts';
import { openProgress } from './progress.ts';
import { CommandError, withWorld } from './world.ts';

/** `mintmark backtest [csv] [--guide]`: the walk-forward error table of a CSV, of guide prices, or of the ledger. */
export async function backtestCommand(path: string | undefined, options: { guide?: boolean }): Promise<void> {
  if (path === undefined) {
    if (options.guide) throw new CommandError('--guide takes a file or folder of guide prices');
    await withWorld(({ db }) => show(ledgerSales(db)));
    return;
  }
  if (options.guide)
    console.log('guide prices, not sales: the figures say how stale a guide gets, not how sales come out');
  await show(options.guide ? readGuide([path]) : readSalesCsv(path));
}

async function show(sales: AsyncIterable<BacktestSale>): Promise<void> {
  const progress = openProgress('sales');
  const table = await backtest(sales, (walked, count) => progress.update('forecasting', walked, count));
  progress.end();
  console.log(formatBacktest(table));
}
