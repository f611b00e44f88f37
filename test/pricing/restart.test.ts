import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { withLock } from '../../src/db/locks.ts';
import { correctionsPage } from '../../src/items/corrections/corrections-page.ts';
import { formatDay } from '../../src/lib/day.ts';
import { dailyLine, readItemPrices } from '../../src/pricing/read/item-prices.ts';
import { quotesAsOf, quotesOf } from '../../src/pricing/read/quotes.ts';
import { dayOfRecord, linesOfDay } from '../../src/pricing/record/read-record.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { planRestart, restartPrices } from '../../src/pricing/restart.ts';
import { type DayLine, lineText } from '../../src/record/day-line.ts';
import { leafHash, rootOf, treeOf } from '../../src/record/merkle.ts';
import { verifyReceipt } from '../../src/record/verify.ts';
import { firstCloses } from '../../src/sales/import/first-closes.ts';
import { testApp } from '../support/app.ts';
import { aVoid } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { dumpSchema } from '../support/database/schema-dump.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from './ledger.ts';
import { syntheticMarket } from './model/synthetic-market.ts';
import { everythingStored } from './stored.ts';
import { waiting } from './waiting.ts';

const market = syntheticMarket({ seed: 6, days: 70, cards: 24, sales: 1400 });
/** The first file has sales from this day on; the days before it come with a later one. */
const FIRST_FILE = 30;
const [NEWER, OLDER] = [(day: number) => day >= FIRST_FILE, (day: number) => day < FIRST_FILE];
const FIRST_CLOSED = FIRST_DAY + FIRST_FILE;
/** Closed when the older file came, and when prices begin anew. */
const [AT_OLDER, SWITCH, LAST_DAY] = [FIRST_DAY + 49, FIRST_DAY + 54, FIRST_DAY + 69];
const cards = [...new Set(market.map(({ card }) => itemIdOf(card)))].sort();

const clock = () => 0;
const open: FreshDatabase[] = [];
afterAll(async () => {
  for (const fresh of open) await fresh.close();
});

const salesOf = (isIn: (day: number) => boolean) => market.filter(({ day }) => isIn(day));

/** A ledger into which the older sales come second; `between` runs before they do. */
async function ledger(between: (db: Db) => Promise<unknown> = async () => {}): Promise<Db> {
  const fresh = await freshDatabase();
  open.push(fresh);
  const { db } = fresh;
  await catalogCards(db, market);
  await recordSales(db, salesOf(NEWER));
  await between(db);
  await recordSales(db, salesOf(OLDER));
  // One of each file was canceled later.
  for (const isIn of [NEWER, OLDER]) {
    const { day, card } = salesOf(isIn).find((sale) => sale.gradeKey === 'psa-10')!;
    const [sale] = await db.query<{ id: number }>(
      'select id from sales where sold_day = $1 and item_id = $2 order by id limit 1',
      [FIRST_DAY + day, itemIdOf(card)],
    );
    await aVoid(db, sale!.id, 'unpaid', formatDay(AT_OLDER + 2));
  }
  return db;
}

async function published(): Promise<Db> {
  const db = await ledger((one) => reprice(one, { through: AT_OLDER, clock }));
  await reprice(db, { through: SWITCH, clock });
  return db;
}

let whole: Db;
beforeAll(async () => {
  whole = await ledger();
  await reprice(whole, { through: LAST_DAY, clock });
});

const lines = async (sql: Parameters<typeof dailyLine>[0], from: number, to: number) => {
  const all = [];
  for (const card of cards) all.push(...(await dailyLine(sql, card, 'psa-10', from, to)));
  return all;
};
const priced = (points: Awaited<ReturnType<typeof lines>>) => points.filter(({ usdCents }) => usdCents !== null);

