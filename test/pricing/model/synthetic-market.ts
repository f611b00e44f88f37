import {
  deviationPath,
  levelPath,
  marketPath,
  releasePremium,
  saleError,
} from '../../../src/ops/demo/price-process.ts';
import { PROCESS } from '../../../src/ops/demo/process-params.ts';
import { chanceOf } from '../../../src/ops/demo/random.ts';
import type { VenueClass } from '../../../src/pricing/model/params.ts';

/** A sale of a market that the process of the demo simulates; the last of the eight sets of each game is released after a third. */
export type SyntheticSale = {
  day: number;
  game: string;
  set: number;
  card: number;
  gradeKey: string;
  venue: VenueClass;
  priceUsdCents: number;
  /** What the series is worth on that day: the price without its venue, its noise and its mistakes. */
  trueUsd: number;
};

const GAMES = ['pokemon', 'sports', 'one-piece', 'mtg'] as const;
const SETS = GAMES.length * 8;
const GRADES: readonly (readonly [key: string, share: number, premium: number])[] = [
  ['psa-10', 0.35, 1.1],
  ['psa-9', 0.25, 0],
  ['psa-8', 0.08, -0.45],
  ['raw-A', 0.07, -0.6],
  ['bgs-9-5', 0.08, 0.55],
  ['cgc-10-gem-mint', 0.09, 0.75],
  ['cgc-9-5', 0.08, 0.2],
];
const VENUES: readonly (readonly [venue: VenueClass, share: number])[] = [
  ['auction', 0.5],
  ['fixed', 0.3],
  ['shop', 0.2],
];

/** About `sales` sales of `cards` cards over `days` days, by day; the same for the same arguments. */
export function syntheticMarket(options: {
  seed: number;
  days: number;
  cards: number;
  sales: number;
}): SyntheticSale[] {
  const { seed, days, cards, sales } = options;
  const chance = chanceOf(`synthetic ${seed}`);
  const walks = GAMES.map((game) => marketPath(game, days, chance));
  const popularity = Array.from({ length: cards }, () => 1 / (chance.uniform() + 0.003));
  const total = popularity.reduce((sum, one) => sum + one, 0);
  const made: SyntheticSale[] = [];
  popularity.forEach((weight, card) => {
    const game = GAMES[card % GAMES.length]!;
    const set = card % SETS;
    const first = set >= SETS - GAMES.length ? Math.floor(days / 3) : 0;
    const level = Math.log(45) + chance.normal();
    const market = walks[card % GAMES.length]!;
    const path = levelPath(days, chance);
    const deviations = new Map(GRADES.map(([gradeKey]) => [gradeKey, deviationPath(path, chance)]));
    const count = Math.floor((sales * weight) / total + chance.uniform());
    for (let i = 0; i < count; i++) {
      const day = first + Math.floor(chance.uniform() * (days - first));
      const [gradeKey, , premium] = chance.pick(GRADES.map((grade) => [grade, grade[1]] as const));
      const venue = chance.pick(VENUES);
      const release = first > 0 ? releasePremium(day - first) : 0;
      const log = level + market[day]! + path.level[day]! + release + premium + deviations.get(gradeKey)![day]!;
      const error = saleError(game, !gradeKey.startsWith('raw-'), chance);
      const price = Math.exp(log + PROCESS.venues[venue] + error);
      const priceUsdCents = Math.max(50, Math.round(price * 100));
      made.push({ day, game, set, card, gradeKey, venue, priceUsdCents, trueUsd: Math.exp(log) });
    }
  });
  return made.sort((a, b) => a.day - b.day);
}
