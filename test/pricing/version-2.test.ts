import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { dailyLine } from '../../src/pricing/read/item-prices.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { loadModel } from '../../src/pricing/store/model-state.ts';
import { upgradePrices } from '../../src/pricing/upgrade.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from './ledger.ts';
import { syntheticMarket } from './model/synthetic-market.ts';

const market = syntheticMarket({ seed: 4, days: 60, cards: 20, sales: 800 });
const CLOSED = FIRST_DAY + 49;
const cards = [...new Set(market.map((sale) => itemIdOf(sale.card)))];

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  await catalogCards(database.db, market);
  await recordSales(database.db, market);
  await reprice(database.db, { through: CLOSED });
  await asVersion2(database.db);
});
afterAll(() => database.close());

/** Makes of the model's state one that version 2 stored: no price buckets, noise as the mean of a game. */
async function asVersion2(db: Db): Promise<void> {
  await db.query('update calibration_days set factors = null');
  const [row] = await db.query<{ state: { calibration: { strata: unknown }; games: Record<string, unknown>[] } }>(
    'select state from model_state',
  );
  const { calibration, games, ...state } = row!.state;
  const before = games.map(({ noise, gradeNoise, ...game }) => ({ ...game, noiseMean: 1.4, noiseCount: 500 }));
  await db.query(`update model_state set version = '2', state = $1`, [
    JSON.stringify({ ...state, calibration: calibration.strata, games: before }),
  ]);
}

test('the state of version 2 is read, without its noise and ranges; an upgrade leaves its days as it published them', async () => {
  const { db } = database;
  const { model } = await loadModel(db);
  expect(model.day).toBe(CLOSED);
  for (const game of model.games.values()) {
    expect(game).toMatchObject({ noise: { count: 0, mean: 0 } });
    expect(game.gradeNoise.every(({ count, mean }) => count === 0 && mean === 0)).toBe(true);
    expect(Object.keys(game)).not.toContain('noiseMean');
  }
  const learned = ({ strata, buckets }: typeof model.calibration) => {
    return [strata, buckets].map((list) => list.reduce((sum, { forecasts }) => sum + forecasts, 0));
  };
  expect(learned(model.calibration)).toEqual([0, 0]);

  const lines = () => Promise.all(cards.map((id) => dailyLine(db, id, 'psa-10', FIRST_DAY, CLOSED)));
  const published = await lines();
  expect(published.flat().some(({ usdCents }) => usdCents !== null)).toBe(true);
  for (const { version } of published.flat()) expect(version).toBe('2');
  expect(await upgradePrices(db)).toMatchObject({ version: '2', run: 1, untilDay: CLOSED });
  await reprice(db, { through: FIRST_DAY + 59 });
  expect(await lines()).toEqual(published);
  const [inStrata, inBuckets] = learned((await loadModel(db)).model.calibration);
  expect(inStrata).toBeGreaterThan(0);
  expect(inBuckets).toBe(inStrata);
  const days = await db.query<{ factors: number[] | null }>('select factors from calibration_days');
  for (const { factors } of days) expect(factors).toHaveLength(5);
});
