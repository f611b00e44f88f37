import { backtest } from '../pricing/backtest.ts';
import { type BacktestSale, ledgerSales, readSalesCsv } from '../pricing/backtest-sales.ts';
import { formatBacktest } from '../pricing/backtest-text.ts';
import { type JsonOption, report } from './output.ts';
import { openProgress } from './progress.ts';
import { withWorld } from './world.ts';

/** `mintmark backtest [--json] [csv]`: the walk-forward error table of a CSV, or of the ledger. */
export async function backtestCommand(path: string | undefined, options: JsonOption): Promise<void> {
  const show = (sales: AsyncIterable<BacktestSale>) => showTable(sales, options);
  if (path === undefined) await withWorld(({ db }) => show(ledgerSales(db)));
  else await show(readSalesCsv(path));
}

async function showTable(sales: AsyncIterable<BacktestSale>, options: JsonOption): Promise<void> {
  const progress = openProgress('sale');
  const table = await backtest(sales, (walked, count) => progress.update('forecasting', walked, count));
  progress.end();
  report(options, table, () => [formatBacktest(table)]);
}
