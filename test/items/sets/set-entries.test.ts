import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { entriesOfSet, type SetSelection } from '../../../src/items/sets/set-entries.ts';
import type { RankedSetItem } from '../../../src/items/sets/set-overview.ts';
import { anItem, aSet } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

const CARDS = 20;
/** Cards of which some printing is priced; several have equal prices. */
const PRICED = 14;

let database: FreshDatabase;
let selection: SetSelection;
const items: RankedSetItem[] = [];
beforeAll(async () => {
  database = await freshDatabase();
  const set = await aSet(database.db);
  const plain = { language: null, rarity: null, words: [], pricedOnly: false, isUnfolded: false };
  selection = { setId: set.id, sort: 'price', ...plain };
  for (let number = 1; number <= CARDS; number++)
    for (const variation of [null, 'Foil']) {
      const id = await anItem(database.db, { set, number: String(number), name: `Card ${number}`, variation });
      const isPriced = number <= PRICED && (variation !== null || number % 3 > 0);
      const price = 100 * Math.ceil(number / 4) + (variation === null ? 0 : 100 * (number % 2));
      if (isPriced) items.push({ id, card: `${number} Card ${number}`, price, move: number % 5 });
    }
});
afterAll(() => database.close());

test.each([
  ['price', false],
  ['price', true],
  ['move', false],
  ['move', true],
] as const)(
  'pages in the order of %s, unfolded: %s, are those of the whole order, and read only their own items',
  async (sort, isUnfolded) => {
    const ranked = {
      price: items.toSorted((a, b) => b.price - a.price),
      move: items.toSorted((a, b) => b.move - a.move),
    };
    const counts = { ranked, cardCount: CARDS, itemCount: 2 * CARDS };
    const query = vi.spyOn(database.db, 'query');
    const idsOf = async (selected: SetSelection, page: { offset: number; count: number }) => {
      query.mockClear();
      const { entries } = await entriesOfSet(database.db, selected, counts, page);
      const statement = String(query.mock.calls.find(([text]) => text.includes('with page'))![0]);
      return { ids: entries.map(({ card }) => card.id), isOfIds: statement.includes('i.id = any') };
    };
    const wanted = { ...selection, sort, isUnfolded };
    const entryCount = isUnfolded ? 2 * CARDS : CARDS;
    // A word that every card has: a filter, so every item is read.
    const whole = await idsOf({ ...wanted, words: ['card'] }, { offset: 0, count: entryCount });
    expect([whole.ids.length, whole.isOfIds]).toEqual([entryCount, false]);
    const pricedCount = isUnfolded ? items.length : PRICED;
    for (let offset = 0; offset < entryCount; offset += 3) {
      const page = await idsOf(wanted, { offset, count: 3 });
      expect([offset, page.ids]).toEqual([offset, whole.ids.slice(offset, offset + 3)]);
      expect([offset, page.isOfIds]).toEqual([offset, offset + 3 <= pricedCount]);
    }
  },
);
