import type { Game } from '../../catalog/games.ts';
import type { VenueClass } from '../../pricing/model/params.ts';

/** How the market of a game moves, and the noise of its sales, in log units. */
type GameProcess = {
  driftPerYear: number;
  /** Standard deviation of a day's step of the market. */
  marketSdPerDay: number;
  /** Standard deviation of the noise of a sale, by whether the card is graded. */
  gradedNoiseSd: number;
  ungradedNoiseSd: number;
};

/**
 * Parameters of every simulated price: the demo, tests and benches share them. Logarithms are natural, of US dollars;
 * days are UTC days. "measured" = on real sales (7,076 forecasts of Pokémon PSA 9 and 10, graded and ungraded hockey),
 * as docs/methodology/pricing.md states it; "assumed" = chosen, where no real sales were at hand.
 */
export const PROCESS = {
  /** Degrees of freedom of a sale's noise (Student t); measured, flat in 3 to 8. */
  noiseFreedom: 5,
  /**
   * Measured: Pokémon graded .145 (PSA 9 and 10: .13 to .17), ungraded four times the variance; sports by its error,
   * 1.3 times that of Pokémon. The other games, and every drift and step of a market, are assumed.
   */
  games: {
    pokemon: { driftPerYear: 0.2, marketSdPerDay: 0.004, gradedNoiseSd: 0.145, ungradedNoiseSd: 0.29 },
    'one-piece': { driftPerYear: 0.14, marketSdPerDay: 0.006, gradedNoiseSd: 0.2, ungradedNoiseSd: 0.3 },
    sports: { driftPerYear: 0.02, marketSdPerDay: 0.004, gradedNoiseSd: 0.19, ungradedNoiseSd: 0.3 },
    riftbound: { driftPerYear: -0.15, marketSdPerDay: 0.007, gradedNoiseSd: 0.2, ungradedNoiseSd: 0.3 },
    mtg: { driftPerYear: 0.03, marketSdPerDay: 0.003, gradedNoiseSd: 0.16, ungradedNoiseSd: 0.27 },
    yugioh: { driftPerYear: 0.05, marketSdPerDay: 0.004, gradedNoiseSd: 0.18, ungradedNoiseSd: 0.3 },
    lorcana: { driftPerYear: -0.1, marketSdPerDay: 0.005, gradedNoiseSd: 0.17, ungradedNoiseSd: 0.28 },
    digimon: { driftPerYear: 0.06, marketSdPerDay: 0.004, gradedNoiseSd: 0.2, ungradedNoiseSd: 0.32 },
    gundam: { driftPerYear: 0.1, marketSdPerDay: 0.006, gradedNoiseSd: 0.2, ungradedNoiseSd: 0.3 },
  } satisfies Record<Game, GameProcess>,
  /** A market's drift returns to that of its game: damping a day, and its own step a day; as the price model has them. */
  driftDamping: 0.99,
  driftSdPerDay: 0.00006,
  /** Shocks of a market: chance a day, and their size; assumed. */
  shockChance: 1 / 300,
  shockSd: 0.05,
  /** A card's level, a random walk; measured. A share of the cards is more volatile by a factor; assumed. */
  levelSdPerDay: 0.014,
  volatileShare: 0.1,
  volatileTimes: 2,
  /** A grade's deviation from the card: its step is measured; its return (e-fold, in days) is assumed. */
  gradeSdPerDay: 0.018,
  gradeReturnDays: 250,
  /** News about a card: chance a day, the jump that its grades share, and what each grade adds to it; assumed. */
  newsChance: 1 / 1000,
  newsSd: 0.35,
  newsGradeSd: 0.1,
  /**
   * A new set falls by `releaseFall` a day at first, by half of it after 60 days and by nothing after `releaseDays`;
   * measured: 1 to 2% a day in the first 60 days.
   */
  releaseFall: 0.02,
  releaseDays: 120,
  /** Mistaken records: share of sales, and how far off they are; assumed. */
  mistakeShare: 0.02,
  mistakeSd: 1,
  /** Effect of a venue on the price; fixed price and offers measured (+8 to 15%, +5 to 10%), the others assumed. */
  venues: { auction: 0, fixed: 0.1, offer: 0.07, house_auction: 0.05, shop: 0.12 } satisfies Record<VenueClass, number>,
};
