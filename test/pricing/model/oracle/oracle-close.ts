import { beliefIn, gradeIn, type Met, noiseOf, noiseVariance, predict, update, usualIn } from './oracle-card.ts';
import {
  cardIn,
  clamp,
  found,
  gameIn,
  type Mean,
  type OracleCard,
  type OracleGame,
  type OracleState,
  Q_A,
  SIG2,
  studentWeight,
  termsIn,
  usualNoise,
} from './oracle-state.ts';

/** Sections 2 to 4: a close, a quote, calibration. */

export type OracleSale = {
  card: string;
  set: string;
  setYear: number | null;
  game: string;
  grade: string;
  venue: string;
  soldDay: number;
  source: number;
  usd: number;
};

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const bySale = (a: OracleSale, b: OracleSale) =>
  compare(a.grade, b.grade) ||
  a.soldDay - b.soldDay ||
  a.usd - b.usd ||
  compare(a.venue, b.venue) ||
  a.source - b.source;

/** Closes a day; games in order of their names. Returns what the cards' updates met. */
export function closeDay(state: OracleState, day: number, sales: readonly OracleSale[]): Met[] {
  for (const sale of sales) cardIn(state, sale, day);
  const opened = [...state.games.keys()].sort(compare).flatMap((name) => {
    const ofGame = sales.filter((sale) => sale.game === name);
    const game = gameIn(state, name);
    return game.market.start < 0 && ofGame.length === 0 ? [] : [{ game, forecasts: open(state, game, day, ofGame) }];
  });
  return opened.flatMap(({ game, forecasts }) => closeGame(state, game, day, forecasts));
}

function open(state: OracleState, { market }: OracleGame, day: number, sales: readonly OracleSale[]) {
  // 1. Market, forecast.
  if (market.start >= 0) {
    market.m += market.d;
    market.p00 += 2 * market.p01 + market.p11 + 0.004 ** 2;
    market.p01 = 0.99 * (market.p01 + market.p11);
    market.p11 = 0.99 ** 2 * market.p11 + 0.00006 ** 2;
    market.d *= 0.99;
  }

  // 2. Forecast.
  const made = [...sales].sort(bySale).map((sale) => {
    const card = state.cards.get(sale.card)!;
    predict(card, day);
    const own = card.grades.find(({ key }) => key === sale.grade);
    const { level, V } = beliefIn(card, sale.grade, 0);
    const { s, P } = state.venues.get(sale.venue)!;
    const lag = day - sale.soldDay;
    const back = clamp(sale.soldDay - market.start, 0, market.levels.length - 1);
    const m = lag > 0 && market.start >= 0 ? market.levels[back]! : market.m;
    const y = Math.log(sale.usd);
    const R = noiseVariance(card, sale.grade, V, lag, P);
    const stratum = stratumOf(own?.n ?? 0, day - (own?.last ?? day));
    return { sale, card, y, s, m, V, R, lag, r: y - s - m - level, expected: s + m + level, stratum, before: card.n };
  });
  // Cards in the order of the prices of their sales; of equal ones, of how far these are off, and how sure that is.
  const byFacts = (a: (typeof made)[0], b: (typeof made)[0]) => a.y - b.y || a.r - b.r || a.V - b.V || a.R - b.R;
  const forecasts = groups(made, ({ card }) => card.id)
    .sort((a, b) => a.map((one, i) => (b[i] ? byFacts(one, b[i]) : 1)).find((order) => order !== 0) ?? -1)
    .flat();
  for (const { stratum, expected, r, V, R, before } of forecasts)
    if (before > 0) calibrate(state, stratum, expected, Math.abs(r) / Math.sqrt(V + R + market.p00));
  return forecasts;
}

