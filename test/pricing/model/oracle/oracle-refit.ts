import { clamp, curveOf, found, type OracleGame, type OracleState, priorOf, SIG2, termsIn } from './oracle-state.ts';

/** Section 2 step 8: alpha, beta and tau of each grade, delta of each set, from the cards that sold in two grades. */
export function refit(state: OracleState) {
  const levelsBefore = levelsOf(state);
  for (const game of state.games.values()) refitGame(state, game);
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
      const { gamma, h } = termsIn(card, key);
      return gamma + h * card.x[0]!;
    }),
  );
}

function refitGame(state: OracleState, game: OracleGame) {
  const cards = [...state.cards.values()].filter((card) => card.game === game && card.grades.length >= 2);
  if (cards.length === 0) return;
  const rows = cards.flatMap((card) =>
    card.grades.map(({ key, weight, weighted }) => ({ card, key, y: weighted / weight, v: SIG2 / weight })),
  );
  for (let round = 0; round < 6; round++) {
    const levels = new Map(
      cards.map((card) => {
        let [sum, weights] = [0, 0];
        for (const { key, y, v } of rows.filter((row) => row.card === card)) {
          const { gamma, h, tau2 } = termsIn(card, key);
          weights += h ** 2 / (v + tau2);
          sum += ((h ** 2 / (v + tau2)) * (y - gamma)) / h;
        }
        return [card, sum / weights] as const;
      }),
    );
    game.meanA = [...levels.values()].reduce((a, b) => a + b) / levels.size;
    const offsets = new Map<string, { set: (typeof cards)[0]['set']; key: string; sum: number; weight: number }>();
    for (const key of new Set(rows.map((row) => row.key))) {
      const curve = curveOf(game, key);
      const ofGrade = rows
        .filter((row) => row.key === key)
        .map((row) => {
          const { set } = row.card;
          const A = levels.get(row.card)!;
          return { v: row.v, set, x: A - game.meanA, rest: row.y - A - (set.deltas.get(key) ?? 0) };
        });
      const off = (one: (typeof ofGrade)[0]) => one.rest - curve.alpha - curve.beta * one.x;
      const huber = ofGrade.map((one) => Math.min(1, (2 * Math.sqrt(one.v + curve.tau2)) / Math.abs(off(one))));
      const weights = () => ofGrade.map(({ v }, i) => (huber[i]! * curve.tau2) / (v + curve.tau2));
      const [alpha0, tau0] = priorOf(key);
      if (key !== 'psa-9') {
        const w = weights();
        const sum = (of: (one: (typeof ofGrade)[0]) => number) =>
          ofGrade.reduce((total, one, i) => total + w[i]! * of(one), 0);
        const [a, b, d] = [20 + sum(() => 1), sum(({ x }) => x), 60 + sum(({ x }) => x * x)];
        const [p, q] = [20 * alpha0! + sum(({ rest }) => rest), sum(({ x, rest }) => x * rest)];
        curve.alpha = (p * d - q * b) / (a * d - b * b);
        curve.beta = clamp((a * q - b * p) / (a * d - b * b), -0.3, 0.3);
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
    for (const { set, key, sum, weight } of offsets.values()) set.deltas.set(key, sum / (weight + 15));
  }
}
