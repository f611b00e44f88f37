import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

/** Item 6 of the contract's review: a card is a mover by sales of its own that agree, in whatever order they come. */

type Sold = [sold: string, usdCents: number, more?: { source?: string; gradeKey?: string }];
type Featured = { id: string; name: string; gradeLabel: string; moveWindowDays: number; saleCount: number };

const WILD = 300_00;

/** Cards that sold every second day for about 100 dollars until 20 June, with their sales since. Closed through 29 June. */
const CARDS: Record<string, Sold[]> = {
  'Wild sale last': [
    ['2026-06-23', 120_00],
    ['2026-06-25', 122_00],
    ['2026-06-28', WILD],
  ],
  'Wild sale first': [
    ['2026-06-23', WILD],
    ['2026-06-25', 120_00],
    ['2026-06-28', 122_00],
  ],
  'Second source agrees': [
    ['2026-06-23', 120_00],
    ['2026-06-25', 122_00],
    ['2026-06-28', WILD],
    ['2026-06-28', 290_00, { source: 'goldin' }],
  ],
  'Same source twice': [
    ['2026-06-23', 120_00],
    ['2026-06-25', 122_00],
    ['2026-06-28', WILD],
    ['2026-06-28', 290_00],
  ],
  'Wild sale in last fortnight': [
    ['2026-06-10', 122_00],
    ['2026-06-21', WILD],
  ],
  'Confirmed other grade': [
    ['2026-06-24', 120_00, { gradeKey: 'psa-9' }],
    ['2026-06-29', 122_00, { gradeKey: 'psa-9' }],
    ['2026-06-23', 120_00],
    ['2026-06-25', 122_00],
    ['2026-06-28', WILD],
  ],
  Rises: [
    ['2026-06-23', 122_00],
    ['2026-06-26', 124_00],
    ['2026-06-28', 123_00],
  ],
};

let database: FreshDatabase;
let api: TestApp;
let ids: Record<string, string>;

/** Every second day since January, for 90 and 111 dollars by turns. */
async function usualSales(db: Db, itemId: string, gradeKey: string, to: string): Promise<void> {
  for (const [from, usdCents] of [['2026-01-01', 90_00] as const, ['2026-01-03', 111_00] as const])
    await manySales(db, { itemId, gradeKey, from, to, everyDays: 4, usdCents });
}

/** The cards and a market around them; returns the items by name. */
async function fill(db: Db, cards: Record<string, Sold[]>): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const set = await aSet(db, { game: 'pokemon' });
  for (const [name, sales] of Object.entries(cards)) {
    const itemId = await anItem(db, { set, name });
    ids[name] = itemId;
    for (const gradeKey of ['psa-10', 'psa-9']) await usualSales(db, itemId, gradeKey, '2026-06-20');
    for (const [sold, usdCents, more] of sales) await aSale(db, { itemId, sold, usdCents, ...more });
  }
  const market = await aSet(db, { game: 'one-piece' });
  for (let n = 1; n <= 30; n++) {
    const itemId = await anItem(db, { set: market, name: `Market ${n}`, number: String(n) });
    await usualSales(db, itemId, 'psa-10', '2026-06-28');
  }
  return ids;
}

beforeAll(async () => {
  database = await freshDatabase();
  ids = await fill(database.db, CARDS);
  await closeDays(database.db);
  api = await testApp(database.db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const featured = async (): Promise<Featured[]> => (await api.get('/v1/items/featured?limit=48')).json.cards;
const rowOf = async (name: string) => (await featured()).find((one) => one.id === ids[name]);
const isUnconfirmed = async (name: string): Promise<boolean> =>
  (
    await api.get(
      `/v1/items/pokemon/base-base1/4-${name.toLowerCase().replaceAll(' ', '-')}-psa-10-${ids[name]!.slice(0, 8)}`,
    )
  ).json.unconfirmedMove;

describe('featured cards', () => {
  test.each(['Wild sale last', 'Same source twice', 'Wild sale in last fortnight'])(
    'leave a card out whose last move is unconfirmed, in every window, and its grades that have not sold since: %s',
    async (name) => {
      expect(await isUnconfirmed(name)).toBe(true);
      const { deltas } = (await api.get(`/v1/items/by-id/${ids[name]}`)).json;
      expect(Math.max(deltas.d7, deltas.d30)).toBeGreaterThan(1);
      expect(await rowOf(name)).toBeUndefined();
    },
  );

  test('list it once a second source agrees on the day, by the sales of full weight', async () => {
    expect(await isUnconfirmed('Second source agrees')).toBe(false);
    expect(await rowOf('Second source agrees')).toMatchObject({ gradeLabel: 'PSA 10', moveWindowDays: 7 });
  });

  test('do not count a wild sale that later ones contradict', async () => {
    expect(await isUnconfirmed('Wild sale first')).toBe(false);
    expect(await rowOf('Wild sale first')).toMatchObject({ gradeLabel: 'PSA 10', saleCount: 2 });
  });

  test('show the card by the grade that is confirmed, though another one moved farther', async () => {
    const overview = (await api.get(`/v1/items/by-id/${ids['Confirmed other grade']}/overview`)).json;
    const moved = new Map<string, number>(
      overview.grades.map((one: { gradeLabel: string; deltaPct: number }) => [one.gradeLabel, one.deltaPct]),
    );
    expect(moved.get('PSA 10')).toBeGreaterThan(moved.get('PSA 9')!);
    expect(await rowOf('Confirmed other grade')).toMatchObject({ gradeLabel: 'PSA 9', saleCount: 2 });
  });

  test('are the same whichever of a day’s sales was recorded first', async () => {
    const other = await freshDatabase();
    const turned = Object.fromEntries(Object.entries(CARDS).map(([name, sales]) => [name, sales.toReversed()]));
    const before = new Map((await featured()).map(({ name, ...row }) => [name, row]));
    await fill(other.db, turned);
    await closeDays(other.db);
    const app = await testApp(other.db);
    const { cards } = (await app.get('/v1/items/featured?limit=48')).json;
    const listed = (rows: Iterable<string>) => [...rows].filter((name) => name in CARDS);
    expect(listed(cards.map(({ name }: Featured) => name))).toEqual(listed(before.keys()));
    await app.app.close();
    await other.close();
  });

  test('drop a card at once when a sale since the close leaves its price unconfirmed', async () => {
    expect(await rowOf('Rises')).toMatchObject({ saleCount: 3 });
    await aSale(database.db, { itemId: ids.Rises!, sold: '2026-06-30', usdCents: 400_00 });
    expect(await isUnconfirmed('Rises')).toBe(true);
    expect(await rowOf('Rises')).toBeUndefined();
  });
});