function closeGame(state: OracleState, game: OracleGame, day: number, forecasts: ReturnType<typeof open>): Met[] {
  const { market } = game;
  // 3. Market, update: one vote a card.
  const { p00 } = market;
  let [precision, weighted] = [0, 0];
  for (const votes of groups(forecasts, ({ card }) => card.id)) {
    const heard = votes.filter(({ lag, V }) => lag === 0 && V < 0.12);
    if (heard.length === 0) continue;
    const w = heard.map(({ r, V, R }) => studentWeight(r ** 2 / (V + R + p00)));
    const sumW = w.reduce((a, b) => a + b);
    const mean = heard.reduce((sum, { r }, i) => sum + w[i]! * r, 0) / sumW;
    const average = (of: (one: (typeof heard)[number]) => number) =>
      heard.reduce((sum, one) => sum + of(one), 0) / heard.length;
    const Vc = average(({ V }) => V) + average(({ R }) => R) / sumW;
    const omega = studentWeight(mean ** 2 / (Vc + p00)) / Vc;
    precision += omega;
    weighted += omega * mean;
  }
  if (precision > 0) {
    const r = weighted / precision;
    const V = 1 / precision;
    if (V <= 0.08 ** 2 && r ** 2 / (p00 + V) > 6.63) market.p00 = r ** 2 - V;
    const [k0, k1] = [market.p00 / (market.p00 + V), market.p01 / (market.p00 + V)];
    market.m += k0 * r;
    market.d += k1 * r;
    market.p11 -= k1 * market.p01;
    market.p01 -= k0 * market.p01;
    market.p00 -= k0 * market.p00;
  }
  if (market.start < 0) market.start = day;
  market.levels.push(market.m);

  return groups(forecasts, ({ sale }) => `${sale.card} ${sale.grade}`).map((ofSeries) => {
    const { card, sale } = ofSeries[0]!;
    const own = gradeIn(card, sale.grade, day);
    const isFirst = card.n === 0;
    const detrended = ofSeries.map(({ y, m, lag }) => y - (lag > 0 ? m : market.m));
    // 4. Card.
    const seen = ofSeries.map(({ sale: { soldDay, source }, R, s }, i) => ({
      price: detrended[i]! - s,
      R,
      soldDay,
      source,
    }));
    const { w, outlier, repeats, surprise, met } = update(card, own, seen, market.p00, day);
    // 5. Venue.
    const gap = day - own.last;
    if (own.previous && !own.previous.outlier && !outlier && own.previous.venues.size === 1 && gap <= 45) {
      const [other] = own.previous.venues;
      ofSeries.forEach(({ sale: { venue } }, i) => {
        if (venue !== other) learnVenues(state, venue, other!, detrended[i]! - own.previous!.price, gap);
      });
    }
    // 6. Noise: a card's first day says nothing about it, as nothing was forecast.
    const usual = usualIn(card, own.key);
    for (const { r, V, before } of repeats ? [] : ofSeries) {
      if (before === 0) continue;
      const K = (usual * SIG2) / (V + usual * SIG2);
      const z = usual * (K * Math.min(16, r ** 2 / (V + usual * SIG2)) + (1 - K) * 1.05);
      card.zCount++;
      card.zSum += z / usual;
      learnMean(game.noise, z / usualNoise(own.key), 5000);
      learnMean(
        found(game.gradeNoise, own.key, () => ({ n: 0, mean: 0 })),
        z,
        2000,
      );
    }
    // 7. Volatility.
    if (!isFirst) {
      if (own.surprise !== null) {
        card.pairs++;
        card.pairSum += surprise * own.surprise;
      }
      own.surprise = surprise;
    }
    // What the series and, of a first sale, its set and game remember.
    const fade = Math.exp(-gap / 365);
    const says = w.map((one) => (repeats ? 0 : one));
    own.weight = own.weight * fade + says.reduce((a, b) => a + b);
    own.weighted = own.weighted * fade + seen.reduce((sum, { price }, i) => sum + says[i]! * price, 0);
    const price = detrended.reduce((sum, one, i) => sum + w[i]! * one, 0) / w.reduce((a, b) => a + b);
    own.previous = { price, venues: new Set(ofSeries.map((one) => one.sale.venue)), outlier };
    own.n += ofSeries.length;
    own.last = day;
    card.n += ofSeries.length;
    if (isFirst) countFirstLevel(card);
    return met;
  });
}

