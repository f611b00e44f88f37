import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { listDecisions } from '../../../src/decisions/decisions.ts';
import { takeBack } from '../../../src/desk/take-back.ts';
import { itemNamed } from '../../../src/items/locate/named-item.ts';
import { dropSale } from '../../../src/sales/deciding/drop-sale.ts';
import { matchSale } from '../../../src/sales/deciding/match-sale.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { ledgerOf, salesFiles, TODAY } from '../import-world.ts';
import { ADA } from '../undoing/undo-world.ts';
import { NOBODY, newDecided, placeOf, runDecisions } from './deciding-world.ts';

let fresh: FreshDatabase;
let db: Db;
const files = salesFiles();
beforeAll(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
});
afterAll(async () => {
  await fresh.close();
  files.remove();
});

const decided = (saleId: string) => newDecided(db, files, saleId);

// A sale that was recorded and dropped stays in the list of its card, as dropped, also where nothing states it any more.
describe('a sale that waits, after', () => {
  test.each([
    ['W?100', ['waits']],
    ['W?100 mX', ['X $100']],
    ['W?100 mX mY', ['Y $100']],
    ['W?100 mX W2?100', ['X $100']],
    ['W?100 mX -mX', ['waits']],
    ['W?100 mX -mX mY', ['Y $100']],
    ['W?100 mX mY -mY', ['X $100']],
    ['W?100 mX mY -mX', ['Y $100']],
    ['W?100 mX mY -mY -mX', ['waits']],
    ['W?100 mX -W', []],
    ['W?100 mX -W +W', ['X $100']],
    ['W?100 mX -W -mX', []],
    ['W?100 mX -W -mX +W', ['waits']],
    ['W?100 mX -W W2?100', ['waits']],
    ['W?100 -W +W mX', ['X $100']],
    ['W?100 d', []],
    ['W?100 d W2?100', []],
    ['W?100 d A=100', []],
    ['W?100 d -d', ['waits']],
    ['W?100 d -d mX', ['X $100']],
    ['W?100 d -W', []],
    ['W?100 d -W +W', []],
    ['W?100 d -W +W -d', ['waits']],
    ['W?100 mX d', ['X dropped']],
    ['W?100 mX d -d', ['X $100']],
    ['W?100 mX d -mX', ['X dropped']],
    ['W?100 mX d -mX -d', ['X dropped', 'waits']],
    ['W?100 mX d -d -mX', ['waits']],
    // What later files report of a sale that a person matched stays on its card, though their rows name no card.
    ['W?100 mX W2?200', ['X $200']],
    ['W?100 mX W2?200 W3?200', ['X $200']],
    ['W?100 mX W2?200 W3?100', ['X $200']],
    ['W?100 mX W2?200 W3?300', ['X $300']],
    ['W?100 mX W2?200 W3?300 -W2', ['X $300']],
    ['W?100 mX W2?200 -W2', ['X $100']],
    ['W?100 mX W2?200 -W2 +W2', ['X $200']],
    ['W?100 mX W2?200 -W', ['X $200']],
    ['W?100 mX W2?200 -W -W2', []],
    ['W?100 mX W2?200 W3?300 -mX', ['waits at $300']],
    ['W?100 mX W2?200 mY', ['Y $200']],
    ['W?100 mX W2?200 mY -mY', ['X $200']],
    ['W?100 mX mY W2?200', ['Y $200']],
    ['W?100 mX mY W2?200 -mY', ['X $200']],
    ['W?100 mX mY W2?200 -mX', ['Y $200']],
    ['W?100 mX mY W2?200 -mY -mX', ['waits at $200']],
    ['W?100 mX mY W2?200 -W2', ['Y $100']],
    ['W?100 mX W2?200 -mX', ['waits at $200']],
    ['W?100 mX W2?200 -mX mY', ['Y $200']],
    ['W?100 mX -mX W2?200', ['waits at $200']],
    ['W?100 mX W2?200 -W2 -mX', ['waits']],
    ['W?100 mX V!', ['X voided']],
    ['W?100 mX V! V2!', ['X voided']],
    ['W?100 mX V! W2?200', ['X voided']],
    ['W?100 mX V! W2?100', ['X voided']],
    ['W?100 mX V! -V', ['X $100']],
    ['W?100 mX W2?200 V!', ['X voided']],
    ['W?100 mX W2?200 V! -V', ['X $200']],
    ['W?100 mX mY V!', ['Y voided']],
    ['W?100 mX V! -mX', ['X voided']],
    ['W?100 mX V! -mX -V', ['X voided', 'waits']],
    ['W?100 mX V! -mX W2?200', ['X voided']],
    ['W?100 mX d W2?200', ['X dropped']],
    ['W?100 mX d V!', ['X voided']],
    ['W?100 mX d V! -d -mX', []],
    ['W?100 mX d V! -d -mX -V', ['waits']],
    ['W?100 mX d W2?200 -d', ['X $100']],
    ['W?100 d -d W2?200 mX', ['X $200']],
    ['W?100 d W2?200 -d', ['waits']],
    ['W?100 V!', []],
    ['W?100 V! W2?200', []],
    // The ledger knows the card of a sale that it has.
    ['A=100 W?100', ['X $100']],
    ['A=100 W?200', ['X $200']],
    ['A=100 W?200 -W', ['X $100']],
    ['A=100 mY W?200', ['Y $200']],
    ['A=100 mY W?200 -mY', ['X $200']],
    ['A=100 V!', ['X voided']],
    ['A=100 V! -V', ['X $100']],
    ['A=100 -A W?200', ['waits at $200']],
  ])('%s', async (script, place) => {
    const world = await decided(`w ${script}`);
    await runDecisions(world, script);
    expect(await placeOf(world)).toEqual(place);
  });
});

