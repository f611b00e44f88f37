import { backtest, formatBacktest, ledgerSales, readSalesCsv } from '../pricing/backtest.ts';
import { readGuide } from '../sales/formats/guides.ts';
import { CommandError, withWorld } from './world.ts';

/** `mintmark backtest [csv] [--guide]`: the walk-forward error table of a CSV, of guide prices, or of the ledger. */
export async function backtestCommand(path: string | undefined, options: { guide?: boolean }): Promise<void> {
  if (path === undefined) {
    if (options.guide) throw new CommandError('--guide takes a file or folder of guide prices');
    await withWorld(async ({ db }) => console.log(formatBacktest(await backtest(ledgerSales(db)))));
    return;
  }
  if (options.guide)
    console.log('guide prices, not sales: the figures say how stale a guide gets, not how sales come out');
  console.log(formatBacktest(await backtest(options.guide ? readGuide([path]) : readSalesCsv(path))));
}
