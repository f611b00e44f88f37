import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { correctionsPage } from '../../../src/items/corrections/corrections-page.ts';
import { formatDay, parseDay } from '../../../src/lib/day.ts';
import { dailyLine } from '../../../src/pricing/read/item-prices.ts';
import { dayOfRecord, linesOfDay } from '../../../src/pricing/record/read-record.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { withPricesFromLedger } from '../../../src/pricing/store/from-ledger.ts';
import { lineText } from '../../../src/record/day-line.ts';
import { leafHash, rootOf, treeOf } from '../../../src/record/merkle.ts';
import { anItem, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { salesFiles } from '../import-world.ts';
import { runWord, scripted, seen } from './undo-world.ts';

let fresh: FreshDatabase;
let db: Db;
let card: string;
const files = salesFiles();
beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  card = await anItem(db);
  // A price of about $60, so that a sale of $100 to $300 moves it.
  await manySales(db, { itemId: card, from: '2026-01-03', to: '2026-04-25', usdCents: 60_00 });
  await manySales(db, { itemId: await anItem(db, { number: '5' }), from: '2026-01-04', to: '2026-06-20' });
});
afterEach(() => fresh.close());
afterAll(() => files.remove());

/** The day of the first word; the sale is of 2026-05-01. */
const START = parseDay('2026-05-02')!;
const context = () => ({ db, fingerprint: () => Buffer.alloc(32) });
const line = (through: number) => dailyLine(db, card, 'psa-10', START - 30, through);

/** Runs each word of a script on a day of its own, and closes that day. Returns the last closed day. */
async function closeEach(script: string, firstClosed = true): Promise<number> {
  const world = scripted(db, card, files, START);
  if (firstClosed) await reprice(db, { through: START - 1 });
  for (const word of script.split(' ')) {
    const before = await line(world.today - 1);
    await runWord(world, word);
    await reprice(db, { through: world.today });
    // What is published stays.
    expect((await line(world.today)).slice(0, before.length)).toEqual(before);
    world.today++;
  }
  return world.today - 1;
}

async function rootsOf(db: Db): Promise<{ day: number; root: string }[]> {
  const days = await db.query<{ day: number }>('select day from record_days order by day');
  const made: { day: number; root: string }[] = [];
  for (const { day } of days) {
    const leaves: Buffer[] = [];
    for await (const one of linesOfDay(db, (await dayOfRecord(db, day))!)) leaves.push(leafHash(lineText(one)));
    made.push({ day, root: rootOf(treeOf(leaves)).toString('hex') });
  }
  return made;
}

/** The price of the last closed day in cents, as a ledger has it in which only `sales` were ever imported. */
async function priceOf(day: number): Promise<number> {
  return (await line(day)).at(-1)!.usdCents!;
}

test.each([
  ['A=100 -A', 'none', ['import_undone']],
  ['A=100 -A A2=100', 'one', ['import_undone']],
  ['A=100 B=200 -B', 'one', ['sale_corrected', 'sale_corrected']],
  ['A=100 B=200 -A -B', 'none', ['import_undone', 'sale_corrected']],
  ['A=100 V! -V', 'one', ['sale_corrected', 'sale_voided']],
  ['A=100 -A +A', 'one', ['sale_corrected', 'import_undone']],
  ['A=100 V! -V +V', 'none', ['sale_voided', 'sale_corrected', 'sale_voided']],
])(
  'with a close after each step, %s leaves %s: published days stay, and each change is a correction',
  async (script, left, causes) => {
    const last = await closeEach(script);
    const without = await reference(last);
    const price = await priceOf(last);
    // What the game has learned from the sale while it counted stays learned: of its noise, a cent's worth.
    if (left === 'none') expect(Math.abs(price - without)).toBeLessThanOrEqual(1);
    else expect(price).toBeGreaterThan(without + 2_00);
    const { corrections } = await correctionsPage(context(), { item: null, limit: 20 });
    expect(corrections.map(({ cause }) => cause)).toEqual(causes);
    // Every day's record is still what its close stored, and a replay of the ledger gives the same cards.
    const stored = await db.query<{ day: number; root: string }>(
      `select day, encode(root, 'hex') as root from record_days order by day`,
    );
    expect(await rootsOf(db)).toEqual(stored);
    const differing = await withPricesFromLedger(db, fresh.connection, undefined, (scratch) =>
      scratch.query('select item_id, state from public.card_states except select item_id, state from card_states'),
    );
    expect(differing).toEqual([]);
  },
);

/** The price where nothing of the script was ever imported. */
async function reference(day: number): Promise<number> {
  const other = await freshDatabase();
  try {
    const id = await anItem(other.db, { id: card });
    await manySales(other.db, { itemId: id, from: '2026-01-03', to: '2026-04-25', usdCents: 60_00 });
    await manySales(other.db, {
      itemId: await anItem(other.db, { number: '5' }),
      from: '2026-01-04',
      to: '2026-06-20',
    });
    await reprice(other.db, { through: day });
    return (await dailyLine(other.db, id, 'psa-10', day, day))[0]!.usdCents!;
  } finally {
    await other.close();
  }
}

test.each(['A=100 -A', 'A=100 B=200 -B', 'A=100 V! -V', 'A=100 -A A2=100'])(
  'before any close, %s leaves no correction, and prices as if only what is left had been imported',
  async (script) => {
    const world = scripted(db, card, files, START);
    for (const word of script.split(' ')) await runWord(world, word);
    await reprice(db, { through: START });
    expect((await correctionsPage(context(), { item: null, limit: 20 })).corrections).toEqual([]);
    const price = await priceOf(START);
    const without = await reference(START);
    if ((await seen(db, card)).includes('$100')) expect(price).toBeGreaterThan(without + 2_00);
    else expect(price).toBe(without);
  },
);

test('a correction that is undone before a close has it changes nothing that was published, and is not a correction', async () => {
  const world = scripted(db, card, files, START);
  await runWord(world, 'A=100');
  await reprice(db, { through: START });
  world.today++;
  await runWord(world, 'B=200');
  await runWord(world, '-B');
  const before = await priceOf(START);
  await reprice(db, { through: START + 1 });
  expect((await correctionsPage(context(), { item: null, limit: 20 })).corrections).toEqual([]);
  expect(Math.abs((await priceOf(START + 1)) - before)).toBeLessThan(2_00);
});

test('the note of an undone import says so, and of what came back', async () => {
  const last = await closeEach('A=100 V! -V -A');
  const { corrections } = await correctionsPage(context(), { item: null, limit: 20 });
  expect(corrections.map(({ note }) => note)).toEqual([
    'Sale of 2026-05-01 for $100.00: recorded by mistake, with the whole file that it came in.',
    'Sale of 2026-05-01 for $100.00: counted again; it had been taken out by mistake.',
    'Sale of 2026-05-01 for $100.00: canceled.',
  ]);
  expect(corrections.map(({ cause }) => cause)).toEqual(['import_undone', 'sale_corrected', 'sale_voided']);
  expect(corrections.map(({ fromDay, toDay }) => [fromDay, toDay])).toEqual([
    ['2026-05-01', formatDay(last - 1)],
    ['2026-05-01', formatDay(last - 2)],
    ['2026-05-01', formatDay(last - 3)],
  ]);
});
