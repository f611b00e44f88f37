import {
  clamp,
  levelBehind,
  type OracleCard,
  type OracleGrade,
  Q_A,
  Q_B,
  SIG2,
  studentWeight,
  termsIn,
  usualNoise,
} from './oracle-state.ts';

/** The filter of one card: sections 1 and 2 steps 2, 4, 6 and 7. */

/** A sale as the card sees it: log price less venue and market, the variance of its noise. */
export type Seen = { price: number; R: number; soldDay: number; source: number };

const volatility = ({ n, pairs, pairSum }: OracleCard) =>
  clamp((1 + Math.exp(-n / 4)) * Math.exp((3 * pairSum) / (pairs + 15)), 0.3, 6);

/** Level and variance of a grade, `days` after the card's day; a grade that never sold has b = 0 ± tau. */
export function beliefIn(card: OracleCard, grade: string, days: number) {
  const { x, P } = card;
  const { gamma, h, tau2 } = termsIn(card, grade, x[0]!);
  const v = volatility(card);
  const phi = Math.exp(-days / 1000);
  const i = card.grades.findIndex(({ key }) => key === grade) + 1;
  const ofCard = h * h * (P[0]![0]! + v * Q_A * days);
  if (i === 0) return { level: gamma + h * x[0]!, V: ofCard + tau2 };
  const own = phi * phi * P[i]![i]! + tau2 * (1 - phi * phi) + v * Q_B * days;
  return { level: gamma + h * x[0]! + phi * x[i]!, V: ofCard + 2 * h * phi * P[0]![i]! + own };
}

export function predict(card: OracleCard, day: number) {
  const days = day - card.day;
  const v = volatility(card);
  const phi = Math.exp(-days / 1000);
  // What a series was before an unconfirmed move: its deviation returns to the curve too, its variance grows by as much.
  for (const { key, before } of card.grades) {
    if (before === null) continue;
    const { gamma, h } = termsIn(card, key, card.x[0]!);
    const curve = gamma + h * card.x[0]!;
    before.level = curve + phi * (before.level - curve);
    before.V += beliefIn(card, key, days).V - beliefIn(card, key, 0).V;
  }
  const keep = card.x.map((_, i) => (i === 0 ? 1 : phi));
  card.x = card.x.map((x, i) => x * keep[i]!);
  card.P = card.P.map((row, i) => row.map((value, j) => value * keep[i]! * keep[j]!));
  card.P[0]![0]! += v * Q_A * days;
  card.grades.forEach(({ key }, at) => {
    card.P[at + 1]![at + 1]! += termsIn(card, key, 0).tau2 * (1 - phi * phi) + v * Q_B * days;
  });
  card.day = day;
}

/** rho of a grade. */
export function usualIn({ game }: OracleCard, grade: string): number {
  const { n: ng, mean: zg } = game.noise;
  const { n: nk, mean: zk } = game.gradeNoise.get(grade) ?? { n: 0, mean: 0 };
  const rhoGame = (200 + (ng * zg) / 1.05) / (200 + ng);
  return (100 * usualNoise(grade) * rhoGame + (nk * zk) / 1.05) / (100 + nk);
}

/** lambda. */
export function noiseOf(card: OracleCard, grade: string): number {
  return (usualIn(card, grade) * (40 + card.zSum / 1.05)) / (40 + card.zCount);
}

/** R, where V is the variance of the series' level. */
export function noiseVariance(card: OracleCard, grade: string, V: number, lag: number, venueVariance: number): number {
  return noiseOf(card, grade) * SIG2 + Q_A * lag + venueVariance + (V > 0.25 ? 0.03 * 0.5 : 0);
}

export function gradeIn(card: OracleCard, key: string, day: number): OracleGrade {
  let own = card.grades.find((one) => one.key === key);
  if (own === undefined) {
    own = { key, n: 0, last: day, weight: 0, weighted: 0, surprise: null, previous: null, pending: null, before: null };
    card.grades.push(own);
    card.x.push(0);
    for (const row of card.P) row.push(0);
    card.P.push(card.x.map(() => 0));
    card.P[card.x.length - 1]![card.x.length - 1] = termsIn(card, key, 0).tau2;
  }
  return own;
}

/** Mean of the prices, weighted by their precision. */
function meanOf(sales: readonly Seen[]): number {
  const precision = sales.reduce((sum, { R }) => sum + 1 / R, 0);
  return sales.reduce((sum, { price, R }) => sum + price / R, 0) / precision;
}

/** What the update met: for the test to see that its sales have everything. */
export type Met = { jump: boolean; repeats: boolean; wild: boolean; unconfirmed: boolean };

