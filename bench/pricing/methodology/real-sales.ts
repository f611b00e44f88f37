import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDay } from '../../../src/lib/day.ts';
import { type BacktestSale, readSalesCsv } from '../../../src/pricing/backtest-sales.ts';
import { testData } from '../../../test/support/test-data.ts';

/** A sample of real sales, as the methodology calls it. */
export type Sample = { name: string; sales: BacktestSale[] };

/** The samples that the method is measured on; null without the test data. */
export async function realSamples(): Promise<Sample[] | null> {
  const monthly = testData('sales', 'psa-sold-sample');
  const pokemon = testData('sales', 'psa-sold-2025', 'pokemon-psa-2025.part.csv');
  const hockey = testData('sales', 'hockey-sold');
  if (monthly === null || pokemon === null || hockey === null) return null;
  const csv = async (name: string, path: string): Promise<Sample> => {
    const sales: BacktestSale[] = [];
    for await (const sale of readSalesCsv(path)) sales.push(sale);
    return { name, sales };
  };
  return [
    { name: 'Pokémon, PSA 9 and 10, five months of 2026', sales: monthlySales(monthly) },
    await csv('Pokémon, PSA 9 and 10, 2025', pokemon),
    await csv('hockey, graded', join(hockey, 'hockey-graded.part.csv')),
    await csv('hockey, ungraded', join(hockey, 'hockey-ungraded.part.csv')),
  ];
}

/** Files of a month (`clean_sales_2026-05…csv`) with a series a line: asset, grade, `day:price day:price …`. */
function monthlySales(folder: string): BacktestSale[] {
  return readdirSync(folder)
    .filter((file) => file.startsWith('clean_sales_'))
    .sort()
    .flatMap((file) => {
      const month = /\d{4}-\d\d/.exec(file)![0];
      const [, ...lines] = readFileSync(join(folder, file), 'utf8').trim().split(/\r?\n/);
      return lines.flatMap((line) => {
        const [item, grade, sales] = line.split(',') as [string, string, string];
        return sales.split(' ').map((sale) => {
          const [day, price] = sale.split(':') as [string, string];
          return {
            item,
            company: 'PSA',
            grade,
            day: parseDay(`${month}-${day.padStart(2, '0')}`)!,
            priceUsd: Number(price),
          };
        });
      });
    });
}
