import type { Sql } from '../../db/client.ts';
import { gradeIndexOf, newModel, type PriceModel, setOf } from '../model/model.ts';
import { DEFAULT_PARAMS } from '../model/params.ts';
import type { Published } from '../read/published.ts';
import { type MarketDay, restoreModel, type StoredModel } from './model-state.ts';

/** The model as the last checkpoint left it, without cards; a new one where there is none. */
export async function loadModel(sql: Sql): Promise<{ model: PriceModel; sources: string[]; seenSaleId: number }> {
  const [stored] = await sql.query<{ closed_day: number; seen_sale_id: number; state: StoredModel }>(
    'select closed_day, seen_sale_id, state from model_state',
  );
  if (stored === undefined) return { model: newModel(DEFAULT_PARAMS), sources: [], seenSaleId: 0 };
  const history = await sql.query<MarketDay>('select game, level, variance from market_days order by game, day');
  const model = restoreModel(stored.state, stored.closed_day, history, DEFAULT_PARAMS);
  await loadSets(sql, model);
  return { model, sources: stored.state.sources, seenSaleId: stored.seen_sale_id };
}

/** The model of what is published, without cards, its grades numbered alike; a copy that sales may be tried in. */
export async function publishedModel(
  sql: Sql,
  published: Published,
): Promise<{ model: PriceModel; sources: string[] }> {
  const state = structuredClone(published.state);
  const model = restoreModel(state, published.closedDay, marketDays(published), DEFAULT_PARAMS);
  for (const key of published.gradeKeys) gradeIndexOf(model, key);
  await loadSets(sql, model);
  return { model, sources: state.sources };
}

function* marketDays({ games }: Published): Iterable<MarketDay> {
  for (const [game, { levels, variances }] of games)
    for (const [i, level] of levels.entries()) yield { game, level, variance: variances[i]! };
}

async function loadSets(sql: Sql, model: PriceModel): Promise<void> {
  const sets = await sql.query<{ set_id: number; game: string; cards: number; level_sum: number }>(
    'select l.set_id, s.game, l.cards, l.level_sum from set_levels l join sets s on s.id = l.set_id',
  );
  for (const row of sets) {
    const set = setOf(model, row.game, String(row.set_id));
    set.cards = row.cards;
    set.levelSum = row.level_sum;
  }
  const offsets = await sql.query<{ set_id: number; game: string; terms: number[] }>(
    'select distinct on (set_id) set_id, game, terms from curves where set_id > 0 order by set_id, day desc',
  );
  for (const row of offsets) setOf(model, row.game, String(row.set_id)).deltas = row.terms;
}