function countFirstLevel({ x, set, game }: OracleCard) {
  set.n++;
  set.sum += x[0]!;
  game.firstLevels++;
  game.firstLevel += (x[0]! - game.firstLevel) / Math.min(game.firstLevels + 5, 5000);
}

function learnMean(into: Mean, z: number, most: number) {
  into.n = Math.min(most, into.n + 1);
  into.mean += (z - into.mean) / into.n;
}

function learnVenues({ venues }: OracleState, later: string, earlier: string, difference: number, gap: number) {
  const [one, other] = [venues.get(later)!, venues.get(earlier)!];
  const e = difference - (one.s - other.s);
  const noise = 2 * SIG2 + Q_A * gap;
  const S = one.P + other.P + noise / studentWeight(e ** 2 / (one.P + other.P + noise));
  const [k, l] = [one.P / S, other.P / S];
  one.s += k * e;
  other.s -= l * e;
  if (later !== 'auction') one.P = one.P * (1 - k) + 1e-7;
  if (earlier !== 'auction') other.P = other.P * (1 - l) + 1e-7;
}

function groups<T>(list: readonly T[], keyOf: (one: T) => string): T[][] {
  const map = new Map<string, T[]>();
  for (const one of list) found(map, keyOf(one), () => []).push(one);
  return [...map.values()];
}

function stratumOf(own: number, age: number): number {
  if (own === 0) return 0;
  return (own <= 3 ? 3 : own <= 12 ? 6 : 9) + (age <= 30 ? 0 : age <= 180 ? 1 : 2);
}

const bucketOf = (log: number) => [30, 100, 300, 1000].filter((usd) => Math.exp(log) >= usd).length;

function calibrate({ strata, buckets }: OracleState, stratum: number, expected: number, u: number) {
  const of = strata[stratum]!;
  const bucket = buckets[bucketOf(expected)]!;
  const rate = (n: number) => Math.max(0.004, (20 + n) ** -0.5);
  const { p } = bucket;
  bucket.n++;
  of.n++;
  bucket.p = clamp(p * Math.exp(0.5 * rate(bucket.n) * ((u > of.q[1]! * p ? 1 : 0) - 0.2)), 0.6, 1.8);
  const step = (q: number, c: number, level: number) => q + rate(of.n) * c * ((u / p > q ? 1 : 0) - (1 - level));
  of.q = [step(of.q[0]!, 1.2, 0.5), step(of.q[1]!, 1.2, 0.8), step(of.q[2]!, 2.5, 0.95)];
}

/** Section 3: log price and sd at the close of a day. */
export function quoteIn({ cards, strata, buckets }: OracleState, id: string, grade: string, day: number) {
  const card = cards.get(id)!;
  const own = card.grades.find(({ key }) => key === grade)!;
  const { m, p00 } = card.game.market;
  // Published variances are kept in single precision.
  const P = card.P.map((row) => row.map(Math.fround));
  const { level, V } = beliefIn({ ...card, P }, grade, day - card.day);
  const noise = Math.fround(noiseOf(card, grade) * SIG2);
  const estimate = (n: number, last: number, level: number, V: number) => {
    const q80 = strata[stratumOf(n, day - last)]!.q[1]! * buckets[bucketOf(m + level)]!.p;
    const sd = clamp(q80 / 1.535, 0.8, 1.6) * Math.sqrt(V + p00);
    return { mean: m + level, sd, nextSale: Math.max(1.2816 * sd, q80 * Math.sqrt(V + p00 + noise)) };
  };
  const now = estimate(own.n, own.last, level, V);
  if (own.before === null) return { ...now, before: null, sales: own.n };
  const { gamma, h } = termsIn(card, grade, card.x[0]!);
  const curve = gamma + h * card.x[0]!;
  const then = curve + Math.exp(-(day - card.day) / 1000) * (own.before.level - curve);
  const grown = V - beliefIn({ ...card, P }, grade, 0).V;
  const before = estimate(own.before.n, own.before.last, then, own.before.V + grown);
  return { ...now, before, sales: own.n };
}
