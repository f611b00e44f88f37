import type { VenueClass } from '../../../src/pricing/model/params.ts';

/** A market whose prices are made up: cards with levels that wander, grades, venues, noise, a few mistaken records. */
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

const GAMES = ['pokemon', 'sports', 'one-piece', 'mtg'];
const GRADES: readonly (readonly [key: string, share: number, premium: number])[] = [
  ['psa-10', 0.35, 1.1],
  ['psa-9', 0.25, 0],
  ['psa-8', 0.08, -0.45],
  ['raw-A', 0.07, -0.6],
  ['bgs-9-5', 0.08, 0.55],
  ['cgc-10-gem-mint', 0.09, 0.75],
  ['cgc-9-5', 0.08, 0.2],
];
const VENUES: readonly (readonly [venue: VenueClass, share: number, effect: number])[] = [
  ['auction', 0.5, 0],
  ['fixed', 0.3, 0.06],
  ['shop', 0.2, 0.09],
];

/** Uniform numbers in [0, 1) from a seed (a linear congruential generator on 48 bits). */
export function randomFrom(seed: number): () => number {
  let high = seed >>> 0;
  let low = 0x330e;
  return () => {
    const next = low * 0xe66d + 0xb;
    high = (Math.imul(high, 0xe66d) + low * 0x5deec + Math.floor(next / 0x10000)) >>> 0;
    low = next & 0xffff;
    return high / 0x1_0000_0000;
  };
}

/** About `sales` sales of `cards` cards over `days` days, by day; the same for the same arguments. */
export function syntheticMarket(options: {
  seed: number;
  days: number;
  cards: number;
  sales: number;
}): SyntheticSale[] {
  const { seed, days, cards, sales } = options;
  const random = randomFrom(seed);
  // The sum of four uniform numbers is near enough to a normal one, with bounded tails; junk supplies the others.
  const normal = () => (random() + random() + random() + random() - 2) * Math.sqrt(3);
  const market = GAMES.map(() => walk(days, 0.006, normal));
  const popularity = Array.from({ length: cards }, () => 1 / (random() + 0.003));
  const total = popularity.reduce((sum, one) => sum + one, 0);
  const made: SyntheticSale[] = [];
  popularity.forEach((weight, card) => {
    const game = card % GAMES.length;
    const set = card % (GAMES.length * 8);
    const level = Math.log(45) + normal();
    const path = walk(days, 0.012, normal);
    const deviations = GRADES.map(() => 0.2 * normal());
    const count = Math.floor((sales * weight) / total + random());
    for (let i = 0; i < count; i++) {
      const day = Math.floor(random() * days);
      const grade = pick(GRADES, random());
      const venue = pick(VENUES, random());
      const junk = random() < 0.02 ? 2 * normal() : 0;
      const log = level + path[day]! + market[game]![day]! + GRADES[grade]![2] + deviations[grade]!;
      const price = Math.exp(log + VENUES[venue]![2] + 0.13 * normal() + junk);
      made.push({
        day,
        game: GAMES[game]!,
        set,
        card,
        gradeKey: GRADES[grade]![0],
        venue: VENUES[venue]![0],
        priceUsdCents: Math.max(50, Math.round(price * 100)),
        trueUsd: Math.exp(log),
      });
    }
  });
  return made.sort((a, b) => a.day - b.day);
}

function walk(days: number, stepSd: number, normal: () => number): Float64Array {
  let at = 0;
  return Float64Array.from({ length: days }, () => {
    at += stepSd * normal();
    return at;
  });
}

function pick(choices: readonly (readonly [string, number, number])[], u: number): number {
  let left = u;
  const found = choices.findIndex(([, share]) => {
    left -= share;
    return left < 0;
  });
  return found < 0 ? choices.length - 1 : found;
}
