/** A market of all games that the process of the demo simulates, whose true values are known on every day, and its model. */
import { GAMES, type Game } from '../../src/catalog/games.ts';
import { deviationPath, levelPath, marketPath, saleError } from '../../src/ops/demo/price-process.ts';
import { PROCESS } from '../../src/ops/demo/process-params.ts';
import { chanceOf } from '../../src/ops/demo/random.ts';
import { widthsOf } from '../../src/pricing/model/calibration.ts';
import { cardTerms, gradeOfCard } from '../../src/pricing/model/card.ts';
import { gradeIndexOf } from '../../src/pricing/model/model.ts';
import { isPriced, logQuote } from '../../src/pricing/model/quote.ts';
import { snapshotOf } from '../../src/pricing/model/snapshot.ts';
import { marketFactor, type SharedError, sharedErrorOf } from '../../src/pricing/model/total.ts';
import { newWorld, type ReportedSale } from '../../test/pricing/world.ts';

const GRADES: readonly (readonly [key: string, share: number, premium: number])[] = [
  ['psa-10', 0.3, 1.1],
  ['psa-9', 0.25, 0],
  ['psa-8', 0.1, -0.45],
  ['raw-A', 0.15, -0.6],
  ['bgs-9-5', 0.1, 0.55],
  ['cgc-10-gem-mint', 0.1, 0.75],
];
const VENUES = [
  ['auction', 0.5],
  ['fixed', 0.3],
  ['shop', 0.2],
] as const;

/** A series with its price, its error, and what it is worth, in dollars. */
export type WorthLine = { price: number; trueUsd: number; error: SharedError };

type MarketOptions = {
  seed: number;
  days: number;
  cardsPerGame: number;
  salesPerGame: number;
  everyDays: number;
  fromDay: number;
};

/** Closes a market day by day and calls back with all its priced series every `everyDays` from `fromDay` on. */
export function simulate(options: MarketOptions, onLists: (day: number, lines: WorthLine[]) => void): void {
  const { seed, days, cardsPerGame, salesPerGame, everyDays, fromDay } = options;
  const chance = chanceOf(`worth ${seed}`);
  const world = newWorld();
  const byDay: ReportedSale[][] = Array.from({ length: days }, () => []);
  const truths = new Map<string, (gradeKey: string, day: number) => number>();
  for (const game of GAMES) {
    const market = marketPath(game, days, chance);
    const popularity = Array.from({ length: cardsPerGame }, () => 1 / (chance.uniform() + 0.02));
    const total = popularity.reduce((sum, one) => sum + one, 0);
    popularity.forEach((weight, n) => {
      const card = `${game} ${n}`;
      const base = Math.log(45) + chance.normal();
      const path = levelPath(days, chance);
      const deviations = new Map(GRADES.map(([key]) => [key, deviationPath(path, chance)]));
      const premiums = new Map(GRADES.map(([key, , premium]) => [key, premium]));
      const worthOn = (key: string, day: number) =>
        base + market[day]! + path.level[day]! + premiums.get(key)! + deviations.get(key)![day]!;
      truths.set(card, worthOn);
      const count = Math.floor((salesPerGame * weight) / total + chance.uniform());
      for (let i = 0; i < count; i++) {
        const day = Math.floor(chance.uniform() * days);
        const grade = chance.pick(GRADES.map((one) => [one[0], one[1]] as const));
        const venue = chance.pick(VENUES);
        const error = saleError(game, !grade.startsWith('raw-'), chance);
        const usd = Math.max(0.5, Math.exp(worthOn(grade, day) + PROCESS.venues[venue] + error));
        byDay[day]!.push({
          card,
          grade,
          day,
          usd,
          venue,
          game,
          set: `${game} ${n % 8}`,
          source: chance.happens(0.5) ? 1 : 2,
        });
      }
    });
  }
  for (let day = 0; day < days; day++) {
    world.close(day, byDay[day]!);
    if (day % 28 === 27) world.refit();
    if (day >= fromDay && (day - fromDay) % everyDays === 0) onLists(day, linesOf(day));
  }

  function linesOf(day: number): WorthLine[] {
    const { model, cards } = world;
    const widths = widthsOf(model.calibration);
    return [...cards.values()].flatMap((card) => {
      const game = card.game.name as Game;
      const { market } = card.game;
      const factor = marketFactor(market, day, model.params);
      const on = { day, marketLevel: market.level, marketVariance: market.p00, widths };
      return GRADES.flatMap(([gradeKey]): WorthLine[] => {
        const grade = gradeIndexOf(model, gradeKey);
        // As in the product: grades that never sold do not count.
        if (gradeOfCard(card, grade) === undefined) return [];
        const snapshot = snapshotOf(card, grade, model.params);
        const terms = cardTerms(card, grade);
        const quote = logQuote(snapshot, on, terms, model.params);
        if (!isPriced(quote, model.params)) return [];
        const error = sharedErrorOf(
          { game, item: card.id, gradeKey },
          { snapshot, quote, on, terms, params: model.params, factor },
        );
        return [{ price: Math.exp(quote.mean), trueUsd: Math.exp(truths.get(card.id)!(gradeKey, day)), error }];
      });
    });
  }
}