describe('prices from the first sale', () => {
  test('are those of a fresh installation with the same ledger, then and after further closes, in the same tables', async () => {
    const db = await published();
    const schema = await dumpSchema(db);
    const past = await restartPrices(db);
    expect(past).toEqual({ version: '3', run: 1, fromDay: FIRST_CLOSED, untilDay: SWITCH });
    expect(await dumpSchema(db)).toEqual(schema);
    const atSwitch = await ledger();
    await reprice(atSwitch, { through: SWITCH, clock });
    expect(await everythingStored(db)).toEqual(await everythingStored(atSwitch));
    await reprice(db, { through: LAST_DAY, clock });
    expect(await everythingStored(db)).toEqual(await everythingStored(whole));
    expect(await quotesOf(db, cards)).toEqual(await quotesOf(whole, cards));
  });

  test('leave every published day as it was; days before the first one get prices, later ones follow', async () => {
    const db = await published();
    expect(priced(await lines(db, FIRST_DAY, FIRST_CLOSED - 1))).toEqual([]);
    const before = await lines(db, FIRST_CLOSED, SWITCH);
    expect(await lines(whole, FIRST_CLOSED, SWITCH)).not.toEqual(before);
    await restartPrices(db);
    await reprice(db, { through: LAST_DAY, clock });
    const withMemory = { ...db, prices: {} };
    for (const sql of [db, withMemory, withMemory]) {
      expect(await lines(sql, FIRST_CLOSED, SWITCH)).toEqual(before);
      const history = await lines(sql, FIRST_DAY, FIRST_CLOSED - 1);
      expect(priced(history).length).toBeGreaterThan(100);
      expect(history).toEqual(await lines(whole, FIRST_DAY, FIRST_CLOSED - 1));
      expect(await lines(sql, SWITCH + 1, LAST_DAY)).toEqual(await lines(whole, SWITCH + 1, LAST_DAY));
    }
  });

  test('keep every receipt and file of the record; the next close begins with everything in force', async () => {
    const db = await published();
    const service = await testApp(db);
    const made = new Map<string, string>();
    for (const day of [FIRST_CLOSED, AT_OLDER, AT_OLDER + 1, SWITCH])
      for (const [card, quotes] of await quotesAsOf(db, cards.slice(0, 8), day))
        for (const { gradeKey } of quotes) {
          const path = `/v1/receipts/${card}/${gradeKey}/${formatDay(day)}`;
          const { status, text } = await service.get(path);
          if (status === 200) made.set(path, text);
        }
    expect(made.size).toBeGreaterThan(40);
    const hasRecord = async (card: string) => (await readItemPrices(db, card)).recordedAtMs !== null;
    const [card] = cards;
    expect(await hasRecord(card!)).toBe(true);

    await restartPrices(db);
    // The record of the last closed day has the price that it published, not the one of now.
    expect(await hasRecord(card!)).toBe(false);
    await reprice(db, { through: LAST_DAY, clock });
    expect(await hasRecord(card!)).toBe(true);
    for (const [path, text] of made) {
      expect((await service.get(path)).text).toBe(text);
      expect(verifyReceipt(text, null)).toMatchObject({ isVerified: true, isMatch: true });
    }
    const bases: number[] = [];
    for (let day = FIRST_CLOSED; day <= LAST_DAY; day++) {
      const recorded = (await dayOfRecord(db, day))!;
      const found: DayLine[] = [];
      for await (const line of linesOfDay(db, recorded)) found.push(line);
      expect(rootOf(treeOf(found.map((line) => leafHash(lineText(line)))))).toEqual(recorded.root);
      if (recorded.base) bases.push(day);
    }
    expect(bases).toEqual([FIRST_CLOSED, SWITCH + 1]);
    for (const day of [SWITCH + 1, LAST_DAY])
      for (const { gradeKey } of (await quotesAsOf(db, [card!], day)).get(card!)!) {
        const { text } = await service.get(`/v1/receipts/${card}/${gradeKey}/${formatDay(day)}`);
        expect(verifyReceipt(text, null)).toMatchObject({ isVerified: true, isMatch: true });
      }
    // A day that no close published has a price, and no receipt.
    const { status } = await service.get(`/v1/receipts/${card}/psa-10/${formatDay(FIRST_CLOSED - 1)}`);
    expect(status).toBe(404);
    await service.app.close();
  });

  test('may begin anew once more: each line stays what it was, and the first published day too', async () => {
    const db = await published();
    await restartPrices(db);
    await reprice(db, { through: SWITCH + 5, clock });
    const before = await lines(db, FIRST_DAY, SWITCH + 5);
    await recordSales(db, [{ ...market.find(({ gradeKey }) => gradeKey === 'psa-10')!, day: -20 }]);
    expect(await restartPrices(db)).toMatchObject({ run: 2, fromDay: FIRST_DAY, untilDay: SWITCH + 5 });
    await reprice(db, { through: LAST_DAY, clock });
    expect(await lines(db, FIRST_DAY, SWITCH + 5)).toEqual(before);
    expect(priced(await lines(db, FIRST_DAY - 20, FIRST_DAY - 1)).length).toBeGreaterThan(0);
    expect(new Set((await firstCloses(db)).values())).toEqual(new Set([FIRST_CLOSED]));
    const context = { db, fingerprint: () => Buffer.alloc(32) };
    const { corrections } = await correctionsPage(context, { item: null, limit: 50 });
    expect(corrections.filter(({ cause }) => cause === 'model')).toMatchObject([
      { id: 'model-3-2', fromDay: formatDay(FIRST_DAY), toDay: formatDay(SWITCH + 5) },
      {
        id: 'model-3',
        fromDay: formatDay(FIRST_CLOSED),
        toDay: formatDay(SWITCH),
        note: expect.stringContaining('from the first sale'),
      },
    ]);
  });
});

