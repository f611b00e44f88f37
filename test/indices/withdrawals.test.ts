import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { auditIndex } from '../../src/indices/close/audit.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { rebuildIndex } from '../../src/indices/close/rebuild.ts';
import { basketAfter, publishedLevels, publishedRemovals, publishedRotations } from '../../src/indices/close/store.ts';
import { GAME_INDICES } from '../../src/indices/definitions.ts';
import { seriesKey } from '../../src/indices/method/basket.ts';
import { closedBasket } from '../../src/indices/rows.ts';
import { parseDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { withPricesFromLedger } from '../../src/pricing/store/from-ledger.ts';
import { FIRST_DAY } from '../pricing/ledger.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { closeThrough, everythingPublished, LAST_DAY, recordMarket } from './method/market.ts';

const pokemon = GAME_INDICES[0]!;
const JUNE = parseDay('2024-06-01')!;
const JULY = parseDay('2024-07-01')!;

async function withdraw(db: Db, ...itemIds: string[]): Promise<void> {
  await db.query('update items set removed_at = now() where id = any($1)', [itemIds]);
}

async function takeBack(db: Db, ...itemIds: string[]): Promise<void> {
  await db.query('update items set removed_at = null where id = any($1)', [itemIds]);
}

const chosenOn = async (db: Db, day: number) => (await basketAfter(db, 'pokemon', day))!.members.map((m) => m.itemId);

/** The members that the level of the last closed day was computed with. */
async function membersOn(db: Db, day: number): Promise<string[]> {
  const { members } = await closedBasket(db, (await basketAfter(db, 'pokemon', day))!, day);
  return members.map(({ itemId }) => itemId);
}

const removals = (db: Db) => publishedRemovals(db, 'pokemon', 0, LAST_DAY);

/** The rebuild, from the first day, from some of the last and from the sales alone, and the audit find nothing. */
async function expectReplayed({ db, connection }: FreshDatabase): Promise<void> {
  const before = await everythingPublished(db);
  const { lastDay, mistakes } = await db.session((session) => auditIndex(session, 'pokemon'));
  expect(mistakes).toEqual([]);
  for (const fromDay of [0, lastDay! - 40, lastDay! - 3, lastDay!])
    expect((await rebuildIndex(db, pokemon, { fromDay })).differences).toEqual([]);
  const replay = await withPricesFromLedger(db, connection, undefined, (source) =>
    rebuildIndex(db, pokemon, { source }),
  );
  expect(replay.differences).toEqual([]);
  expect(await everythingPublished(db)).toEqual(before);
}

describe('an index whose catalog withdraws cards', () => {
  let live: FreshDatabase;
  let db: Db;
  /** A member of May that would be one of June, and sold in the days after its withdrawal. */
  let gone: string;
  /** The same market without a withdrawal. */
  let undisturbed: FreshDatabase;
  beforeAll(async () => {
    [live, undisturbed] = [await freshDatabase(), await freshDatabase()];
    db = live.db;
    for (const one of [live, undisturbed]) await recordMarket(one.db);
    await closeThrough(undisturbed.db, LAST_DAY);
  });
  afterAll(async () => {
    await live.close();
    await undisturbed.close();
  });
  beforeEach(async () => {
    published = await publishedLevels(db, 'pokemon', 0, LAST_DAY);
  });
  let published: Awaited<ReturnType<typeof publishedLevels>>;
  const expectKept = async () =>
    expect((await publishedLevels(db, 'pokemon', 0, LAST_DAY)).slice(0, published.length)).toEqual(published);

  test('leaves one out from the next close on, without a jump; the days before keep it', async () => {
    const day = JUNE - 12;
    await closeThrough(db, day);
    published = await publishedLevels(db, 'pokemon', 0, day);
    const inJune = await chosenOn(undisturbed.db, JUNE);
    const soldAfter = await db.query<{ series: string }>(
      `select distinct item_id || '/' || grade_key as series from sales where sold_day between $1 and $2`,
      [day + 1, day + 4],
    );
    const sold = new Set(soldAfter.map(({ series }) => series));
    const { members } = (await basketAfter(db, 'pokemon', day))!;
    gone = members.find((one) => inJune.includes(one.itemId) && sold.has(seriesKey(one.itemId, one.gradeKey)))!.itemId;
    await withdraw(db, gone);
    expect(await membersOn(db, day)).toContain(gone);
    await closeThrough(db, day + 4);
    expect(await removals(db)).toMatchObject([
      { itemId: gone, day: day + 1, divisorBefore: published.at(-1)!.divisor },
    ]);
    for (let on = day + 1; on <= day + 4; on++) expect(await membersOn(db, on)).not.toContain(gone);
    expect(await membersOn(db, day)).toContain(gone);
    await expectKept();
    // The others at the prices of the day before, over the new divisor, are the level of the day before.
    const [removal] = await removals(db);
    const before = await closedBasket(db, (await basketAfter(db, 'pokemon', day))!, day);
    const others = before.members.filter(({ itemId }) => itemId !== gone);
    const value = Math.exp(others.reduce((sum, { priceUsd }) => sum + Math.log(priceUsd), 0) / others.length);
    expect(Math.abs(value / removal!.divisorAfter / before.level - 1)).toBeLessThan(1e-12);
  });

  test('counts none of its sales from then on', async () => {
    const [{ itemId, day, rotationDay } = { itemId: '', day: 0, rotationDay: 0 }] = await removals(db);
    const [member] = await db.query<{ grade_key: string }>(
      'select grade_key from index_members where rotation_day = $1 and item_id = $2',
      [rotationDay, itemId],
    );
    const sold = await db.query<{ day: number; n: number }>(
      `select sold_day as day, count(*)::int as n from sales s left join sale_uses u on u.sale_id = s.id
       where item_id = $1 and grade_key = $2 and coalesce(weight, 1) >= 0.25 and sold_day between $3 and $4 group by 1 order by 1`,
      [itemId, member!.grade_key, day - 30, day + 3],
    );
    const counted = async (one: FreshDatabase, on: number) =>
      (
        await one.db.query<{ n: number }>(
          `select sale_count as n from index_days where slug = 'pokemon' and day = $1`,
          [on],
        )
      )[0]?.n;
    const missing: [number, number][] = [];
    for (let on = day - 30; on <= day + 3; on++) {
      const [here, there] = [await counted(live, on), await counted(undisturbed, on)];
      if (here !== there) missing.push([on, there! - here!]);
    }
    expect(missing).toEqual(sold.filter((one) => one.day >= day).map((one) => [one.day, one.n]));
    expect(missing.length).toBeGreaterThan(0);
  });

  test('chooses none at a rotation: neither a member nor a newcomer that was withdrawn since the last close', async () => {
    await closeThrough(db, JUNE - 1);
    published = await publishedLevels(db, 'pokemon', 0, JUNE - 1);
    const standing = await membersOn(db, JUNE - 1);
    const wouldEnter = await chosenOn(undisturbed.db, JUNE);
    const member = standing.find((itemId) => wouldEnter.includes(itemId))!;
    const newcomer = wouldEnter.find((itemId) => !standing.includes(itemId) && itemId !== gone)!;
    await withdraw(db, member, newcomer);
    await closeThrough(db, JUNE);
    expect((await removals(db)).filter(({ day }) => day === JUNE)).toMatchObject([{ itemId: member }]);
    const chosen = await chosenOn(db, JUNE);
    expect([member, newcomer].filter((itemId) => chosen.includes(itemId))).toEqual([]);
    expect(chosen.length).toBeGreaterThanOrEqual(20);
    const [here] = await publishedRotations(db, 'pokemon', JUNE, JUNE);
    const [there] = await publishedRotations(undisturbed.db, 'pokemon', JUNE, JUNE);
    // Three are withdrawn by now.
    expect(here!.eligible).toBe(there!.eligible - 3);
    await expectKept();
  });

  test('keeps one that is back before a close has met its withdrawal', async () => {
    const day = JUNE + 5;
    await closeThrough(db, day);
    const [blink] = await membersOn(db, day);
    await withdraw(db, blink!);
    await takeBack(db, blink!);
    await closeThrough(db, day + 2);
    expect(await membersOn(db, day + 2)).toContain(blink);
    expect((await removals(db)).map(({ itemId }) => itemId)).not.toContain(blink);
    const noted = await db.query<{ withdrawn: boolean; close_day: number }>(
      'select withdrawn, close_day from item_withdrawals where item_id = $1 order by id',
      [blink],
    );
    expect(noted).toEqual([
      { withdrawn: true, close_day: day + 1 },
      { withdrawn: false, close_day: day + 1 },
    ]);
  });

  test('takes one that is back again at the rotation after, not before', async () => {
    const day = JUNE + 10;
    await closeThrough(db, day);
    const [back] = await membersOn(db, day);
    await withdraw(db, back!);
    await closeThrough(db, day + 3);
    await takeBack(db, back!);
    await closeThrough(db, JULY - 1);
    expect(await membersOn(db, JULY - 1)).not.toContain(back);
    await closeThrough(db, JULY + 1);
    expect(await membersOn(db, JULY + 1)).toContain(back);
  });

  test('is replayed with the same levels, whatever the catalog says now', async () => {
    await expectReplayed(live);
    await takeBack(db, ...(await removals(db)).map(({ itemId }) => itemId));
    await expectReplayed(live);
  });

  test('cannot have its withdrawals rewritten', async () => {
    for (const change of [
      'delete from item_withdrawals',
      'truncate item_withdrawals',
      'update item_withdrawals set close_day = close_day - 1 where close_day is not null',
      'update item_withdrawals set close_day = null where close_day is not null',
      'update item_withdrawals set withdrawn = not withdrawn where close_day is null',
    ])
      await expect(db.query(change), change).rejects.toThrow(/append-only/);
  });
});

describe('an index whose catalog withdraws nearly all cards', () => {
  let fresh: FreshDatabase;
  let db: Db;
  const day = JUNE - 5;
  beforeAll(async () => {
    fresh = await freshDatabase();
    db = fresh.db;
    await recordMarket(db);
    await closeThrough(db, day);
  });
  afterAll(() => fresh.close());

  test('goes on with the members left, and skips the rotations that find too few', async () => {
    const stay = (await membersOn(db, day)).slice(0, 2);
    const others = await db.query<{ id: string }>('select id from items where id <> all($1)', [stay]);
    await withdraw(db, ...others.map(({ id }) => id));
    await closeThrough(db, JUNE + 3);
    expect(await membersOn(db, JUNE + 3)).toEqual(stay);
    const [skipped] = await publishedRotations(db, 'pokemon', JUNE, JUNE);
    expect(skipped).toMatchObject({ basket: null, eligible: 2 });
    expect((await publishedLevels(db, 'pokemon', JUNE + 3, JUNE + 3)).length).toBe(1);
  });

  test('keeps its level while no member is left', async () => {
    const [before] = await publishedLevels(db, 'pokemon', JUNE + 3, JUNE + 3);
    await withdraw(db, ...(await membersOn(db, JUNE + 3)));
    await closeThrough(db, JULY + 3);
    expect(await membersOn(db, JULY + 3)).toEqual([]);
    const after = await publishedLevels(db, 'pokemon', JUNE + 4, JULY + 3);
    expect(after.length).toBe(30);
    for (const { level } of after) expect(Math.abs(level / before!.level - 1)).toBeLessThan(1e-12);
  });

  test('chooses again once enough are back, from the level it had', async () => {
    const all = await db.query<{ id: string }>('select id from items');
    await takeBack(db, ...all.map(({ id }) => id));
    await closeThrough(db, LAST_DAY);
    const [august] = await publishedRotations(db, 'pokemon', JULY + 31, JULY + 31);
    expect(august!.basket!.members.length).toBeGreaterThanOrEqual(20);
    const [before] = await publishedLevels(db, 'pokemon', JULY + 3, JULY + 3);
    expect(Math.abs(august!.level! / before!.level - 1)).toBeLessThan(1e-12);
    await expectReplayed(fresh);
  });
});

test('closers at once, and withdrawals while they close, publish what a rebuild finds', async () => {
  const fresh = await freshDatabase();
  const { db } = fresh;
  await recordMarket(db);
  await closeThrough(db, JUNE - 10);
  const [first, second, ...others] = await membersOn(db, JUNE - 10);
  await withdraw(db, first!, second!);
  await reprice(db, { through: LAST_DAY });
  const reports = await Promise.all([
    ...[LAST_DAY, JUNE, LAST_DAY].map((through) => closeIndices(db, { through })),
    ...others.slice(0, 3).map((itemId) => withdraw(db, itemId)),
    takeBack(db, second!),
  ]);
  const published = await publishedLevels(db, 'pokemon', JUNE - 9, LAST_DAY);
  expect(reports.reduce((sum, one) => sum + (one?.levels ?? 0), 0)).toBe(published.length);
  expect(published.length).toBe(LAST_DAY - JUNE + 10);
  await expectReplayed(fresh);
  await fresh.close();
});

test('an index that is closed for the first time leaves out what is withdrawn by then on all its days', async () => {
  const { db, close } = await freshDatabase();
  await recordMarket(db);
  const [gone] = await db.query<{ id: string }>(
    'select item_id as id from sales group by 1 order by count(*) desc, 1 limit 1',
  );
  await withdraw(db, gone!.id);
  await closeThrough(db, LAST_DAY);
  const was = await db.query('select from index_members where item_id = $1', [gone!.id]);
  expect(was).toEqual([]);
  expect((await publishedRotations(db, 'pokemon', 0, LAST_DAY)).some(({ basket }) => basket !== null)).toBe(true);
  expect((await db.session((session) => auditIndex(session, 'pokemon'))).mistakes).toEqual([]);
  await close();
});

test('an item that was withdrawn before withdrawals were stored leaves at the next close', async () => {
  const { db, close } = await freshDatabase();
  await recordMarket(db, 160);
  const day = FIRST_DAY + 120;
  await closeThrough(db, day);
  const [gone] = await membersOn(db, day);
  // As an earlier release left it: without a row of the withdrawal.
  await db.query('alter table items disable trigger note_withdrawal');
  await withdraw(db, gone!);
  await db.query('alter table items enable trigger note_withdrawal');
  const migration = await readFile(new URL('../../migrations/0027_item_withdrawals.sql', import.meta.url), 'utf8');
  await db.query(/^insert into item_withdrawals[^;]+;/m.exec(migration)![0]);
  await closeThrough(db, day + 2);
  expect(await removals(db)).toMatchObject([{ itemId: gone, day: day + 1 }]);
  await close();
});
