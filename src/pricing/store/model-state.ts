import type { Sql } from '../../db/client.ts';
import type { Calibration } from '../model/calibration.ts';
import type { Market } from '../model/market.ts';
import { type GameState, gradeIndexOf, newModel, type PriceModel, setOf } from '../model/model.ts';
import { newNoise } from '../model/noise.ts';
import { DEFAULT_PARAMS, MODEL_VERSION } from '../model/params.ts';
import type { Venues } from '../model/venue.ts';

/** The model without cards, sets and histories, as one JSON value; numbers survive it exactly. */
type StoredModel = {
  gradeKeys: string[];
  /** Ids of sources; a sale's source is its place here. */
  sources: string[];
  venues: Venues;
  calibration: Calibration;
  games: StoredGame[];
};
type StoredGame = Omit<GameState, 'market'> & { market: Omit<Market, 'levels' | 'variances'> };

export function storeModel(model: PriceModel, sources: readonly string[]): StoredModel {
  return {
    gradeKeys: model.gradeKeys,
    sources: [...sources],
    venues: model.venues,
    calibration: model.calibration,
    games: [...model.games.values()]
      .filter(({ market }) => market.firstDay >= 0)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ market: { levels, variances, ...market }, ...game }) => ({ ...game, market })),
  };
}

/** The model as the last checkpoint left it, without cards; a new one where there is none. */
export async function loadModel(
  sql: Sql,
): Promise<{ model: PriceModel; sources: string[]; seenSaleId: number; version: string }> {
  const model = newModel(DEFAULT_PARAMS);
  // The state is read first: days that a later checkpoint adds to the other tables are not counted as closed.
  const [row] = await sql.query<{ version: string; closed_day: number; seen_sale_id: number; state: StoredModel }>(
    'select version, closed_day, seen_sale_id, state from model_state',
  );
  if (row === undefined) return { model, sources: [], seenSaleId: 0, version: MODEL_VERSION };
  const { version, closed_day, seen_sale_id: seenSaleId, state } = row;
  model.day = closed_day;
  model.venues = state.venues;
  const isOwn = version === MODEL_VERSION;
  if (isOwn) model.calibration = state.calibration;
  for (const { name, curve, meanLevel, meanLevelCards, ...game } of state.games) {
    const market = { ...game.market, levels: [], variances: [] };
    // Noise and ranges are learned anew after an earlier version, which measured them on other scales.
    const { noise, gradeNoise } = isOwn ? game : { noise: newNoise(), gradeNoise: [] };
    model.games.set(name, { name, market, curve, meanLevel, meanLevelCards, noise, gradeNoise });
  }
  for (const gradeKey of state.gradeKeys) gradeIndexOf(model, gradeKey);
  const days = await sql.query<{ game: string; level: number; variance: number }>(
    'select game, level, variance from market_days where day <= $1 order by game, day',
    [closed_day],
  );
  for (const { game, level, variance } of days) {
    const { market } = model.games.get(game)!;
    market.levels.push(level);
    market.variances.push(variance);
  }
  await loadSets(sql, model);
  return { model, sources: state.sources, seenSaleId, version };
}

async function loadSets(sql: Sql, model: PriceModel): Promise<void> {
  type SetRow = {
    set_id: number;
    game: string;
    year: number | null;
    cards: number;
    level_sum: number;
    deltas: number[];
  };
  const sets = await sql.query<SetRow>(
    `select l.set_id, s.game, s.year, l.cards, l.level_sum, coalesce(c.terms, '[]') as deltas
     from set_levels l join sets s on s.id = l.set_id left join lateral (
       select terms from curves where game = s.game and set_id = s.id order by day desc limit 1
     ) c on true`,
  );
  for (const { set_id, game, year, cards, level_sum: levelSum, deltas } of sets) {
    Object.assign(setOf(model, game, String(set_id), year), { cards, levelSum, deltas });
  }
}
