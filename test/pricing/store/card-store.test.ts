import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../src/db/client.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { curveEvidence, loadCards, openCardStore } from '../../../src/pricing/store/card-store.ts';
import { loadModel } from '../../../src/pricing/store/model-state.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from '../ledger.ts';
import { syntheticMarket } from '../model/synthetic-market.ts';

const market = syntheticMarket({ seed: 3, days: 60, cards: 12, sales: 200 });
const itemIds = [...new Set(market.map(({ card }) => itemIdOf(card)))].sort();
let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  await reprice(fresh.db, { through: FIRST_DAY + 59 });
});
afterAll(() => fresh.close());

/** Weights of the cards that a refit hears of, when some are in memory before it and others are loaded during its query. */
async function heard(before: readonly string[], during: readonly string[]): Promise<number[]> {
  return await fresh.db.session(async (session) => {
    const { model } = await loadModel(session);
    const store = await openCardStore(session);
    await loadCards(session, store, model, new Set(before));
    const query: Sql['query'] = async (text, values) => {
      await loadCards(session, store, model, new Set(during));
      return await session.query(text, values);
    };
    const evidence = await curveEvidence({ query, prepared: session.prepared }, store, model);
    return evidence.map(({ grades }) => grades.reduce((sum, { weight }) => sum + weight, 0)).sort((a, b) => a - b);
  });
}

test.each([
  ['all in memory', itemIds, []],
  ['some in memory', itemIds.slice(0, 5), []],
  ['the rest loaded for the next page meanwhile', itemIds.slice(0, 5), itemIds.slice(5)],
  ['all loaded meanwhile', [], itemIds],
])('a refit hears of each card once: %s', async (_name, before, during) => {
  const none = await heard([], []);
  expect(none).toHaveLength(itemIds.length);
  expect(await heard(before, during)).toEqual(none);
});
