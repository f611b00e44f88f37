import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditIndex } from '../../src/indices/close/audit.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { rebuildIndex } from '../../src/indices/close/rebuild.ts';
import { GAME_INDICES } from '../../src/indices/definitions.ts';
import { isRotationDay } from '../../src/indices/method/basket.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { withPricesFromLedger } from '../../src/pricing/store/from-ledger.ts';
import { upgradePrices } from '../../src/pricing/upgrade.ts';
import { FIRST_DAY } from '../pricing/ledger.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { closeThrough, recordMarket } from './method/market.ts';

const pokemon = GAME_INDICES[0]!;
/** In the middle of a month, between two rotations. */
const SWITCH = FIRST_DAY + 135;

const ROTATION = Array.from({ length: 40 }, (_, i) => SWITCH - i).find(isRotationDay)!;
/** Levels of the basket in force at the switch, through the last day. */
const SINCE_ROTATION = SWITCH + 14 - ROTATION;

let fresh: FreshDatabase;
let alone: FreshDatabase;
beforeAll(async () => {
  [fresh, alone] = [await freshDatabase(), await freshDatabase()];
  for (const { db } of [fresh, alone]) {
    await recordMarket(db, 150);
    await reprice(db, { through: SWITCH });
  }
  // The earlier version had every market rise faster.
  await fresh.db.query(`update model_state set version = '2'`);
  await fresh.db.query('update market_days set level = level + 0.001 * (day - $1)', [FIRST_DAY]);
  for (const { db } of [fresh, alone]) await closeIndices(db, { through: SWITCH });
});
afterAll(async () => {
  await fresh.close();
  await alone.close();
});

async function levels({ db }: FreshDatabase): Promise<Map<number, number>> {
  const rows = await db.query<{ day: number; level: number }>(
    `select day, level from index_levels where slug = 'pokemon'`,
  );
  return new Map(rows.map(({ day, level }) => [day, level]));
}

test('a newer version of the price model does not move an index: it goes on from its last level, as that version has it move', async () => {
  const { db } = fresh;
  const before = await levels(fresh);
  expect(before.size).toBeGreaterThan(30);
  expect(await upgradePrices(db)).toMatchObject({ version: '2', untilDay: SWITCH });
  await closeThrough(db, SWITCH + 14);
  await closeThrough(alone.db, SWITCH + 14);
  const [after, expected] = [await levels(fresh), await levels(alone)];
  for (const [day, level] of before) expect(after.get(day)).toBe(level);
  expect(after.get(SWITCH)).toBeGreaterThan(1.02 * expected.get(SWITCH)!);
  const since = (all: ReadonlyMap<number, number>, day: number) => all.get(day)! / all.get(SWITCH)!;
  // Without the link it would fall by a tenth. A member that jumps may be held in the one and not in the other: half a percent.
  for (let day = SWITCH + 1; day <= SWITCH + 14 && !isRotationDay(day); day++)
    expect(Math.abs(since(after, day) - since(expected, day))).toBeLessThan(0.01);
});

test('its chain has no mistake afterwards, and the days of the newer version are computed again alike', async () => {
  const { db } = fresh;
  const { mistakes } = await db.session((session) => auditIndex(session, 'pokemon'));
  expect(mistakes).toEqual([]);
  // Also where all of it is asked for: before the basket of the switch, what the earlier version published stays as it is.
  for (const options of [{ fromDay: SWITCH }, { fromDay: FIRST_DAY }, {}]) {
    const { levels, differences } = await rebuildIndex(db, pokemon, options);
    expect(differences).toEqual([]);
    expect(levels).toBe(SINCE_ROTATION);
  }
});

test('they are computed alike from the ledger, also where the stored prices have been damaged', async () => {
  const { db, connection } = fresh;
  await db.query('update market_days set level = level + 0.01 where day = $1', [SWITCH + 7]);
  const [difference] = (await rebuildIndex(db, pokemon, {})).differences;
  expect(difference).toMatchObject({ day: SWITCH + 7, what: 'level' });
  const replayed = await withPricesFromLedger(db, connection, undefined, (source) =>
    rebuildIndex(db, pokemon, { source }),
  );
  expect(replayed).toMatchObject({ levels: SINCE_ROTATION, differences: [] });
});
