import type { VenueClass } from '../../../../src/pricing/model/params.ts';
import { syntheticMarket } from '../synthetic-market.ts';

/** A sale of the market that model and oracle are compared on; `known` = the day it became known. */
export type ComparedSale = {
  id: number;
  known: number;
  day: number;
  card: string;
  set: string;
  /** Of the set's release; day 0 is 1970-01-01. */
  setYear: number | null;
  game: string;
  grade: string;
  venue: VenueClass;
  source: number;
  usd: number;
};

export const DAYS = 220;
/** A game begins later, some sales are reported late, some cards jump, and a few sales are far off. */
const LATER_GAME = 1;
const LATER_DAY = 60;
/** Two of unknown age, two that change their era within the days compared. */
const SET_YEARS = [null, 1969, 1967, 1961, 1955, 1940, 1969, null];
const jumpDayOf = (card: number) => 50 + ((card * 13) % 150);

/** Sales of 44 cards in four games, eight sets and all five venue classes; ids are in no order. */
export function comparedSales(): ComparedSale[] {
  return syntheticMarket({ seed: 5, days: DAYS, cards: 44, sales: 2400 })
    .filter(({ card, day }) => card % 4 !== LATER_GAME || day >= LATER_DAY)
    .map(({ day, card, game, set, gradeKey, venue, priceUsdCents }, i) => {
      const jumped = card % 3 !== 2 && day >= jumpDayOf(card) ? 8 : 1;
      const wild = i % 97 === 0 ? 12 : 1;
      return {
        id: (i * 7919) % 100_003,
        known: i % 11 === 0 ? Math.min(DAYS - 1, day + (i % 40)) : day,
        day,
        card: String(card),
        set: String(set % 8),
        setYear: SET_YEARS[set % 8]!,
        game,
        grade: gradeKey,
        venue: i % 13 === 0 ? 'offer' : i % 17 === 0 ? 'house_auction' : venue,
        source: card % 3 === 0 ? 0 : i % 3,
        usd: Math.round(priceUsdCents * jumped * wild) / 100,
      };
    });
}
