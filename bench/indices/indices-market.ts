/** The prototype's synthetic markets, whose true values are known, as sales of the price model. */

import type { ReportedSale } from '../../test/indices/world.ts';
import { GRADE_KEY, loadReference, type ReferenceMarket, VENUE_CLASS } from '../../test/pricing/model/reference.ts';

/** 2023-01-01: day 0 of a synthetic market, so that its months have the calendar's lengths. */
export const EPOCH_DAY = 19_358;

export const GAMES = [
  { name: 'pokemon', cards: 1500, sets: 20, start: 0 },
  { name: 'sports', cards: 1500, sets: 25, start: 0 },
  { name: 'one-piece', cards: 600, sets: 8, start: 0 },
  { name: 'riftbound', cards: 200, sets: 2, start: 400 },
];

/** Log value of a card over time: the game's market, the set's and the card's own walks. */
type TrueCard = { game: number; set: number; m: Float64Array; w: Float64Array; a: Float32Array };

export type Market = {
  days: number;
  /** Sales by day; what a second source repeats is left out, as the ledger would. */
  sales: ReportedSale[][];
  /** By game: mean over all its cards of the log value, by day. */
  truth: Map<string, Float64Array>;
  /** As the generator made it. */
  made: ReferenceMarket;
};

/** Market number `seed`, or null without the generator. */
export async function trueMarket(seed: number, games = GAMES): Promise<Market | null> {
  const reference = await loadReference();
  if (reference === null) return null;
  const { generator } = reference;
  const made = generator.generate({ seed, days: 1096, games });
  const sales: ReportedSale[][] = Array.from({ length: made.days }, () => []);
  const lastAt = new Map<string, number>();
  for (const { id, day, card, k, v, cents } of made.sales) {
    const { game, set } = made.cards[card]!;
    const name = made.games[game]!.name;
    const venue = generator.VENUES[v]!;
    const same = `${card}/${k}/${cents}`;
    const repeated = day - (lastAt.get(same) ?? Number.NEGATIVE_INFINITY) <= 2;
    lastAt.set(same, day);
    if (repeated || cents < 50) continue;
    sales[day]!.push({
      id,
      card: String(card),
      set: `${name}/${set}`,
      game: name,
      gradeKey: GRADE_KEY[generator.GRADES[k]!]!,
      venue: VENUE_CLASS[venue]!,
      source: venue.split('/')[0]!,
      priceUsdCents: cents,
    });
  }
  const truth = new Map<string, Float64Array>();
  games.forEach(({ name }, game) => {
    const cards = (made.cards as unknown as TrueCard[]).filter((card) => card.game === game);
    const mean = new Float64Array(made.days);
    for (const { m, w, a } of cards)
      for (let day = 0; day < made.days; day++) mean[day]! += m[day]! + w[day]! + a[day]!;
    truth.set(
      name,
      mean.map((sum) => sum / cards.length),
    );
  });
  return { days: made.days, sales, truth, made };
}
