import { type Calibration, newCalibration } from './calibration.ts';
import { type Curve, extendCurve, newCurve } from './curve/curve.ts';
import { type Market, newMarket } from './market.ts';
import { extendNoise, type Noise, newNoise } from './noise.ts';
import type { Params } from './params.ts';
import { newVenues, type Venues } from './venue.ts';

/** All that the model knows besides its cards. A day's close changes it in place (fmv.ts). */
export type PriceModel = {
  params: Params;
  /** The last closed day, or null before the first. */
  day: number | null;
  games: Map<string, GameState>;
  sets: Map<string, SetState>;
  venues: Venues;
  calibration: Calibration;
  /** Slug tokens of grades; the model calls a grade by its place here. */
  gradeKeys: string[];
  gradeIndex: Map<string, number>;
};

export type GameState = {
  name: string;
  market: Market;
  curve: Curve;
  /** Running mean of cards' first levels, and how many. */
  meanLevel: number;
  meanLevelCards: number;
  /** Noise of its sales, and of those of each grade (section 2 step 6). */
  noise: Noise;
  gradeNoise: Noise[];
};

export type SetState = {
  key: string;
  game: string;
  /** Released in; null when the catalog does not know it. */
  year: number | null;
  /** Cards that ever sold, and the sum of their first levels. */
  cards: number;
  levelSum: number;
  /** delta by grade: what the set adds to the game's curve; learned by the monthly refit. */
  deltas: number[];
};

export function newModel(params: Params): PriceModel {
  return {
    params,
    day: null,
    games: new Map(),
    sets: new Map(),
    venues: newVenues(params),
    calibration: newCalibration(),
    gradeKeys: [],
    gradeIndex: new Map(),
  };
}

/** The state of a game, begun at its first mention. */
export function gameOf(model: PriceModel, name: string): GameState {
  let game = model.games.get(name);
  if (game === undefined) {
    game = {
      name,
      market: newMarket(model.params),
      curve: newCurve(),
      meanLevel: model.params.firstLevel,
      meanLevelCards: 0,
      noise: newNoise(),
      gradeNoise: [],
    };
    extendCurve(game.curve, model.gradeKeys);
    extendNoise(game.gradeNoise, model.gradeKeys);
    model.games.set(name, game);
  }
  return game;
}

/** The state of a set, begun at its first mention; `key` is unique over all games, `year` that of its release. */
export function setOf(model: PriceModel, game: string, key: string, year: number | null = null): SetState {
  let set = model.sets.get(key);
  if (set === undefined) {
    set = { key, game, year, cards: 0, levelSum: 0, deltas: [] };
    model.sets.set(key, set);
  }
  return set;
}

/** The model's number for a grade's slug token. */
export function gradeIndexOf(model: PriceModel, gradeKey: string): number {
  let grade = model.gradeIndex.get(gradeKey);
  if (grade === undefined) {
    grade = model.gradeKeys.length;
    model.gradeKeys.push(gradeKey);
    model.gradeIndex.set(gradeKey, grade);
    for (const { curve, gradeNoise } of model.games.values()) {
      extendCurve(curve, model.gradeKeys);
      extendNoise(gradeNoise, model.gradeKeys);
    }
  }
  return grade;
}
