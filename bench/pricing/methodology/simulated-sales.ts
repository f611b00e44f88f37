import { gradeByKey } from '../../../src/catalog/grades.ts';
import { backtest } from '../../../src/pricing/backtest.ts';
import type { BacktestSale } from '../../../src/pricing/backtest-sales.ts';
import { type SyntheticSale, syntheticMarket } from '../../../test/pricing/model/synthetic-market.ts';
import type { Measured } from './measured-tables.ts';

const YEARS3 = 1096;

/** Markets that the process of the demo simulates: one of few sales a series, its ungraded cards, and a dense one. */
export async function simulatedMarkets(): Promise<Measured[]> {
  const sparse = await measured(syntheticMarket({ seed: 1, days: YEARS3, cards: 1500, sales: 30_000 }));
  const ungraded = sparse.companies.filter(({ name }) => name === 'RAW').map((group) => ({ ...group, name: 'all' }));
  const dense = syntheticMarket({ seed: 2, days: YEARS3, cards: 100, sales: 20_000 }).filter(
    ({ game, gradeKey }) => game === 'pokemon' && (gradeKey === 'psa-9' || gradeKey === 'psa-10'),
  );
  return [
    { name: 'four games, three years, few sales a series', table: sparse },
    { name: 'the same, ungraded cards', table: { ...sparse, bands: ungraded } },
    { name: 'Pokémon, PSA 9 and 10, many sales a series', table: await measured(dense) },
  ];
}

async function measured(sales: readonly SyntheticSale[]) {
  return await backtest(sales.map(asSold));
}

function asSold({ day, game, set, card, gradeKey, venue, priceUsdCents }: SyntheticSale): BacktestSale {
  const { company, grade } = gradeByKey(gradeKey)!;
  return { item: `${card}`, company, grade, day, game, set: `${set}`, venue, priceUsd: priceUsdCents / 100 };
}
