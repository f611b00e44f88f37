import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { readUniverse, windowsOf } from '../../src/indices/close/universe-sales.ts';
import { GAME_INDICES } from '../../src/indices/definitions.ts';
import { parseDay } from '../../src/lib/day.ts';
import { dailyValuesOf } from '../../src/pricing/store/daily-values.ts';
import { anItem, aSale, aSet, aVoid, closeDays } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const pokemon = GAME_INDICES[0]!;
const MAY = parseDay('2026-05-01')!;
const JUNE = parseDay('2026-06-01')!;

/** Days of sales of a card, and what the windows of May and June should have: how many sales, and the first of all. */
const CARDS: Record<string, { sold: string[]; may: [number, string] | null; june: [number, string] | null }> = {
  'a card that sells every month': {
    sold: ['2026-02-10', '2026-03-20', '2026-04-15', '2026-05-20'],
    may: [3, '2026-02-10'],
    june: [3, '2026-03-20'],
  },
  'a newcomer': {
    sold: ['2026-04-20', '2026-04-25', '2026-05-02'],
    may: [2, '2026-04-20'],
    june: [3, '2026-04-20'],
  },
  'one that sold before the window of May': {
    sold: ['2025-06-01', '2026-04-20', '2026-04-25'],
    may: [2, '2026-01-31'],
    june: [2, '2026-03-03'],
  },
  'one that sold before the window of June only': {
    sold: ['2026-02-20', '2026-04-20', '2026-04-25'],
    may: [3, '2026-02-20'],
    june: [2, '2026-03-03'],
  },
  'one that sold on the last days in and the first days out of the windows': {
    sold: ['2026-01-31', '2026-02-01', '2026-03-03', '2026-03-04', '2026-05-01', '2026-06-01', '2026-06-02'],
    may: [4, '2026-02-01'],
    june: [3, '2026-03-04'],
  },
  'one with a single sale in its windows': { sold: ['2026-04-20'], may: null, june: null },
};

let fresh: FreshDatabase;
let db: Db;
const names = new Map<string, string>();
beforeAll(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  const set = await aSet(db, { name: 'Jungle', code: 'base2' });
  for (const [name, { sold }] of Object.entries(CARDS)) {
    const itemId = await anItem(db, { set, number: String(names.size), name });
    names.set(itemId, name);
    for (const day of sold) await aSale(db, { itemId, sold: day });
  }
  const voided = await anItem(db, { set, number: '90', name: 'a newcomer whose first sale is taken back in May' });
  names.set(voided, 'voided');
  await aVoid(db, await aSale(db, { itemId: voided, sold: '2026-02-20' }), 'unpaid', '2026-05-10');
  for (const sold of ['2026-04-20', '2026-04-25']) await aSale(db, { itemId: voided, sold });
  const late = await anItem(db, { set, number: '91', name: 'one whose sale of April is known in May' });
  names.set(late, 'late');
  await aSale(db, { itemId: late, sold: '2026-04-20', known: '2026-05-10' });
  for (const sold of ['2026-04-21', '2026-04-25']) await aSale(db, { itemId: late, sold });
  await closeDays(db, '2026-06-29');
});
afterAll(() => fresh.close());

/** By card, how many sales its window has and the first sale day, as read for some rotations together. */
async function windows(rotationDays: number[], day: number) {
  return await db.session(async (session) => {
    const universe = await readUniverse(session, pokemon, rotationDays);
    const found = await windowsOf(session, universe, day);
    return new Map(found.map((one) => [names.get(one.itemId)!, one]));
  });
}

const shown = (one: { sales: unknown[]; firstSaleDay: number } | undefined) =>
  one === undefined ? null : [one.sales.length, one.firstSaleDay];

test.each(Object.keys(CARDS))('the windows of %s are the same read together and by themselves', async (name) => {
  for (const [day, wanted] of [
    [MAY, CARDS[name]!.may],
    [JUNE, CARDS[name]!.june],
  ] as const) {
    const expected = wanted && [wanted[0], parseDay(wanted[1])];
    expect(shown((await windows([MAY, JUNE], day)).get(name))).toEqual(expected);
    expect(shown((await windows([day], day)).get(name))).toEqual(expected);
  }
});

test('a sale counts from the close that took it in until the close that acted on its void', async () => {
  const days = [MAY, JUNE];
  const [may, june] = [await windows(days, MAY), await windows(days, JUNE)];
  expect(shown(may.get('voided'))).toEqual([3, parseDay('2026-02-20')]);
  expect(shown(june.get('voided'))).toEqual([2, parseDay('2026-04-20')]);
  expect(shown(may.get('late'))).toEqual([2, parseDay('2026-04-21')]);
  expect(shown(june.get('late'))).toEqual([3, parseDay('2026-04-20')]);
});

test('each window has the value of its own day', async () => {
  const [may, june] = [await windows([MAY, JUNE], MAY), await windows([MAY, JUNE], JUNE)];
  const series = [...may.values()];
  const values = await dailyValuesOf(db, series, [MAY, JUNE]);
  expect(series.map(({ value }) => value)).toEqual(values.map(([value]) => value));
  expect(series.map(({ itemId }) => june.get(names.get(itemId)!)!.value)).toEqual(values.map(([, value]) => value));
  expect(values.flat().every((value) => value !== null)).toBe(true);
});

test('an item that was withdrawn is in the windows of the closes before and after it was away', async () => {
  const [itemId] = [...names].find(([, name]) => name === 'a newcomer')!;
  for (const [withdrawn, closeDay] of [
    [true, MAY],
    [false, JUNE],
  ])
    await db.query('insert into item_withdrawals (item_id, withdrawn, close_day) values ($1, $2, $3)', [
      itemId,
      withdrawn,
      closeDay,
    ]);
  expect((await windows([MAY, JUNE], MAY)).has('a newcomer')).toBe(false);
  expect((await windows([MAY, JUNE], JUNE)).has('a newcomer')).toBe(true);
});
