import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditGame } from '../../src/audit/audit-game.ts';
import { readGame } from '../../src/audit/read-game.ts';
import { keepFound, listSuspects } from '../../src/audit/suspect-store.ts';
import { overviewOfSet } from '../../src/items/sets/set-overview.ts';
import { loadTitles } from '../../src/sales/titles.ts';
import { testApp } from '../support/app.ts';
import { anExternalId, anItem, aSale, aVoid, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { auditedItem, gameRows, jitter, priceCell } from './rows.ts';

let database: FreshDatabase;
let itemId: string;
beforeAll(async () => {
  database = await freshDatabase();
  itemId = await anItem(database.db, { number: '1', name: 'Mew' });
});
afterAll(() => database.close());

/** Keeps one suspect of a score, or none, as the audit of Pokémon does. */
const keep = (score: number | null) => {
  const one = {
    kind: 'grade_inversion' as const,
    subject: itemId,
    game: 'pokemon',
    evidence: [],
    series: [{ itemId, gradeKey: null }],
  };
  return database.db.transaction((session) =>
    keepFound(session, score === null ? [] : [{ ...one, score }], ['pokemon']),
  );
};

describe('suspects that audits keep', () => {
  beforeEach(() => keep(null));

  test('withhold, whatever their score', async () => {
    expect((await keep(0.5)).withheld).toBe(1);
    expect((await keep(0.99)).withheld).toBe(1);
  });

  test('that were gone and are found again are open, and withhold', async () => {
    await keep(0.9);
    expect(await keep(null)).toMatchObject({ closed: 1, withheld: 0 });
    expect(await keep(0.9)).toEqual({ found: 1, added: 0, closed: 0, withheld: 1 });
    expect(await listSuspects(database.db, { state: 'open', before: null, limit: 9 })).toMatchObject([
      { isWithheld: true },
    ]);
  });

  test('are announced to servers that run, which drop what they keep of sets', async () => {
    const { context, app } = await testApp(database.db);
    const [set] = await database.db.query<{ id: number }>('select id from sets');
    await overviewOfSet(context, set!.id, []);
    expect(context.setOverviews.size).toBe(1);
    await keep(0.9);
    await expect.poll(() => context.setOverviews.size).toBe(0);
    await app.close();
  });
});

test('an audit leaves out sales that were voided, and ids that a source has withdrawn', async () => {
  const { db } = database;
  const other = await anItem(db, { number: '2', name: 'Eevee' });
  await manySales(db, { itemId: other });
  const count = async () =>
    (await readGame(db, 'pokemon', () => loadTitles(db))).cells.find((cell) => cell.itemId === other)!.sales;
  const before = await count();
  const saleId = await aSale(db, { itemId: other, sold: '2026-06-20', usdCents: 100_00 });
  expect(await count()).toBe(before + 1);
  await aVoid(db, saleId, 'unpaid', '2026-06-21');
  expect(await count()).toBe(before);
  for (const id of [itemId, other])
    await anExternalId(db, { itemId: id, space: 'shop', sourceId: id, externalIds: ['tcgplayer 5'] });
  expect((await readGame(db, 'pokemon', () => loadTitles(db))).shared).toHaveLength(1);
  await db.query(`update item_sources set removed_at = now() where source_id = $1`, [other]);
  expect((await readGame(db, 'pokemon', () => loadTitles(db))).shared).toEqual([]);
});

test('swapped printings are not listed again for their sources', () => {
  // The third card's sales at one source are on each other's printing.
  const priced = Array.from({ length: 14 }, (_, at) => {
    const [plain, holo] = [
      auditedItem({ number: `${at + 1}` }),
      auditedItem({ number: `${at + 1}`, variation: 'Holo' }),
    ];
    const usd = 20 * Math.exp(jitter(at));
    const sold = (item: typeof plain, own: number, there: number) => ({
      item,
      cells: [priceCell(item, own, { sales: 9 }), priceCell(item, there, { sales: 9, source: 'shop' })],
    });
    const there = at === 2 ? [6 * usd, usd] : [usd, 6 * usd];
    return [sold(plain, usd, there[0]!), sold(holo, 6 * usd, there[1]!)];
  }).flat();
  const found = auditGame({ ...gameRows(priced), shared: [], idsOf: new Map() });
  expect(found.map(({ kind }) => kind)).toEqual(['swapped_siblings']);
});
