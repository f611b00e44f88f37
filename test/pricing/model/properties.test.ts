import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteReader, byteWriter } from '../../../src/lib/bytes.ts';
import { daysFrom } from '../../../src/lib/day.ts';
import type { CardUpdate } from '../../../src/pricing/model/influence.ts';
import { DEFAULT_PARAMS } from '../../../src/pricing/model/params.ts';
import { centsOf } from '../../../src/pricing/model/quote.ts';
import { countRecent, rememberSale } from '../../../src/pricing/model/recent.ts';
import { snapshotOf } from '../../../src/pricing/model/snapshot.ts';
import { decodeCard, decodeWeights, encodeCard } from '../../../src/pricing/store/card-bytes.ts';
import {
  decodeSnapshots,
  decodeUpdates,
  snapshotsOn,
  writeEmptySnapshot,
} from '../../../src/pricing/store/snapshot-bytes.ts';
import { newWorld, type ReportedSale, type World } from '../world.ts';
import { encodedSnapshot } from './snapshot-writer.ts';

const GRADES = ['psa-10', 'psa-9', 'raw-A', 'bgs-9-5'];
const VENUES = ['auction', 'fixed', 'shop'] as const;

/** Days of sales; ids rise through the days, so that a shuffled day keeps its ids. */
const someDays = fc
  .array(
    fc.array(
      fc.record({
        card: fc.integer({ min: 0, max: 5 }),
        grade: fc.integer({ min: 0, max: GRADES.length - 1 }),
        venue: fc.integer({ min: 0, max: VENUES.length - 1 }),
        cents: fc.integer({ min: 50, max: 5_000_000 }),
        lag: fc.integer({ min: 0, max: 6 }),
        source: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 8 },
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((days) => {
    let id = 0;
    return days.map((sales, day) =>
      sales.map(({ card, grade, venue, cents, lag, source }): ReportedSale => {
        id++;
        return {
          id,
          card: `card-${card}`,
          game: card < 3 ? 'pokemon' : 'mtg',
          grade: GRADES[grade]!,
          venue: VENUES[venue]!,
          usd: cents / 100,
          day: Math.max(0, day - lag),
          source,
        };
      }),
    );
  });

function run(days: readonly (readonly ReportedSale[])[]): World {
  const world = newWorld();
  days.forEach((sales, day) => {
    world.close(day, sales);
    if (day % 28 === 27) world.refit();
  });
  return world;
}

/** Everything quotable, and the cards to the last bit, in the order of their names. */
function stateOf(world: World, nameOf = (id: string) => id): unknown {
  const cards = [...world.cards.values()].sort((a, b) => (nameOf(a.id) < nameOf(b.id) ? -1 : 1));
  const quotes = cards.flatMap((card) => GRADES.map((grade) => world.quote(card.id, grade)));
  const { venues, calibration, games } = world.model;
  const states = cards.map((card) => encodeCard(card).toString('hex'));
  return { quotes, states, venues, calibration, games: [...games].sort() };
}

describe('whatever the sales', () => {
  test('neither the ids nor the order of a day’s sales change anything, to the last bit', () => {
    fc.assert(
      fc.property(someDays, fc.infiniteStream(fc.nat()), (days, shuffle) => {
        const keyed = days.map((sales) => sales.map((sale) => ({ sale, at: shuffle.next().value as number })));
        const permuted = keyed.map((sales) => {
          const ids = sales.map(({ sale }) => sale.id!);
          return sales.sort((a, b) => a.at - b.at).map(({ sale }, i): ReportedSale => ({ ...sale, id: ids[i]! }));
        });
        expect(stateOf(run(permuted))).toEqual(stateOf(run(days)));
      }),
      { numRuns: 40 },
    );
  });

  test('nor does their order where cards tie: the same prices, day after day', () => {
    const prices = [50, 64, 71, 58, 90, 66];
    const onDay = (usd: number, day: number, cards: readonly string[]) =>
      cards.map(
        (card): ReportedSale => ({ card, game: 'pokemon', grade: 'psa-10', venue: 'auction', usd, day, source: 0 }),
      );
    const days = (cards: readonly string[]) => prices.map((usd, day) => onDay(usd, day, cards));
    expect(stateOf(run(days(['card-1', 'card-0'])))).toEqual(stateOf(run(days(['card-0', 'card-1']))));
  });

  test('the ids of cards that do not tie change nothing, to the last bit', () => {
    const names = Array.from({ length: 6 }, (_, i) => `card-${i}`);
    const shuffled = fc.shuffledSubarray(names, { minLength: names.length });
    fc.assert(
      fc.property(someDays, shuffled, (days, ids) => {
        const idOf = (name: string) => ids[names.indexOf(name)]!;
        const renamed = days.map((sales) => sales.map((sale) => ({ ...sale, card: idOf(sale.card) })));
        expect(stateOf(run(renamed), (id) => names[ids.indexOf(id)]!)).toEqual(stateOf(run(days)));
      }),
      { numRuns: 40 },
    );
  });

  test('covariances are symmetric with variances above zero, and weights lie in (0, 1]', () => {
    fc.assert(
      fc.property(someDays, (days) => {
        const world = run(days);
        for (const { P, size } of world.cards.values()) {
          for (let i = 0; i < size; i++) {
            expect(P[i * size + i]).toBeGreaterThan(0);
            for (let j = 0; j < i; j++) expect(P[i * size + j]).toBe(P[j * size + i]);
          }
        }
        for (const { weight } of world.uses.values()) {
          expect(weight).toBeGreaterThan(0);
          expect(weight).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('a card stored and loaded is the same card, to the last bit', () => {
    fc.assert(
      fc.property(someDays, (days) => {
        for (const card of run(days).cards.values()) {
          expect(decodeCard(card.id, encodeCard(card), card.game, card.set)).toEqual({ ...card, updates: [] });
          const weights = card.grades.map(({ grade, weight, weightedPrice }) => ({ grade, weight, weightedPrice }));
          expect(decodeWeights(encodeCard(card))).toEqual(weights);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('updates stored with a snapshot are read with gains in single precision', () => {
    const fround = (updates: readonly CardUpdate[]) =>
      updates.map(({ cardLevel, gainOfCard, gains, shares, ...update }) => ({
        ...update,
        cardLevel: Math.fround(cardLevel),
        gainOfCard: Math.fround(gainOfCard),
        gains: gains.map(Math.fround),
        shares: shares.map(Math.fround),
      }));
    fc.assert(
      fc.property(someDays, (days) => {
        for (const card of run(days).cards.values()) {
          const { day, updates } = card;
          const read = decodeUpdates(encodedSnapshot(card).bytes);
          expect(read).toEqual(fround(updates).map((update) => ({ ...update, curveDay: day - 1 })));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('a snapshot stored and loaded quotes the same', () => {
    fc.assert(
      fc.property(someDays, (days) => {
        for (const card of run(days).cards.values()) {
          const snapshots = decodeSnapshots(encodedSnapshot(card).bytes);
          for (const { grade } of card.grades)
            expect(snapshots.get(grade)).toEqual([snapshotOf(card, grade, DEFAULT_PARAMS)]);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('the snapshots in force on a day are the last ones of it or before it, and none once all sales are voided', () => {
    fc.assert(
      fc.property(someDays, (days) => {
        const world = newWorld();
        const stored = new Map<string, Buffer[]>();
        days.forEach((sales, day) => {
          world.close(day, sales);
          for (const card of world.cards.values())
            if (card.day === day) stored.set(card.id, [...(stored.get(card.id) ?? []), encodedSnapshot(card).bytes]);
        });
        const emptied = byteWriter();
        writeEmptySnapshot(emptied, days.length + 1);
        const empty = emptied.take();
        const asked = daysFrom(0, days.length + 2).filter((day) => day % 3 !== 1);
        for (const parts of stored.values()) {
          const bytes = Buffer.concat([...parts, empty]);
          const all = decodeSnapshots(bytes);
          for (const [i, inForce] of snapshotsOn(bytes, asked).entries())
            for (const [grade, snapshots] of all) {
              const last = snapshots.findLast(({ day }) => day <= asked[i]!);
              expect(inForce.get(grade)).toEqual(last?.cardVariance === Number.POSITIVE_INFINITY ? undefined : last);
            }
        }
      }),
      { numRuns: 20 },
    );
  });
});

test('a card stored by version 1 of the model is read, its waiting outlier forgotten, as its source is not known', () => {
  const [card] = run([[{ id: 1, card: 'old', day: 0, usd: 20 }]]).cards.values();
  const own = card!.grades[0]!;
  const writer = byteWriter();
  writer.u8(1);
  for (const whole of [card!.day, card!.sales, card!.noiseCount]) writer.i32(whole);
  writer.f64(card!.noiseSum);
  writer.u16(1);
  writer.u16(own.grade);
  writer.u8(own.slot);
  for (const whole of [own.sales, own.lastDay]) writer.i32(whole);
  for (const real of [own.lastSoldAtMs, own.weight, own.weightedPrice, own.lastPrice]) writer.f64(real);
  writer.u8(0);
  writer.u8(0);
  writer.i32(0);
  writer.u8(2);
  writer.f64(4.6);
  writer.i32(1);
  writer.u16(0);
  writer.u16(0);
  writer.u8(card!.size);
  for (const real of [...card!.x, card!.P[0]!, card!.P[2]!, card!.P[3]!]) writer.f64(real);
  expect(decodeCard('old', writer.take(), card!.game, card!.set)).toEqual({ ...card!, updates: [] });
});

test('counts of recent sales are those of a plain list', () => {
  const sale = fc.record({ back: fc.integer({ min: 0, max: 500 }), source: fc.integer({ min: 0, max: 9 }) });
  fc.assert(
    fc.property(fc.array(sale, { maxLength: 300 }), fc.integer({ min: 1, max: 365 }), (sales, windowDays) => {
      const today = 20_000;
      const recent: number[] = [];
      for (const { back, source } of sales) rememberSale(recent, today - back, source, today);
      const inWindow = sales.filter(({ back }) => back < windowDays);
      const sources = new Set(inWindow.map(({ source }) => source)).size;
      expect(countRecent(recent, today, windowDays)).toEqual({ sales: inWindow.length, sources });
    }),
  );
});

test('bytes are read as they were written, however many', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true }), { maxLength: 3000 }), (values) => {
      const writer = byteWriter();
      for (const value of values) {
        writer.u8(7);
        writer.f64(value);
      }
      const reader = byteReader(writer.take());
      for (const value of values) {
        expect(reader.u8()).toBe(7);
        expect(reader.f64()).toBe(value);
      }
      expect(reader.done()).toBe(true);
    }),
    { numRuns: 20 },
  );
});

test('cents are at least one, and halves round up', () => {
  expect(centsOf(Math.log(0.0001))).toBe(1);
  expect(centsOf(Math.log(123.45))).toBe(123_45);
});
