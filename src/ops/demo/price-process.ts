import type { Game } from '../../catalog/games.ts';
import { PROCESS } from './process-params.ts';
import type { Chance } from './random.ts';

/**
 * The process behind simulated prices: ln(price) = market of the game + release premium + level of the card + deviation
 * of the grade + effect of the venue + noise, with a rare mistake. All parts are in log units; paths have a value a day.
 */

/** The market of a game: a walk whose drift returns to the game's, with shocks. Begins near 0. */
export function marketPath(game: Game, days: number, chance: Chance): Float32Array {
  const { driftPerYear, marketSdPerDay } = PROCESS.games[game];
  const path = new Float32Array(days);
  let level = 0;
  let drift = 0;
  for (let day = 0; day < days; day++) {
    drift = PROCESS.driftDamping * drift + PROCESS.driftSdPerDay * chance.normal();
    level += driftPerYear / 365 + drift + marketSdPerDay * chance.normal();
    if (chance.happens(PROCESS.shockChance)) level += PROCESS.shockSd * chance.normal();
    path[day] = level;
  }
  return path;
}

/** The level of a card by day, and the days on which news moved it. */
export type LevelPath = { level: Float32Array; newsDays: ReadonlySet<number> };

/** The level of a card: a walk, wider for a volatile card, with rare jumps. Begins near 0. */
export function levelPath(days: number, chance: Chance): LevelPath {
  const stepSd = PROCESS.levelSdPerDay * (chance.happens(PROCESS.volatileShare) ? PROCESS.volatileTimes : 1);
  const newsDays = new Set<number>();
  const level = new Float32Array(days);
  let at = 0;
  for (let day = 0; day < days; day++) {
    at += stepSd * chance.normal();
    if (chance.happens(PROCESS.newsChance)) {
      newsDays.add(day);
      at += PROCESS.newsSd * chance.normal();
    }
    level[day] = at;
  }
  return { level, newsDays };
}

/** The deviation of a grade from its card: a walk that slowly returns to 0. Begins where such walks are in the long run. */
export function deviationPath({ level, newsDays }: LevelPath, chance: Chance): Float32Array {
  const { gradeSdPerDay, gradeReturnDays, newsGradeSd } = PROCESS;
  const kept = Math.exp(-1 / gradeReturnDays);
  let deviation = (gradeSdPerDay / Math.sqrt(1 - kept ** 2)) * chance.normal();
  const path = new Float32Array(level.length);
  for (let day = 0; day < level.length; day++) {
    deviation = kept * deviation + gradeSdPerDay * chance.normal();
    if (newsDays.has(day)) deviation += newsGradeSd * chance.normal();
    path[day] = deviation;
  }
  return path;
}

/** How far a set's prices are above where they level off, `age` days after its release: 0 from `releaseDays` on. */
export function releasePremium(age: number): number {
  const { releaseFall, releaseDays } = PROCESS;
  const left = Math.max(0, releaseDays - Math.max(0, age));
  return (releaseFall * left ** 2) / (2 * releaseDays);
}

/** The noise of a sale, and rarely a mistake: a mistyped amount, a damaged card, a bidding war. */
export function saleError(game: Game, isGraded: boolean, chance: Chance): number {
  const { gradedNoiseSd, ungradedNoiseSd } = PROCESS.games[game];
  const noise = (isGraded ? gradedNoiseSd : ungradedNoiseSd) * studentT(chance);
  return chance.happens(PROCESS.mistakeShare) ? noise + PROCESS.mistakeSd * chance.normal() : noise;
}

/** Student's t, scaled to a standard deviation of 1. */
function studentT(chance: Chance): number {
  const freedom = PROCESS.noiseFreedom;
  let chiSquare = 0;
  for (let i = 0; i < freedom; i++) chiSquare += chance.normal() ** 2;
  return chance.normal() * Math.sqrt((freedom - 2) / chiSquare);
}
