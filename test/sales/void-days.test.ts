import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { withLock } from '../../src/db/locks.ts';
import { correctionsPage } from '../../src/items/corrections/corrections-page.ts';
import { formatDay, parseDay } from '../../src/lib/day.ts';
import { seriesOfItems } from '../../src/pricing/read/price-series.ts';
import { quotesOf } from '../../src/pricing/read/quotes.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { anItem, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { type Decided, decide } from './deciding/deciding-world.ts';
import { csv, HEADER, importFile, rowOf, salesFiles } from './import-world.ts';

let fresh: FreshDatabase;
let db: Db;
let world: Decided;
const files = salesFiles();
/** The first word of a script is imported on this day; its sale is of the day before. */
const START = parseDay('2026-05-02')!;
const SALE = { sale_id: 'one', sold_at: formatDay(START - 1) };

beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  const cards = { X: await anItem(db), Y: await anItem(db, { number: '7' }) };
  await manySales(db, { itemId: await anItem(db, { number: '5' }), from: '2026-01-04', to: '2026-06-20' });
  world = { db, files, cards, saleId: SALE.sale_id, today: START, imports: new Map(), decisions: new Map() };
});
afterEach(() => fresh.close());
afterAll(() => files.remove());

/** How many sales the last close has of the two cards; not those that wait for the next one. */
async function counted(): Promise<number> {
  const series = await seriesOfItems(db, Object.values(world.cards));
  return series.reduce((sum, { own }) => sum + (own?.sales ?? 0), 0);
}

/** Does something while the day before is not closed yet; returns what counts at the close of that day, and of the day itself. */
async function onOpenDay(work: () => Promise<unknown>): Promise<[before: number, after: number]> {
  await reprice(db, { through: world.today - 2 });
  await work();
  await reprice(db, { through: world.today - 1 });
  const before = await counted();
  await reprice(db, { through: world.today });
  world.today += 3;
  return [before, await counted()];
}

const importRows = (header: string, ...rows: string[]) =>
  importFile(db, files.write([header, ...rows, ''].join('\n')), world.today);

test.each(['A=100 B=200 -B', 'A=100 mY', 'A=100 mY -mY', 'A=100 mY -mY mY/2', 'A=100 B=200 -A'])(
  'while a day is not closed yet, what %s replaces leaves at the close that has its replacement',
  async (script) => {
    for (const word of script.split(' ')) {
      const isFirst = word === 'A=100';
      const counts = await onOpenDay(() => decide(world, word));
      expect([word, ...counts]).toEqual([word, isFirst ? 0 : 1, 1]);
    }
  },
);

test('a correction that its file dates back enters at the close that loses what it corrects', async () => {
  await onOpenDay(() => decide(world, 'A=100'));
  const row = rowOf(world.cards.X, { ...SALE, price: '200' });
  const correct = () => importRows(`${HEADER},known_at`, `${row},${SALE.sold_at}`);
  expect(await onOpenDay(correct)).toEqual([1, 1]);
});

test('an earlier report of a sale leaves at the close that has the one of its primary source', async () => {
  await importFile(db, files.write(csv(rowOf(world.cards.X, { ...SALE, source: 'alt-sold', sale_id: 'a' }))), START);
  world.today++;
  const report = () => importRows(`${HEADER},known_at`, `${rowOf(world.cards.X, SALE)},${SALE.sold_at}`);
  await reprice(db, { through: START });
  world.today = START + 3;
  expect(await onOpenDay(report)).toEqual([1, 1]);
});

test('an import that ends after the close of the day on which it began takes a sale back at the next one', async () => {
  await importFile(db, files.write(csv(rowOf(world.cards.X, SALE))), START);
  await reprice(db, { through: START });
  await importFile(db, files.write(csv(rowOf(world.cards.X, { ...SALE, status: 'voided' }))), START);
  expect(await db.query('select known_day as day from sale_voids')).toEqual([{ day: START + 1 }]);
  const corrections = async () =>
    (await correctionsPage({ db, fingerprint: () => Buffer.alloc(32) }, { item: null, limit: 5 })).corrections;
  const ofSale = [{ cause: 'sale_voided', toDay: formatDay(START) }];
  expect(await corrections()).toMatchObject(ofSale);
  await reprice(db, { through: START + 1 });
  expect(await counted()).toBe(0);
  expect(await corrections()).toMatchObject(ofSale);
});

test('a void that was written for a closed day while its close ran is a correction', async () => {
  await importFile(db, files.write(csv(rowOf(world.cards.X, SALE))), START);
  await reprice(db, { through: START });
  await decide({ ...world, today: START }, 'V!');
  await db.query('update sale_voids set known_day = $1', [START - 1]);
  const corrections = async () =>
    (await correctionsPage({ db, fingerprint: () => Buffer.alloc(32) }, { item: null, limit: 5 })).corrections;
  expect(await corrections()).toHaveLength(1);
  await reprice(db, { through: START + 1 });
  expect(await corrections()).toHaveLength(1);
});

test('what was taken back and is stated again counts in the price before its close', async () => {
  for (const word of ['A=100', 'V!']) {
    await decide(world, word);
    await reprice(db, { through: world.today++ });
  }
  expect(await observed()).toBe(0);
  await decide(world, '-V');
  expect(await observed()).toBe(1);
});

test('a correction of a sale that came late counts once before its close', async () => {
  await reprice(db, { through: START });
  await importRows(`${HEADER},known_at`, `${rowOf(world.cards.X, SALE)},${SALE.sold_at}`);
  await reprice(db, { through: START + 1 });
  world.today = START + 2;
  await decide(world, 'B=200');
  expect(await observed()).toBe(1);
});

/** How many sales the price of card X is of, with those that wait for their close. */
async function observed(): Promise<number> {
  const quotes = await quotesOf(db, [world.cards.X]);
  return quotes.get(world.cards.X)?.[0]?.totalObservationCount ?? 0;
}

test('of a close that runs it is not known how far it goes: what is replaced meanwhile leaves today', async () => {
  await onOpenDay(() => decide(world, 'A=100'));
  await db.session((session) => withLock(session, 'reprice', () => decide(world, 'mY')));
  expect(await db.query('select known_day as day from sale_voids')).toEqual([{ day: world.today }]);
});

test('a cancellation that its file dates in the future holds from today on', async () => {
  await onOpenDay(() => decide(world, 'A=100'));
  const row = rowOf(world.cards.X, { ...SALE, status: 'voided' });
  const cancel = () => importRows(`${HEADER},known_at`, `${row},${formatDay(world.today + 30)}`);
  expect(await onOpenDay(cancel)).toEqual([1, 0]);
});
