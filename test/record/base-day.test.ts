import { afterAll, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { dayOfRecord, linesOfDay } from '../../src/pricing/record/read-record.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { upgradePrices } from '../../src/pricing/upgrade.ts';
import { type DayLine, lineText } from '../../src/record/day-line.ts';
import { leafHash, rootOf, treeOf } from '../../src/record/merkle.ts';
import { catalogCards, FIRST_DAY, recordSales } from '../pricing/ledger.ts';
import { syntheticMarket } from '../pricing/model/synthetic-market.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const market = syntheticMarket({ seed: 5, days: 60, cards: 30, sales: 700 });
const SWITCH = FIRST_DAY + 39;
const LAST_DAY = FIRST_DAY + 59;

const open: FreshDatabase[] = [];
afterAll(async () => {
  for (const fresh of open) await fresh.close();
});

async function closedThrough(day: number): Promise<Db> {
  const fresh = await freshDatabase();
  open.push(fresh);
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  await reprice(fresh.db, { through: day });
  return fresh.db;
}

async function linesOn(db: Db, day: number): Promise<DayLine[]> {
  const lines: DayLine[] = [];
  for await (const line of linesOfDay(db, (await dayOfRecord(db, day))!)) lines.push(line);
  return lines;
}

async function expectRoots(db: Db, fromDay: number): Promise<void> {
  for (let day = fromDay; day <= LAST_DAY; day++) {
    const leaves = (await linesOn(db, day)).map((line) => leafHash(lineText(line)));
    expect(rootOf(treeOf(leaves))).toEqual((await dayOfRecord(db, day))!.root);
  }
}

/** Cards and curves in force, which later lines replace. */
const inForce = (lines: readonly DayLine[]) => {
  const found = new Map<string, string>();
  for (const line of lines) {
    if (line.k === 'snapshot') found.set(line.item, JSON.stringify([line.day, line.grades, line.state]));
    if (line.k === 'curve') found.set(`${line.game} ${line.set}`, lineText(line));
  }
  return [...found].sort();
};

test('a record that begins in the middle begins with everything in force', async () => {
  const db = await closedThrough(SWITCH);
  const before: DayLine[] = [];
  for (let day = FIRST_DAY; day <= SWITCH; day++) before.push(...(await linesOn(db, day)));
  await db.query('delete from record_days');
  await reprice(db, { through: LAST_DAY });
  await expectRoots(db, SWITCH + 1);
  const [header, ...first] = await linesOn(db, SWITCH + 1);
  expect(header).toMatchObject({ base: true, previous: null });
  const touched = await db.query('select distinct item_id from sales where known_day = $1', [SWITCH + 1]);
  expect(touched.length).toBeGreaterThan(0);
  expect(inForce(first)).toEqual(inForce([...before, ...first]));
  expect(inForce(first).length).toBeGreaterThan(touched.length + 1);
});

test('a version of the model begins with everything in force, and leaves the files of the one before as they were', async () => {
  const db = await closedThrough(SWITCH);
  await db.query(`update model_state set version = '2'`);
  await db.query(`update record_days set version = '2'`);
  const published = async () => {
    const lines: DayLine[] = [];
    for (let day = FIRST_DAY; day <= SWITCH; day++) lines.push(...(await linesOn(db, day)));
    return lines;
  };
  const before = await published();
  expect(before.some((line) => line.k === 'snapshot' && line.weights !== undefined)).toBe(true);
  await upgradePrices(db);
  await db.query('update sale_uses set weight = weight / 2');
  await reprice(db, { through: LAST_DAY });
  expect(await published()).toEqual(before);
  const [header, ...first] = await linesOn(db, SWITCH + 1);
  expect(header).toMatchObject({ base: true, previous: (await dayOfRecord(db, SWITCH))!.root.toString('hex') });
  const cards = await db.query(
    'select 1 from card_states where exists (select from card_snapshots c where c.item_id = card_states.item_id and c.period <= $1 >> 5)',
    [SWITCH + 1],
  );
  expect(first.filter(({ k }) => k === 'snapshot').length).toBeGreaterThan(cards.length - 3);
});