describe('a recorded sale, after', () => {
  test.each([
    ['A=100 mY', ['Y $100']],
    ['A=100 mY B=100', ['Y $100']],
    ['A=100 mY -mY', ['X $100']],
    ['A=100 mY mX', ['X $100']],
    ['A=100 mY mX -mX', ['Y $100']],
    ['A=100 mY mX -mY', ['X $100']],
    ['A=100 mY -A', []],
    ['A=100 mY -A +A', ['Y $100']],
    ['A=100 mY -A -mY', []],
    ['A=100 mY -A A2=100', ['X $100']],
    ['A=100 B=200 mY', ['Y $200']],
    ['A=100 B=200 mY -mY', ['X $200']],
    // A file may correct the price of a sale that a person matched, not its card.
    ['A=100 mY B=200', ['Y $200']],
    ['A=100 mY B=200 -B', ['Y $100']],
    ['A=100 mY B=200 -mY', ['X $200']],
    ['A=100 mY B=200 -A', ['Y $200']],
    ['A=100 mY B=200 -B -mY', ['X $100']],
    ['A=100 mY B=200 -mY -B', ['X $100']],
    ['A=100 mY B=200 -A -mY', ['X $200']],
    ['A=100 mY B=200 -A -B', []],
    ['A=100 mY B=200 -B +B', ['Y $200']],
    ['A=100 mY B=200 -B +B -mY', ['X $200']],
    ['A=100 mY B=200 A2=100', ['Y $200']],
    ['A=100 mY B=200 B2=200', ['Y $200']],
    ['A=100 mY B=200 C=300', ['Y $300']],
    ['A=100 mY B=200 C=300 -C', ['Y $200']],
    ['A=100 mY B=200 C=300 -B', ['Y $300']],
    ['A=100 mY B=200 C=300 -mY', ['X $300']],
    ['A=100 mY -mY B=200', ['X $200']],
    ['A=100 mY mX B=200', ['X $200']],
    ['A=100 mY mX B=200 -mX', ['Y $200']],
    ['A=100 mY mX B=200 -mY', ['X $200']],
    ['A=100 mY B=200 mX', ['X $200']],
    ['A=100 mY B=200 mX -mX', ['Y $200']],
    ['A=100 mY B=200 d', ['Y dropped']],
    ['A=100 mY d B=200', ['Y dropped']],
    ['A=100 mY B=200 d -d', ['Y $200']],
    ['W?100 mY B=200', ['Y $200']],
    ['W?100 mY B=200 -B', ['Y $100']],
    ['W?100 mY B=200 -mY', ['X $200']],
    ['A=100 d', ['X dropped']],
    ['A=100 d B=100', ['X dropped']],
    ['A=100 d B=200', ['X dropped']],
    ['A=100 d -d', ['X $100']],
    ['A=100 d -d d/2', ['X dropped']],
    ['A=100 d -d d/2 -d/2', ['X $100']],
    ['A=100 d -d B=200', ['X $200']],
    ['A=100 d -A', ['X dropped']],
    ['A=100 d -A A2=100', ['X dropped']],
    ['A=100 d -A -d', ['X dropped']],
    ['A=100 d -A -d A2=100', ['X $100']],
    ['A=100 d V! -d', ['X voided']],
    ['A=100 d V! -d -V', ['X $100']],
    ['A=100 d V! -V -d', ['X $100']],
    ['A=100 d V! V2! -d', ['X voided']],
    ['A=100 d V! -A -d', ['X voided']],
    ['A=100 mY d', ['Y dropped']],
    ['A=100 mY d -d', ['Y $100']],
    ['A=100 mY d -mY', ['Y dropped']],
    ['A=100 mY d -mY -d', ['X $100']],
    ['A=100 mY d -d -mY', ['X $100']],
  ])('%s', async (script, place) => {
    const world = await decided(`r ${script}`);
    await runDecisions(world, script);
    expect(await placeOf(world)).toEqual(place);
    // Revisions rise by one, and all but the newest are out.
    const revisions = await db.query<{ revision: number; out: boolean }>(
      `select revision, exists (select from sale_voids v where v.sale_id = s.id) as out from sales s
       where source_sale_id = $1 order by revision`,
      [world.saleId],
    );
    expect(revisions.map(({ revision }) => revision)).toEqual(revisions.map((_, at) => at));
    expect(revisions.slice(0, -1).every(({ out }) => out)).toBe(true);
  });
});

