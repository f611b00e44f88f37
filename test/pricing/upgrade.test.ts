import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, openDb } from '../../src/db/client.ts';
import { withLock } from '../../src/db/locks.ts';
import { MODEL_VERSION } from '../../src/pricing/model/params.ts';
import { dailyLine } from '../../src/pricing/read/item-prices.ts';
import { quotesOf } from '../../src/pricing/read/quotes.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { schemaOf } from '../../src/pricing/store/past-versions.ts';
import { upgradePrices } from '../../src/pricing/upgrade.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { dumpSchema } from '../support/database/schema-dump.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from './ledger.ts';
import { syntheticMarket } from './model/synthetic-market.ts';
import { everythingStored } from './stored.ts';
import { waiting } from './waiting.ts';

const market = syntheticMarket({ seed: 5, days: 60, cards: 30, sales: 1500 });
const SWITCH = FIRST_DAY + 39;
const LAST_DAY = FIRST_DAY + 59;
const card = itemIdOf(market[0]!.card);

const clock = () => 0;
const open: FreshDatabase[] = [];
async function ledger(): Promise<Db> {
  const fresh = await freshDatabase();
  open.push(fresh);
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  return fresh.db;
}
let whole: Db;
beforeAll(async () => {
  whole = await ledger();
  await reprice(whole, { through: LAST_DAY, clock });
});
afterAll(async () => {
  for (const fresh of open) await fresh.close();
});

/** Prices through `SWITCH` as another version has published them: every market a tenth higher. */
async function ofVersion2(): Promise<Db> {
  const db = await ledger();
  await reprice(db, { through: SWITCH });
  await db.query(`update model_state set version = '2'`);
  await db.query('update market_days set level = level + 0.1');
  return db;
}

test('prices of this version, or none, stay as they are', async () => {
  const before = await everythingStored(whole);
  expect(await upgradePrices(whole)).toBeNull();
  expect(await everythingStored(whole)).toEqual(before);
  expect(await upgradePrices(await ledger())).toBeNull();
});

test('prices of an earlier version are closed by nothing but an upgrade', async () => {
  const db = await ofVersion2();
  await expect(reprice(db, { through: LAST_DAY })).rejects.toThrow(`version 2 of the model, not ${MODEL_VERSION}`);
});

test('after an upgrade prices are what this version alone would have computed, in the same tables', async () => {
  const db = await ofVersion2();
  const schema = await dumpSchema(db);
  const seen: number[] = [];
  expect(await upgradePrices(db, ({ sales }) => seen.push(sales))).toMatchObject({ version: '2', untilDay: SWITCH });
  const closed = await db.query('select 1 from sales where greatest(known_day, sold_day) <= $1', [SWITCH]);
  expect(seen.at(-1)).toBe(closed.length);
  expect(await dumpSchema(db)).toEqual(schema);
  await reprice(db, { through: LAST_DAY, clock });
  expect(await everythingStored(db)).toEqual(await everythingStored(whole));
  expect(await quotesOf(db, [card])).toEqual(await quotesOf(whole, [card]));
  expect(await upgradePrices(db)).toBeNull();
});

test('the daily line keeps what each version published, with its name, in memory too', async () => {
  const db = await ofVersion2();
  const [quote] = (await quotesOf(db, [card])).get(card)!;
  const line = (sql: Parameters<typeof dailyLine>[0]) => dailyLine(sql, card, quote!.gradeKey, FIRST_DAY, LAST_DAY);
  const published = await line(db);
  await upgradePrices(db);
  await reprice(db, { through: LAST_DAY, clock });
  const expected = [
    ...published.map((point) => ({ ...point, version: '2' })),
    ...(await line(whole)).filter(({ day }) => day > SWITCH),
  ];
  expect(expected.filter(({ usdCents }) => usdCents !== null).length).toBeGreaterThan(30);
  expect(await line(db)).toEqual(expected);
  const withMemory = { ...db, prices: {} };
  for (let i = 0; i < 2; i++) expect(await line(withMemory)).toEqual(expected);
});

test('a day that an older program closes during the replay is computed again too', async () => {
  const db = await ofVersion2();
  const older = openDb({ connection: db.connection, poolSize: 4 });
  const named = (version: string) => async () => {
    await older.session((session) =>
      withLock(session, 'reprice', () => session.query('update model_state set version = $1', [version])),
    );
  };
  // The replay is first in the queue, then the close of the older program, and then the exchange of the tables.
  const olderClose = [named(MODEL_VERSION), () => reprice(older, { through: SWITCH + 3 }), named('2')];
  const { upgrade, closing } = await db.session((session) =>
    withLock(session, 'reprice', async () => {
      const upgrade = upgradePrices(db);
      await waiting(db, 1);
      const closing: Promise<unknown>[] = [];
      for (const step of olderClose) {
        closing.push(step());
        await waiting(db, 1 + closing.length);
      }
      return { upgrade, closing };
    }),
  );
  await Promise.all(closing);
  await older.close();
  expect(await upgrade).toMatchObject({ version: '2', untilDay: SWITCH + 3 });
  await reprice(db, { through: LAST_DAY, clock });
  expect(await everythingStored(db)).toEqual(await everythingStored(whole));
});

test('reads go on while the exchange of the tables waits for a backup', async () => {
  const db = await ofVersion2();
  const server = openDb({ connection: db.connection, poolSize: 2, statementWithinMs: 1_500 });
  const lockAwaited = () => db.query(`select 1 from pg_locks where not granted and relation = 'market_days'::regclass`);
  let upgrade: Promise<unknown> | undefined;
  await server.transaction(async (backup) => {
    await backup.query('lock table market_days in access share mode');
    upgrade = upgradePrices(db);
    await expect.poll(lockAwaited, { timeout: 20_000, interval: 20 }).toHaveLength(1);
    for (let i = 0; i < 10; i++) expect((await quotesOf(server, [card])).size).toBe(1);
  });
  expect(await upgrade).toMatchObject({ version: '2' });
  await server.close();
});

test('an upgrade that is cut off changes nothing, and the next one is whole', async () => {
  const db = await ofVersion2();
  const before = await everythingStored(db);
  await db.query(`create schema ${schemaOf({ version: '2', run: 1 })}`);
  await expect(upgradePrices(db)).rejects.toThrow('already exists');
  expect(await everythingStored(db)).toEqual(before);
  await db.query(`drop schema ${schemaOf({ version: '2', run: 1 })}`);
  expect(await upgradePrices(db)).toMatchObject({ version: '2', untilDay: SWITCH });
});

test('a server that has the prices of the earlier version in memory reads those of the newer one', async () => {
  const db = await ofVersion2();
  const server = { ...db, prices: {} };
  const before = await quotesOf(server, [card]);
  await upgradePrices(db);
  const after = await quotesOf(server, [card]);
  expect(after).toEqual(await quotesOf(db, [card]));
  expect(after).not.toEqual(before);
});
