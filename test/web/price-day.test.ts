import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayStartMs, parseDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aSet, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let web: TestApp;
let closed: string;
let moved: string;

/** As on a real installation: the close runs some minutes after the end of its day, and sales go on. */
beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const [quiet, sold] = await Promise.all(
    ['Alpha', 'Beta'].map(async (name) => anItem(db, { set: await aSet(db, { game: 'mtg', name, code: name }) })),
  );
  for (const itemId of [quiet!, sold!]) await manySales(db, { itemId });
  const through = parseDay('2026-06-29')!;
  await reprice(db, { through, clock: () => dayStartMs(through + 1) + 5 * 60_000 });
  await aSale(db, { itemId: sold!, sold: '2026-06-30', usdCents: 104_00 });
  web = await testApp(db);
  const hrefOf = async (id: string): Promise<string> => (await web.get(`/v1/items/by-id/${id}`)).json.href;
  closed = await hrefOf(quiet!);
  moved = await hrefOf(sold!);
});
afterAll(async () => {
  await web.app.close();
  await database.close();
});

/** The words that date a price, without markup. */
const datesIn = async (path: string) =>
  (await web.get(path, { accept: 'text/html' })).text
    .replace(/<time[^>]*>|<\/time>/g, '')
    .match(/(?:[Cc]lose of|as of) \d+ \w+ 2026/g)
    ?.map((date) => date.toLowerCase());

describe('the day of a price', () => {
  test('is that of its close everywhere, whenever the close ran', async () => {
    const pages = [closed, closed.replace('-psa-10-', '-'), '/card/mtg/alpha-alpha?view=pictures'];
    for (const path of pages)
      expect([path, [...new Set(await datesIn(path))]]).toEqual([path, ['close of 29 jun 2026']]);
  });

  test('is when it was computed, once a sale has moved it since', async () => {
    const pages = [moved, moved.replace('-psa-10-', '-'), '/card/mtg/beta-beta?view=pictures'];
    for (const path of pages)
      expect([path, (await datesIn(path))?.some((date) => /^as of/.test(date))]).toEqual([path, true]);
    expect(await datesIn('/card/mtg/beta-beta?view=pictures')).not.toContain('close of 29 jun 2026');
  });
});