/** Step 4: a day's sales of a grade as one observation. */
export function update(card: OracleCard, own: OracleGrade, sales: readonly Seen[], p00: number, day: number) {
  const i = card.grades.indexOf(own) + 1;
  // Tangents at the card's level; at a card's first sale, at the level that it implies.
  const first = levelBehind(card, own.key, meanOf(sales));
  const tangents = card.grades.map(({ key }) => termsIn(card, key, card.n === 0 ? first : card.x[0]!));
  const { gamma, h } = tangents[i - 1]!;
  const H = card.x.map((_, j) => (j === 0 ? h : j === i ? 1 : 0));
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, one, j) => sum + one * b[j]!, 0);
  const times = () => card.P.map((row) => dot(row, H));
  let PH = times();
  let HPH = dot(H, PH);
  const level = gamma + dot(H, card.x);

  const joint = (w: number[]) => {
    const precisions = sales.map(({ R }, j) => w[j]! / R);
    const precision = precisions.reduce((a, b) => a + b);
    const prices = sales.map(({ price }) => price);
    const weight = dot(w, w) / w.reduce((a, b) => a + b);
    return { w, price: dot(precisions, prices) / precision, noise: 1 / precision, weight };
  };
  const all = sales.map(() => 1);
  const robust = sales.map(({ price, R }) => Math.min(1, studentWeight((price - level) ** 2 / (HPH + p00 + R))));
  let seen = joint(card.n === 0 ? all : robust);
  const r = () => seen.price - level;
  const plain = () => HPH + p00 + seen.noise * seen.weight;
  const z = sales.map(({ price, R }) => clamp((price - level) / Math.sqrt(HPH + p00 + R), -2.5, 2.5));

  let outlier = seen.weight < 0.25 && studentWeight(r() ** 2 / plain()) < 0.25;
  let [repeats, jump] = [false, false];
  let nearest = (price: number) => price;
  const near = sales.filter(({ price, R }) => Math.abs(price - seen.price) <= 1.25 * Math.sqrt(2 * R));
  const reports = near.map(({ soldDay, source }) => ({ day: soldDay, source }));
  const isAlone = new Set(reports.map((report) => `${report.day} ${report.source}`)).size < 2;
  const unconfirmed = seen.weight < 1 && Math.abs(r()) > 2.674 * Math.sqrt(plain()) && isAlone;
  if (outlier) {
    const { pending } = own;
    const tolerance = Math.sqrt(2 * sales[0]!.R);
    repeats =
      pending !== null &&
      day - pending.day <= 180 &&
      pending.sign === Math.sign(r()) &&
      pending.sign * (seen.price - pending.price) > -2.5 * tolerance;
    const [reach, from] = [2.5 * tolerance, pending?.price ?? 0];
    if (repeats) nearest = (price) => from + clamp(price - from, -reach, reach);
    if (repeats) reports.push(...pending!.reports);
    own.pending = { day, sign: Math.sign(r()), price: nearest(seen.price), reports };
    const count = (of: (report: { day: number; source: number }) => number) => new Set(reports.map(of)).size;
    const isNear = !repeats || Math.abs(seen.price - from) < reach;
    jump = (isNear && count(({ source }) => source) >= 2) || count((report) => report.day) >= 3;
  }
  const surprises = unconfirmed && !repeats && !jump;
  const back = own.before && Math.abs(seen.price - own.before.level) <= 2.674 * Math.sqrt(plain() - HPH + own.before.V);
  const isMove = surprises && !back;
  own.before = isMove ? { level, V: HPH, n: own.n, last: own.last } : null;
  if (jump) {
    seen = joint(all);
    seen.price = nearest(seen.price);
    const share = card.n > own.n ? 0.5 : 0.8;
    card.P[0]![0]! += share * r() ** 2;
    card.P[i]![i]! += (1 - share) * r() ** 2;
    PH = times();
    HPH = dot(H, PH);
    [outlier, repeats] = [false, false];
  }
  if (jump || seen.weight > 0.6) own.pending = null;

  const f = 1 + (seen.weight ** -0.6 - 1) * Math.min(1, (seen.weight / 0.25) ** 2);
  const S = f * HPH + seen.noise + p00;
  const wild = outlier && Math.abs(r()) > Math.log(6);
  const bound = wild ? 0.35 * Math.sqrt(HPH) : Number.POSITIVE_INFINITY;
  const step = clamp((f * r() * HPH) / S, -bound, bound);
  const shrink = surprises ? 0 : f ** 2 / S - (f - 1) / HPH;
  if (!repeats) {
    const most = isMove ? 0.5 * Math.abs(step) : Number.POSITIVE_INFINITY;
    const ofA = clamp((PH[0]! * step) / HPH, -most, most);
    const a = card.x[0]! + ofA;
    // Every series moves on its tangent: what the curve leaves of that is its deviation.
    card.x = card.x.map((b, j) => {
      if (j === 0) return a;
      const [at, on] = [tangents[j - 1]!, termsIn(card, card.grades[j - 1]!.key, a)];
      const ofLevel = j === i ? step : clamp(((at.h * PH[0]! + PH[j]!) * step) / HPH, -most, most);
      return b + at.gamma + at.h * card.x[0]! + ofLevel - (on.gamma + on.h * a);
    });
    card.P = card.P.map((row, j) => row.map((value, k) => value - PH[j]! * PH[k]! * shrink));
  }
  const met: Met = { jump, repeats, wild, unconfirmed: isMove };
  return { w: seen.w, outlier, repeats, surprise: z.reduce((a, b) => a + b) / z.length, met };
}
