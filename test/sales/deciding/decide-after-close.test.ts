import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { correctionsPage } from '../../../src/items/corrections/corrections-page.ts';
import { parseDay } from '../../../src/lib/day.ts';
import { dailyLine } from '../../../src/pricing/read/item-prices.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { withPricesFromLedger } from '../../../src/pricing/store/from-ledger.ts';
import { anItem, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { salesFiles } from '../import-world.ts';
import { type Decided, decide } from './deciding-world.ts';

let fresh: FreshDatabase;
let db: Db;
let world: Decided;
const files = salesFiles();
/** The day of the first word of a script; the sale is of 2026-05-01. */
const START = parseDay('2026-05-02')!;
const CARDS = ['X', 'Y'] as const;

beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  const cards = { X: await anItem(db), Y: await anItem(db, { number: '7' }) };
  // A price of about $60, so that a sale of $100 moves it.
  for (const card of CARDS)
    await manySales(db, { itemId: cards[card], from: '2026-01-03', to: '2026-04-25', usdCents: 60_00 });
  await manySales(db, { itemId: await anItem(db, { number: '5' }), from: '2026-01-04', to: '2026-06-20' });
  world = { db, files, cards, saleId: 'one', today: START, imports: new Map(), decisions: new Map() };
  await reprice(db, { through: START - 1 });
});
afterEach(() => fresh.close());
afterAll(() => files.remove());

const line = (card: 'X' | 'Y', through: number) => dailyLine(db, world.cards[card], 'psa-10', START - 30, through);

/** The difference in whole dollars to the card that nothing was done to: a sale of $100 moves a price by three or more. */
async function moved(): Promise<string> {
  const last = async (card: 'X' | 'Y') => (await line(card, world.today - 1)).at(-1)!.usdCents!;
  const [x, y] = [await last('X'), await last('Y')];
  if (Math.abs(x - y) <= 20) return 'none';
  expect(Math.abs(x - y)).toBeGreaterThan(2_00);
  return x > y ? 'X' : 'Y';
}

test.each([
  ['A=100', 'X', []],
  ['A=100 mY', 'Y', ['mapping', 'mapping']],
  ['A=100 mY -mY', 'X', ['mapping', 'mapping', 'mapping', 'mapping']],
  ['A=100 mY B=101', 'Y', ['sale_corrected', 'mapping', 'mapping']],
  ['A=100 d', 'none', ['sale_voided']],
  ['A=100 d -d', 'X', ['sale_corrected', 'sale_voided']],
  ['A=100 mY -A', 'none', ['import_undone', 'mapping', 'mapping']],
  ['W?100', 'none', []],
  ['W?100 mX', 'X', []],
  ['W?100 mX -mX', 'none', ['sale_voided']],
  ['W?100 mX d', 'none', ['sale_voided']],
  ['W?100 d', 'none', []],
])(
  'with a close after each step, %s counts for %s: published days stay, corrections are %j',
  async (script, counts, causes) => {
    for (const word of script.split(' ')) {
      const before = { X: await line('X', world.today - 1), Y: await line('Y', world.today - 1) };
      await decide(world, word);
      // Until the next close nothing that was published changes.
      for (const card of CARDS) expect(await line(card, world.today - 1)).toEqual(before[card]);
      await reprice(db, { through: world.today });
      for (const card of CARDS)
        expect((await line(card, world.today)).slice(0, before[card].length)).toEqual(before[card]);
      world.today++;
    }
    expect(await moved()).toBe(counts);
    const context = { db, fingerprint: () => Buffer.alloc(32) };
    const { corrections } = await correctionsPage(context, { item: null, limit: 20 });
    expect(corrections.map(({ cause }) => cause)).toEqual(causes);
    const differing = await withPricesFromLedger(db, fresh.connection, undefined, (scratch) =>
      scratch.query('select item_id, state from public.card_states except select item_id, state from card_states'),
    );
    expect(differing).toEqual([]);
  },
);

test.each(['A=100 mY', 'A=100 d', 'W?100 mX -mX', 'W?100 mX d'])(
  'before a close has the sale, %s is not a correction',
  async (script) => {
    for (const word of script.split(' ')) await decide(world, word);
    await reprice(db, { through: START });
    world.today++;
    const context = { db, fingerprint: () => Buffer.alloc(32) };
    expect((await correctionsPage(context, { item: null, limit: 20 })).corrections).toEqual([]);
    expect(await moved()).toBe(script === 'A=100 mY' ? 'Y' : 'none');
  },
);

test('the note of a match that is undone says that of it, not of a file', async () => {
  for (const word of ['W?100', 'mX', '-mX']) {
    await decide(world, word);
    await reprice(db, { through: world.today });
    world.today++;
  }
  const context = { db, fingerprint: () => Buffer.alloc(32) };
  const { corrections } = await correctionsPage(context, { item: null, limit: 20 });
  expect(corrections.map(({ note }) => note)).toEqual([
    'Sale of 2026-05-01 for $100.00: put on this card, or in this grade, by mistake.',
  ]);
});
