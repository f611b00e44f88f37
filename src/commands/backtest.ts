import { backtest } from '../pricing/backtest.ts';
import { type BacktestSale, ledgerSales, readSalesCsv } from '../pricing/backtest-sales.ts';
import { formatBacktest } from '../pricing/backtest-table.ts';
import { openProgress } from './progress.ts';
import { withWorld } from './world.ts';

/** `mintmark backtest [csv]`: the walk-forward error table of a CSV, or of the ledger. */
export async function backtestCommand(path: string | undefined): Promise<void> {
  if (path === undefined) await withWorld(({ db }) => show(ledgerSales(db)));
  else await show(readSalesCsv(path));
}

async function show(sales: AsyncIterable<BacktestSale>): Promise<void> {
  const progress = openProgress('sales');
  const table = await backtest(sales, (walked, count) => progress.update('forecasting', walked, count));
  progress.end();
  console.log(formatBacktest(table));
}
