import { describe, expect, test } from 'vitest';
import { newCard } from '../../../src/pricing/model/card.ts';
import { termsOf } from '../../../src/pricing/model/curve/curve.ts';
import { gameOf, gradeIndexOf, newModel, setOf } from '../../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS as PARAMS } from '../../../src/pricing/model/params.ts';
import { centsOf, logQuote, nextSaleRangeOf, rangeOf } from '../../../src/pricing/model/quote.ts';
import { decodeCard } from '../../../src/pricing/store/card-bytes.ts';
import { decodeSnapshots, snapshotsOn } from '../../../src/pricing/store/snapshot-bytes.ts';

/** Bytes that version 2 of the model stored and the quotes it then gave: a card in PSA 10 (0) and PSA 9 (1). */
const CARD = Buffer.from(
  [
    '021d0000000f0000000e0000005bfb6f5787fb204002000000010b0000001d000000000000800dabe24176e032425c57',
    '23402075fe1efb7446403cc7265b38ce16400001011d000000023cc7265b38ce16401d0002000b000000000000000300',
    '000006000000090000000c0000000f0000001200000015000000180000001b0000001d000200010002040000001c0000',
    '00000000004206e241009286f16ef90e40f6419592f89b2c40b2e7cf9fb9b50d4000000004000000040000000c000000',
    '140000001c00000003f6c1295902580d40c9b6c83c55b81240ffea8301cf990d40c4f054dc7cf1a73fc0e5db155b00a7',
    'bf675990717d89a83f3c70bf8bcde9a5bfd55754e2e288a53fcf20670371c2a63f',
  ].join(''),
  'hex',
);
const SNAPSHOTS = Buffer.from(
  [
    '0c0002c88f7aad064d0d406b4d483d00050c0087e97bc4509312400aff40bd917d503d01020c0045225b6520a10d401a',
    '762cbd0a1c383d1d0002f6c1295902580d40e78b3f3d000b1d00c9b6c83c55b81240d90238bdec4b443d01041c00ffea',
    '8301cf990d406c4e2fbd8813363d',
  ].join(''),
  'hex',
);

/** Day, grade, mean, sd, cents, low and high cents; the market at 1/32 with variance 1/1024, quantiles by stratum below. */
const QUOTES = [
  [12, 0, 4.675112791121484, 0.0889781703242672, 10724, 9569, 12020],
  [12, 1, 3.734925071567235, 0.09788918338278858, 4188, 3695, 4748],
  [29, 0, 4.7112626550203425, 0.09532533861093448, 11119, 9841, 12564],
  [29, 1, 3.7313518637068905, 0.08932559968108883, 4174, 3722, 4680],
  [60, 0, 4.71394760113341, 0.19814623386419977, 11149, 8649, 14372],
  [60, 1, 3.730371155545048, 0.15526320900067167, 4169, 3417, 5087],
  [250, 0, 4.728703769635434, 0.4681336478050213, 11315, 6210, 20616],
  [250, 1, 3.7249812913622895, 0.35311548385881003, 4147, 2638, 6520],
  [400, 0, 4.73852656783372, 0.5843344656367963, 11427, 5404, 24163],
  [400, 1, 3.721393398734461, 0.44506294883767733, 4132, 2336, 7310],
] as const;
const WIDTHS = { quantiles80: Array.from({ length: 12 }, (_, i) => 1.476 * (1 + (i - 4) / 20)), factors: null };

const model = newModel(PARAMS);
for (const key of ['psa-10', 'psa-9']) gradeIndexOf(model, key);
const { curve } = gameOf(model, 'pokemon');

describe('after version 2 of the model', () => {
  test.each(QUOTES)(
    'on day %i its snapshot of grade %i is quoted as it was',
    (day, grade, mean, sd, cents, low, high) => {
      const snapshot = decodeSnapshots(SNAPSHOTS)
        .get(grade)!
        .findLast((one) => one.day <= day)!;
      expect(snapshotsOn(SNAPSHOTS, [day])[0]!.get(grade)).toEqual(snapshot);
      const on = { day, marketLevel: 1 / 32, marketVariance: 1 / 1024, widths: WIDTHS };
      const quote = logQuote(snapshot, on, termsOf(curve, [], grade, snapshot.cardLevel), PARAMS);
      expect(quote).toMatchObject({ mean, sd, nextSale: null, before: null });
      expect(nextSaleRangeOf(quote)).toBeNull();
      expect(centsOf(quote.mean)).toBe(cents);
      expect(rangeOf(quote)).toEqual({ lowUsdCents: low, highUsdCents: high });
    },
  );

  test('a card goes on from its state, its noise and its volatility learned anew', () => {
    const game = gameOf(model, 'pokemon');
    const card = decodeCard('card', CARD, game, setOf(model, 'pokemon', 's1'));
    const fresh = newCard('card', game, card.set, 29, PARAMS);
    expect(card).toMatchObject({ day: 29, sales: 15, size: 3, noiseCount: 0, noiseSum: 0, pairCount: 0, pairSum: 0 });
    expect(Object.keys(card).sort()).toEqual(Object.keys(fresh).sort());
    expect([...card.x]).toEqual([3.6679732290142466, 4.6800126550203425, 3.7001018637068905]);
    expect([...card.P]).toEqual([
      0.04676428022000459, -0.044924589556056826, -0.042799399670656574, -0.044924589556056826, 0.04792396556165351,
      0.04205998432932715, -0.042799399670656574, 0.04205998432932715, 0.04445222059763553,
    ]);
    const [ten, nine] = card.grades;
    expect(ten).toEqual({
      grade: 0,
      slot: 1,
      sales: 11,
      lastDay: 29,
      lastSoldAtMs: 29 * 86_400_000,
      weight: 9.670625752172992,
      weightedPrice: 44.91391360687908,
      surprise: null,
      lastPrice: 5.701386856309735,
      lastVenue: 'auction',
      lastOutlier: true,
      pending: { day: 29, side: 1, price: 5.701386856309735, reports: [29 * 65_536 + 2] },
      before: null,
      recent: [0, 196608, 393216, 589824, 786432, 983040, 1179648, 1376256, 1572864, 1769472].concat(29 * 65_536 + 2),
    });
    expect(nine).toMatchObject({ slot: 2, sales: 4, lastDay: 28, surprise: null, lastOutlier: false, pending: null });
  });
});