test('a day that a worker closes during the replay is computed again too', async () => {
  const db = await published();
  // The replay is first in the queue, then the worker, and then the exchange of the tables.
  const { replay, closing } = await db.session((session) =>
    withLock(session, 'reprice', async () => {
      const replay = restartPrices(db);
      await waiting(db, 1);
      const closing = reprice(db, { through: SWITCH + 3, clock });
      await waiting(db, 2);
      return { replay, closing };
    }),
  );
  expect(await closing).toMatchObject({ days: 3 });
  expect(await replay).toMatchObject({ untilDay: SWITCH + 3 });
  await reprice(db, { through: LAST_DAY, clock });
  expect(await everythingStored(db)).toEqual(await everythingStored(whole));
});

test('a server that has the prices in memory reads the new ones', async () => {
  const db = await published();
  const server = { ...db, prices: {} };
  const before = await quotesOf(server, cards);
  await restartPrices(db);
  const after = await quotesOf(server, cards);
  expect(after).toEqual(await quotesOf(db, cards));
  expect(after).not.toEqual(before);
});

test('a read as of a day that the exchange of the tables comes into has what was published', async () => {
  const db = await published();
  const before = await quotesAsOf(db, cards, SWITCH);
  let isDue = true;
  const exchanged: Db = {
    ...db,
    prepared: async (name, text, values) => {
      if (isDue && name === 'pricing_rows_as_of') {
        isDue = false;
        await restartPrices(db);
      }
      return await db.prepared(name, text, values);
    },
  };
  expect(await quotesAsOf(exchanged, cards, SWITCH)).toEqual(before);
  expect(isDue).toBe(false);
});

test('cut off, it changes nothing, and the next one is whole', async () => {
  const db = await published();
  const before = await everythingStored(db);
  await db.query('create schema prices_v3');
  await expect(restartPrices(db)).rejects.toThrow('already exists');
  expect(await everythingStored(db)).toEqual(before);
  await db.query('drop schema prices_v3');
  expect(await restartPrices(db)).toMatchObject({ run: 1 });
});

test('the plan counts the sales that became known after the close of their day; afterwards there are none', async () => {
  const db = await ledger((one) => reprice(one, { through: AT_OLDER, clock }));
  const older = salesOf(OLDER).length;
  const due = market.filter(({ day }) => FIRST_DAY + day <= AT_OLDER).length;
  const plan = { sales: due, older, firstDay: FIRST_DAY, pricedFrom: FIRST_CLOSED, closedDay: AT_OLDER };
  expect(await planRestart(db)).toEqual(plan);
  await reprice(db, { through: SWITCH, clock });
  expect(await planRestart(db)).toMatchObject({ older, closedDay: SWITCH });
  await restartPrices(db);
  expect(await planRestart(db)).toMatchObject({ older: 0, pricedFrom: FIRST_DAY });
});

test('before the first close there is nothing to compute again', async () => {
  const db = await ledger();
  expect(await planRestart(db)).toBeNull();
  expect(await restartPrices(db)).toBeNull();
});