describe('changes nothing and says why:', () => {
  test.each([
    ['W?100 d', 'd/2', 'was dropped by decision'],
    ['W?100 d', 'mX', 'was dropped by decision'],
    ['A=100 d', 'd/2', 'in no price already (dropped)'],
    ['A=100 d', 'mY', 'out of the ledger (dropped)'],
    ['A=100', 'mX', 'of this card and grade already'],
    ['A=100 mY', 'mY/2', 'of this card and grade already'],
    ['W?100 -W', 'mX', 'waits or is recorded'],
    ['W?100 -W', 'd', 'waits or is recorded'],
    ['A=100 -A', 'd', 'waits or is recorded'],
    ['A=100 d -d', '-d', 'was taken back already, by ada'],
    ['W?100 mX -mX', '-mX', 'was taken back already, by ada'],
    ['W?100 V!', 'mX', 'Its source took this sale back (voided)'],
    ['W?100 mX V! -mX', 'mX', 'Its source took this sale back (voided)'],
    ['W?100 mX V! -mX', 'd', 'Its source took this sale back (voided)'],
  ])('after %s, %s', async (script, word, why) => {
    const world = await decided(`e ${script} ${word}`);
    await runDecisions(world, script);
    const before = [await ledgerOf(db), await placeOf(world), (await listDecisions(db, { before: null, limit: 1 }))[0]];
    await expect(runDecisions(world, word)).rejects.toThrow(why);
    expect([
      await ledgerOf(db),
      await placeOf(world),
      (await listDecisions(db, { before: null, limit: 1 }))[0],
    ]).toEqual(before);
  });

  test.each(['W?100', 'A=100'])('after %s, a match to a card that the catalog does not have', async (script) => {
    const world = await decided(`unknown ${script}`);
    await runDecisions(world, script);
    const before = await placeOf(world);
    const target = { itemId: NOBODY, grade: null };
    await expect(matchSale(db, { source: 'ebay', saleId: world.saleId }, target, ADA, TODAY)).rejects.toThrow(
      'does not have this card',
    );
    await expect(itemNamed(db, NOBODY)).rejects.toThrow('no item has the id');
    expect(await placeOf(world)).toEqual(before);
  });

  test('a sale that nobody reported', async () => {
    const { cards } = await decided('nobody');
    const name = { source: 'ebay', saleId: 'never reported' };
    await expect(dropSale(db, name, ADA, TODAY)).rejects.toThrow('waits or is recorded');
    await expect(matchSale(db, name, { itemId: cards.X, grade: null }, ADA, TODAY)).rejects.toThrow(
      'waits or is recorded',
    );
    await expect(takeBack(db, 999_999, ADA, TODAY)).rejects.toThrow('no decision 999999');
  });
});
