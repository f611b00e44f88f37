import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, aVoid, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { priceOn } from '../corrections/world.ts';

type Change = {
  day: string;
  id: string;
  gradeLabel: string;
  gradeToken: string;
  cause: string;
  previousUsdCents: number | null;
  priceUsdCents: number | null;
};
type Page = { changes: Change[]; hasMore: boolean; nextCursor: string };

let database: FreshDatabase;
let db: Db;
let api: TestApp;
let cards: string[];
let late: number;

const get = async (query: string): Promise<Page> => (await api.get(`/v1/changes?${query}`)).json;

/** Every page from `after` on, and the cursor at its end. */
async function pages(limit: number, after: string): Promise<{ changes: Change[]; end: string }> {
  const { changes, hasMore, nextCursor } = await get(`limit=${limit}&after=${after}`);
  if (!hasMore) return { changes, end: nextCursor };
  const rest = await pages(limit, nextCursor);
  return { changes: [...changes, ...rest.changes], end: rest.end };
}

beforeAll(async () => {
  database = await freshDatabase();
  db = database.db;
  cards = [];
  for (let i = 0; i < 4; i++) cards.push(await anItem(db, { number: String(i), name: `Card ${i}` }));
  cards.sort();
  for (const itemId of cards) await manySales(db, { itemId, from: '2026-01-03', to: '2026-03-01' });
  await manySales(db, { itemId: cards[0]!, gradeKey: 'psa-9', from: '2026-01-03', to: '2026-03-01' });
  late = await aSale(db, { itemId: cards[0]!, sold: '2026-06-10', usdCents: 150_00 });
  for (const itemId of cards.slice(1, 3)) await aSale(db, { itemId, sold: '2026-06-10', usdCents: 140_00 });
  await aSale(db, { itemId: cards[3]!, sold: '2026-06-11', rejection: 'lot' });
  await closeDays(db, '2026-06-12');
  await aVoid(db, late, 'unpaid', '2026-06-14');
  await closeDays(db, '2026-06-20');
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('GET /v1/changes', () => {
  test('lists what each close changed, with why, as the daily line published it', async () => {
    const { changes } = await pages(50, '2026-06-01');
    const listed = changes.map(({ day, id, gradeLabel, cause }) => [day, cards.indexOf(id), gradeLabel, cause]);
    expect(listed).toEqual([
      ['2026-06-10', 0, 'PSA 10', 'sale'],
      ['2026-06-10', 0, 'PSA 9', 'sale'],
      ['2026-06-10', 1, 'PSA 10', 'sale'],
      ['2026-06-10', 2, 'PSA 10', 'sale'],
      ['2026-06-14', 0, 'PSA 10', 'void'],
      ['2026-06-14', 0, 'PSA 9', 'void'],
    ]);
    for (const { day, id, gradeLabel, previousUsdCents, priceUsdCents } of changes) {
      const gradeKey = gradeLabel.toLowerCase().replace(' ', '-');
      const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
      expect([previousUsdCents, priceUsdCents]).toEqual([
        await priceOn(db, id, before, gradeKey),
        await priceOn(db, id, day, gradeKey),
      ]);
      expect(priceUsdCents).not.toBe(previousUsdCents);
    }
    expect(changes[0]).toMatchObject({ company: 'PSA', gradeToken: 'psa-10', salesTaken: 1, salesVoided: 0 });
    expect(changes[4]).toMatchObject({ salesTaken: 0, salesVoided: 1 });
  });

  test('a close with thousands of lines is read card by card, to the same list', async () => {
    const before = await Promise.all([1, 2, 50].map((limit) => pages(limit, '2026-06-01')));
    await db.query('update record_days set lines = lines + 5000');
    expect(await Promise.all([1, 2, 50].map((limit) => pages(limit, '2026-06-01')))).toEqual(before);
    await db.query('update record_days set lines = lines - 5000');
  });

  test('pages of any size are the same list, and a day is a cursor', async () => {
    const all = await pages(100, '2025-12-31');
    expect(all.changes.length).toBeGreaterThan(20);
    expect(all.changes[0]).toMatchObject({ day: '2026-01-03', previousUsdCents: null, cause: 'sale' });
    for (const limit of [1, 2, 3]) expect(await pages(limit, '2025-12-31')).toEqual(all);
    const { changes } = await pages(2, '2026-06-10');
    expect(changes).toEqual(all.changes.filter(({ day }) => day > '2026-06-10'));
    // Long before the first close there is nothing to read.
    expect(await pages(100, '1990-01-01')).toEqual(all);
  });

  test('a page has as many cards as asked for, over closes', async () => {
    for (const limit of [1, 2, 3, 4]) {
      const { changes, hasMore } = await get(`limit=${limit}&after=2026-06-09`);
      const cardsOfDays = new Set(changes.map(({ day, id }) => `${day} ${id}`));
      expect([cardsOfDays.size, hasMore]).toEqual([limit, true]);
    }
  });

  test('a page reads 31 closes at most: it may be empty and have more', async () => {
    expect(await get('after=2026-03-20')).toEqual({ changes: [], hasMore: true, nextCursor: '2026-04-20' });
  });

  test('the cursor of the last page goes on with the next close; without one the last close is listed', async () => {
    const { end } = await pages(50, '2026-06-01');
    expect(end).toBe('2026-06-20');
    expect(await get(`after=${end}`)).toEqual({ changes: [], hasMore: false, nextCursor: end });
    await aSale(db, { itemId: cards[3]!, sold: '2026-06-21', usdCents: 130_00 });
    await closeDays(db, '2026-06-21');
    await api.app.close();
    api = await testApp(db);
    const next = await get(`after=${end}`);
    expect(next.changes.map(({ id, cause }) => [id, cause])).toEqual([[cards[3], 'sale']]);
    expect(next).toMatchObject({ hasMore: false, nextCursor: '2026-06-21' });
    expect(await get('')).toEqual(next);
  });

  test('market=1 lists every price that a close changed, in pages of any size', async () => {
    const priced = cards.flatMap((id, at) =>
      at === 0 ? [[id, 'psa-10'] as const, [id, 'psa-9'] as const] : [[id, 'psa-10'] as const],
    );
    const changed: unknown[] = [];
    for (const day of ['2026-06-10', '2026-06-11', '2026-06-12'])
      for (const [id, gradeKey] of priced) {
        const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
        const pair = [await priceOn(db, id, before, gradeKey), await priceOn(db, id, day, gradeKey)];
        if (pair[0] !== pair[1]) changed.push([day, id, gradeKey, ...pair]);
      }
    const shown = ({ day, id, gradeToken, previousUsdCents, priceUsdCents }: Change) => [
      day,
      id,
      gradeToken,
      previousUsdCents,
      priceUsdCents,
    ];
    const all = await pages(100, '2026-06-09&market=1');
    const listed = all.changes.filter(({ day }) => day <= '2026-06-12');
    expect(listed.map(shown)).toEqual(changed);
    expect(new Set(listed.map(({ cause }) => cause))).toEqual(new Set(['sale', 'market']));
    for (const limit of [1, 3]) {
      const read: Change[] = [];
      for (let after = '2026-06-09', hasMore = true; hasMore; ) {
        const page = await get(`limit=${limit}&after=${after}&market=1`);
        read.push(...page.changes);
        ({ hasMore, nextCursor: after } = page);
      }
      expect(read).toEqual(all.changes);
    }
    expect(await get('after=2026-06-09&market=0')).toEqual(await get('after=2026-06-09'));
  });

  test('a card that is withdrawn loses its price on that day, has no other entries, and gets the price back with its return', async () => {
    const noted = (day: string, withdrawn: boolean) =>
      db.query('insert into item_withdrawals (item_id, withdrawn, noted_at) values ($1, $2, $3)', [
        cards[1],
        withdrawn,
        `${day}T23:59:59Z`,
      ]);
    const rowsOf = async (after: string) =>
      (await pages(1, after)).changes
        .filter(({ id }) => id === cards[1])
        .map(({ day, cause, previousUsdCents, priceUsdCents }) => [day, cause, previousUsdCents, priceUsdCents]);
    const [before, after] = [await priceOn(db, cards[1]!, '2026-06-16'), await priceOn(db, cards[1]!, '2026-06-19')];
    await db.query('alter table items disable trigger note_withdrawal');
    await db.query(`update items set removed_at = '2026-06-17T23:59:59Z' where id = $1`, [cards[1]]);
    await noted('2026-06-17', true);
    expect(await rowsOf('2026-06-09')).toEqual([['2026-06-17', 'withdrawn', before, null]]);
    await db.query('update items set removed_at = null where id = $1', [cards[1]]);
    await noted('2026-06-19', false);
    expect(await rowsOf('2026-06-12')).toEqual([
      ['2026-06-17', 'withdrawn', before, null],
      ['2026-06-19', 'catalog', null, after],
    ]);
  });

  test('prices follow each other in the list over a withdrawal, and over one that was taken back on its day', async () => {
    const [away, blink] = [cards[2]!, cards[3]!];
    for (const itemId of [away, blink]) await aSale(db, { itemId, sold: '2026-06-23', usdCents: 180_00 });
    await closeDays(db, '2026-06-26');
    const noted = [
      [away, true, '2026-06-22T10:00:00Z'],
      [away, false, '2026-06-25T10:00:00Z'],
      [blink, true, '2026-06-23T10:00:00Z'],
      [blink, false, '2026-06-23T11:00:00Z'],
      [blink, true, '2026-06-24T10:00:00Z'],
      [blink, false, '2026-06-24T11:00:00Z'],
    ];
    for (const row of noted)
      await db.query('insert into item_withdrawals (item_id, withdrawn, noted_at) values ($1, $2, $3)', row);
    await api.app.close();
    api = await testApp(db);
    const listed = (await pages(1, '2026-06-21')).changes
      .filter(({ id }) => id === away || id === blink)
      .map(({ day, id, cause, previousUsdCents, priceUsdCents }) => [day, id, cause, previousUsdCents, priceUsdCents]);
    const on = (id: string, day: string) => priceOn(db, id, day);
    expect(listed).toEqual([
      ['2026-06-22', away, 'withdrawn', await on(away, '2026-06-21'), null],
      ['2026-06-23', blink, 'sale', await on(blink, '2026-06-22'), await on(blink, '2026-06-23')],
      ['2026-06-25', away, 'catalog', null, await on(away, '2026-06-25')],
    ]);
  });

  test('market=1 also lists the days on which a card had a price whose sales were all voided since', async () => {
    const once = await anItem(db, { number: '99', name: 'Sold once' });
    const only = await aSale(db, { itemId: once, sold: '2026-06-27', usdCents: 120_00 });
    await aSale(db, { itemId: cards[3]!, sold: '2026-06-28', usdCents: 220_00 });
    await closeDays(db, '2026-06-29');
    await aVoid(db, only, 'unpaid', '2026-06-30');
    await closeDays(db, '2026-06-30');
    await api.app.close();
    api = await testApp(db);
    const { changes } = await pages(100, '2026-06-26&market=1');
    const prices = changes
      .filter(({ id }) => id === once)
      .map(({ previousUsdCents, priceUsdCents }) => [previousUsdCents, priceUsdCents]);
    expect(prices.length).toBeGreaterThan(2);
    expect(prices.map(([previous]) => previous)).toEqual([null, ...prices.slice(0, -1).map(([, price]) => price)]);
    expect(prices.at(-1)![1]).toBe(null);
  });

  test('anything else is not a cursor', async () => {
    for (const after of [
      '2026-02-30',
      'tomorrow',
      `2026-06-10.${cards[0]}x`,
      `2026-06-10_${cards[0]}`,
      '2026-06-10.',
    ]) {
      const { status, json } = await api.get(`/v1/changes?after=${after}`);
      expect([status, json.errors[0].code], after).toEqual([400, 'invalid_cursor']);
    }
  });
});

test('before the first close there is nothing to list', async () => {
  const empty = await freshDatabase();
  const fresh = await testApp(empty.db);
  expect((await fresh.get('/v1/changes')).status).toBe(404);
  await fresh.app.close();
  await empty.close();
});
