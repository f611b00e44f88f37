import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb } from '../../src/db/client.ts';
import { CannotReopen, reopenDays } from '../../src/indices/close/reopen.ts';
import { basketAfter } from '../../src/indices/close/store.ts';
import { formatDay } from '../../src/lib/day.ts';
import { FIRST_DAY, itemIdOf, recordSales } from '../pricing/ledger.ts';
import { everythingStored } from '../pricing/stored.ts';
import { aSale, aVoid } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { closeThrough, everythingPublished, market, recordMarket } from './method/market.ts';

const SPLIT = 130;
const LAST = FIRST_DAY + SPLIT - 1;
let stepped: FreshDatabase;
let undisturbed: FreshDatabase;

const everything = async ({ db }: FreshDatabase) => ({
  ...(await everythingStored(db)),
  ...(await everythingPublished(db)),
});

beforeAll(async () => {
  [stepped, undisturbed] = [await freshDatabase(), await freshDatabase()];
  for (const { db } of [stepped, undisturbed]) {
    await recordMarket(db, SPLIT);
    // One sale arrives late, so that what closes noted of it counts as well.
    await closeThrough(db, LAST - 20);
    await recordSales(db, market.filter(({ day }) => day === SPLIT - 40).slice(0, 1), SPLIT - 19);
    await closeThrough(db, LAST);
  }
});
afterAll(async () => {
  await stepped.close();
  await undisturbed.close();
});

test('days that a wrong clock closed are open again, to the last byte as if they had never closed', async () => {
  const before = await everything(stepped);
  // Over month ends and rotations, which change curves and baskets without a sale.
  await closeThrough(stepped.db, LAST + 50);
  const { members } = (await basketAfter(stepped.db, 'pokemon', LAST))!;
  const withdraw = ({ db }: FreshDatabase) =>
    db.query('update items set removed_at = now() where id = $1', [members[0]!.itemId]);
  await withdraw(stepped);
  await closeThrough(stepped.db, LAST + 100);
  expect(await everything(stepped)).not.toEqual(before);
  expect(await reopenDays(stepped.db, stepped.connection, LAST)).toBe(100);
  expect(await everything(stepped)).toEqual(before);
  expect(await reopenDays(stepped.db, stepped.connection, LAST)).toBe(0);
  // The withdrawal waits for the next close again, which is an earlier day now.
  await withdraw(undisturbed);
  for (const fresh of [stepped, undisturbed]) {
    await recordSales(
      fresh.db,
      market.filter(({ day }) => day >= SPLIT && day < SPLIT + 40),
    );
    await closeThrough(fresh.db, LAST + 40);
  }
  expect(await everything(stepped)).toEqual(await everything(undisturbed));
  const left = await stepped.db.query('select day from index_removals where item_id = $1', [members[0]!.itemId]);
  expect(left).toEqual([{ day: LAST + 1 }]);
  await expect(stepped.db.query('delete from index_levels')).rejects.toThrow('append-only');
  await expect(stepped.db.query('update item_withdrawals set close_day = 1')).rejects.toThrow('append-only');
});

test('days with a sale or a void stay closed, and none before the first', async () => {
  const { db, connection } = stepped;
  const before = await everything(stepped);
  const rejection = (day: number) =>
    reopenDays(db, connection, day).then(
      () => 'reopened',
      (error) => {
        expect(error).toBeInstanceOf(CannotReopen);
        return error.message;
      },
    );
  expect(await rejection(LAST + 39)).toContain(`${formatDay(LAST + 40)} has sales and stays closed`);
  expect(await rejection(FIRST_DAY - 5)).toMatch(/^No day before \S+ was closed\.$/);
  expect(await everything(stepped)).toEqual(before);
  const [sale] = await db.query<{ id: number }>('select max(id) as id from sales');
  await aVoid(db, sale!.id, 'unpaid', formatDay(LAST + 43));
  await closeThrough(db, LAST + 50);
  expect(await rejection(LAST + 42)).toContain(`${formatDay(LAST + 43)} has sales and stays closed`);
  expect(await reopenDays(db, connection, LAST + 43)).toBe(7);
  // A sale of a closed day that was rejected has its place in the record too.
  await aSale(db, { itemId: itemIdOf(market[0]!.card), sold: formatDay(LAST), rejection: 'lot' });
  await closeThrough(db, LAST + 50);
  expect(await rejection(LAST + 43)).toContain(`${formatDay(LAST + 44)} has sales and stays closed`);
  expect(await reopenDays(db, connection, LAST + 44)).toBe(6);
});

test('days stay closed while a process serves them from memory', async () => {
  const { db, connection } = stepped;
  await closeThrough(db, LAST + 60);
  const before = await everything(stepped);
  const serving = openDb({ connection, poolSize: 1 });
  await serving.listen('prices', () => {});
  await expect(reopenDays(db, connection, LAST + 50)).rejects.toThrow('Stop every serve and worker first');
  expect(await everything(stepped)).toEqual(before);
  await serving.close();
  await expect.poll(() => reopenDays(db, connection, LAST + 50).catch((error) => error.message)).toBe(10);
});

test('prices that cannot be computed again are left as they were published', async () => {
  const { db, connection } = undisturbed;
  await closeThrough(db, LAST + 60);
  await db.query('update market_days set level = level + 1e-9 where day = $1', [FIRST_DAY + 50]);
  const before = await everything(undisturbed);
  await expect(reopenDays(db, connection, LAST + 50)).rejects.toThrow(/cannot be computed again/);
  expect(await everything(undisturbed)).toEqual(before);
});
