import { EIGHTY, type Stratum } from '../model/calibration.ts';
import type { Market } from '../model/market.ts';
import { type GameState, gradeIndexOf, newModel, type PriceModel } from '../model/model.ts';
import type { Params } from '../model/params.ts';
import type { Venues } from '../model/venue.ts';

/** The model without cards, sets and histories, as one JSON value; numbers survive it exactly. */
export type StoredModel = {
  gradeKeys: string[];
  /** Ids of sources; a sale's source is its place here. */
  sources: string[];
  venues: Venues;
  calibration: Stratum[];
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

/** The 80 % quantile of each calibration stratum. */
export function quantiles80Of({ calibration }: Pick<PriceModel, 'calibration'>): number[] {
  return calibration.map(({ quantiles }) => quantiles[EIGHTY]!);
}

/** One published day of a game's market, in order of day. */
export type MarketDay = { game: string; level: number; variance: number };

/** The model as it was stored, with the market's history; sets and cards are loaded apart. */
export function restoreModel(
  stored: StoredModel,
  closedDay: number | null,
  history: Iterable<MarketDay>,
  params: Params,
): PriceModel {
  const model = newModel(params);
  model.day = closedDay;
  model.venues = stored.venues;
  model.calibration = stored.calibration;
  for (const game of stored.games) {
    model.games.set(game.name, { ...game, market: { ...game.market, levels: [], variances: [] } });
  }
  for (const gradeKey of stored.gradeKeys) gradeIndexOf(model, gradeKey);
  for (const { game, level, variance } of history) {
    const { market } = model.games.get(game)!;
    market.levels.push(level);
    market.variances.push(variance);
  }
  return model;
}
