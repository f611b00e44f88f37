import {
  clamp,
  curveOf,
  effectAt,
  found,
  levelBehind,
  type OracleCard,
  type OracleGame,
  type OracleSet,
  type OracleState,
  priorOf,
  SIG2,
  termsIn,
} from './oracle-state.ts';

/** Section 2 step 8: alpha, beta and tau of each grade, delta of each set, from the cards that sold in two grades. */
export function refit(state: OracleState, day: number) {
  const levelsBefore = levelsOf(state);
  for (const game of state.games.values()) refitGame(state, game, day);
  // Levels stay as they were: the deviation takes up the change of the curve.
  const levelsAfter = levelsOf(state);
  [...state.cards.values()].forEach((card, c) => {
    card.grades.forEach((_, k) => {
      card.x[k + 1]! += levelsBefore[c]![k]! - levelsAfter[c]![k]!;
    });
  });
}

/** gamma + h a of every grade of every card. */
function levelsOf({ cards }: OracleState): number[][] {
  return [...cards.values()].map((card) =>
    card.grades.map(({ key }) => {
      const { gamma, h } = termsIn(card, key, card.x[0]!);
      return gamma + h * card.x[0]!;
    }),
  );
}

function refitGame(state: OracleState, game: OracleGame, day: number) {
  const cards = [...state.cards.values()].filter((card) => card.game === game && card.grades.length >= 2);
  if (cards.length === 0) return;
  const rows = cards.flatMap((card) =>
    card.grades.map(({ key, weight, weighted }) => ({ card, key, y: weighted / weight, v: SIG2 / weight })),
  );
  let before = new Map(cards.map((card) => [card, game.meanA] as const));
  for (let round = 0; round < 6; round++) {
    const tangents = before;
    const levelOf = (of: readonly (typeof rows)[0][]) => {
      let [sum, weights] = [0, 0];
      for (const { card, key, y, v } of of) {
        const { gamma, h, tau2 } = termsIn(card, key, tangents.get(card)!);
        weights += h ** 2 / (v + tau2);
        sum += ((h ** 2 / (v + tau2)) * (y - gamma)) / h;
      }
      return sum / weights;
    };
    const rowsOf = (card: OracleCard) => rows.filter((row) => row.card === card);
    const levels = new Map(cards.map((card) => [card, levelOf(rowsOf(card))] as const));
    // Ungraded cards are compared with the level of the other grades, on the tangents and curves of the round before.
    const others = new Map(rows.map((row) => [row, levelOf(rowsOf(row.card).filter((other) => other !== row))]));
    before = levels;
    game.meanA = [...levels.values()].reduce((a, b) => a + b) / levels.size;
    const offsets = new Map<string, { set: (typeof cards)[0]['set']; key: string; sum: number; weight: number }>();
    for (const key of new Set(rows.map((row) => row.key))) {
      const curve = curveOf(game, key);
      const raw = key.startsWith('raw-');
      const ofGrade = rows
        .filter((row) => row.key === key)
        .map((row) => {
          const { set } = row.card;
          const A = raw ? others.get(row)! : levels.get(row.card)!;
          const x = A - game.meanA;
          const z = raw ? levelBehind(row.card, key, row.y) - game.meanA : x;
          const { h } = termsIn(row.card, key, A);
          return { v: row.v, set, x, z, h: raw ? h : 1, rest: row.y - A - (set.deltas.get(key) ?? 0) };
        });
      const off = (one: (typeof ofGrade)[0]) => one.rest - effectAt(curve, one.x);
      const huber = ofGrade.map((one) => Math.min(1, (2 * Math.sqrt(one.v + curve.tau2)) / Math.abs(off(one))));
      const weights = () => ofGrade.map(({ v }, i) => (huber[i]! * curve.tau2) / (v + curve.tau2));
      const [alpha0, tau0] = priorOf(key);
      if (key !== 'psa-9') {
        const w = weights();
        // Two-stage: residuals about the line are unrelated to 1, z and s(z). The mean is taken out of each, then the slopes solved.
        const ridge = raw ? 10 : 60;
        const bent = (x: number) => (raw ? effectAt({ alpha: 0, beta: 0, square: 1, tau2: 0 }, x) : 0);
        const sum = (of: (one: (typeof ofGrade)[0]) => number) =>
          ofGrade.reduce((total, one, i) => total + (w[i]! / one.h) * of(one), 0);
        const n = 20 + sum(() => 1);
        const [X, S, Z, Q] = [sum(({ x }) => x), sum(({ x }) => bent(x)), sum(({ z }) => z), sum(({ z }) => bent(z))];
        const Y = 20 * alpha0! + sum(({ rest }) => rest);
        const zx = ridge + sum(({ x, z }) => z * x) - (Z * X) / n;
        const zs = sum(({ x, z }) => z * bent(x)) - (Z * S) / n;
        const qx = sum(({ x, z }) => bent(z) * x) - (Q * X) / n;
        const qs = ridge + sum(({ x, z }) => bent(z) * bent(x)) - (Q * S) / n;
        const zy = sum(({ z, rest }) => z * rest) - (Z * Y) / n;
        const qy = sum(({ z, rest }) => bent(z) * rest) - (Q * Y) / n;
        curve.beta = clamp((zy * qs - qy * zs) / (zx * qs - zs * qx), -0.6, 1.6);
        const most = (curve.beta + 0.6) / 2;
        curve.square = clamp((qy * zx - zy * qx) / (zx * qs - zs * qx), -most, most);
        curve.alpha = (Y - curve.beta * X - curve.square * S) / n;
      }
      const spread = ofGrade.reduce((sum, one, i) => sum + (huber[i]! * off(one)) ** 2 - 0.8 * one.v, 0);
      curve.tau2 = Math.max(0.15 ** 2, (20 * tau0! ** 2 + Math.max(0, spread)) / (20 + ofGrade.length));
      if (key === 'psa-9') continue;
      const w = weights();
      ofGrade.forEach((one, i) => {
        const { set } = one;
        const name = `${[...state.sets.values()].indexOf(set)} ${key}`;
        const into = found(offsets, name, () => ({ set, key, sum: 0, weight: 0 }));
        into.weight += w[i]!;
        into.sum += w[i]! * (off(one) + (set.deltas.get(key) ?? 0));
      });
    }
    const keys = new Set([...offsets.values()].map(({ key }) => key));
    const wasIn = (set: OracleSet, key: string) =>
      [...offsets.values()].find((one) => one.set === set && one.key === key) ?? { sum: 0, weight: 0 };
    const sets = [...state.sets.values()].filter((set) => set.game === game.name);
    const changes = sets.flatMap((set) =>
      [...keys].flatMap((key) => {
        const kin = sets
          .filter((other) => set.year !== null && other.year !== null && era(other.year, day) === era(set.year, day))
          .map((other) => wasIn(other, key));
        const shares = kin.reduce((all, { weight }) => all + weight / (weight + 15), 0);
        const ofEra = kin.reduce((all, { sum, weight }) => all + sum / (weight + 15), 0) / (shares + 3);
        const { sum, weight } = wasIn(set, key);
        return shares + weight === 0 ? [] : [[set, key, (sum + 15 * ofEra) / (weight + 15)] as const];
      }),
    );
    for (const [set, key, delta] of changes) set.deltas.set(key, delta);
  }
}

/** Sets of 0 to 1, 1 to 3, 3 to 8, 8 to 20 and of more years, by the middle of their year. */
function era(year: number, day: number): number {
  const years = (day - Date.UTC(year, 6, 1) / 86_400_000) / 365.25;
  return years < 1 ? 0 : years < 3 ? 1 : years < 8 ? 2 : years < 20 ? 3 : 4;
}
