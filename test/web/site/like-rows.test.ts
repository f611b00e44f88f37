import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeIndices } from '../../../src/indices/close/close.ts';
import { parseDay } from '../../../src/lib/day.ts';
import type { Suggestion } from '../../../src/web/search/search-suggest.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { likeRows } from '../../support/pages/like-rows.ts';

let database: FreshDatabase;
let web: TestApp;
let removed: string;

/** Cards of one name and number that only set, variation and language distinguish, sold at two grades, some never. */
beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  for (const [name, code] of [
    ['Base', 'base1'],
    ['Base Reprint', 'base9'],
  ] as const) {
    const set = await aSet(db, { name, code });
    for (const language of ['English', 'Japanese', 'German', 'French'])
      for (const variation of [null, '1st Edition', 'Shadowless', 'Never Sold']) {
        const itemId = await anItem(db, { set, language, variation });
        if (variation === 'Never Sold') continue;
        const sold = { itemId, everyDays: 4, gradeKey: language === 'German' ? 'psa-9' : 'psa-10' };
        await manySales(db, { ...sold, from: '2026-01-01', to: '2026-06-20' });
        await manySales(db, { ...sold, from: '2026-06-21', to: '2026-06-28', usdCents: 108_00, everyDays: 2 });
      }
  }
  await closeDays(db);
  await closeIndices(db, { through: parseDay('2026-06-29')! });
  web = await testApp(db);
  const [gone] = (await web.get('/v1/search?q=charizard+never+sold&limit=1')).json.results;
  removed = (await web.get(`/v1/items/by-id/${gone.id}/overview`)).json.href;
  await db.query('update items set removed_at = now() where id = $1', [gone.id]);
});
afterAll(async () => {
  await web.app.close();
  await database.close();
});

const read = async (path: string) => (await web.get(path)).text;

describe('cards that only their set, variation or language distinguishes', () => {
  test('are in the index, the movers and the latest sales', async () => {
    expect((await web.get('/v1/indices/pokemon')).json.constituents.length).toBeGreaterThanOrEqual(20);
    expect((await web.get('/v1/items/featured?limit=24')).json.cards).toHaveLength(24);
    const { trades } = (await web.get('/v1/trades/recent')).json;
    const known = new Set(
      trades.map(({ card }: { card: Record<string, string> }) => `${card.setName} ${card.variation} ${card.language}`),
    );
    expect(known.size).toBeGreaterThan(5);
  });

  test.each([
    '/',
    '/movers?window=30',
    '/movers?window=30&direction=up',
    '/movers.md?window=30',
    '/movers.xml',
    '/sales',
    '/sales.md',
    '/indices/pokemon',
    '/indices/pokemon.md',
    '/indices/pokemon/feed.xml',
    '/card/pokemon/base-base1',
    '/card/pokemon/base-base1?sort=name',
    '/card/pokemon/base-base1?view=list',
    '/card/pokemon/base-base1?view=pictures',
    '/card/pokemon/base-base1?view=list&printings=all',
    '/card/pokemon/base-base1.md',
    '/card/pokemon/base-base1/feed.xml',
    '/search?q=charizard',
    '/search?q=charizard+psa+10',
  ])('never read the same in %s', async (path) => {
    const text = await read(path);
    expect(text.match(/\/card\/pokemon\/base[\w-]*\/4-charizard/g)!.length).toBeGreaterThan(0);
    expect(likeRows(text)).toEqual([]);
  });

  test('never read the same on the page of a card, over all grades and at one', async () => {
    const { results } = (await web.get('/v1/search?q=charizard&limit=4')).json;
    for (const { href, id } of results) {
      const overview = (await web.get(`/v1/items/by-id/${id}/overview`)).json.href;
      for (const path of [href, overview, `${overview}.md`, `${overview}/feed.xml`])
        expect(likeRows(await read(path)), path).toEqual([]);
    }
  });

  test('never read the same on the page of a withdrawn card', async () => {
    const { status, text } = await web.get(removed);
    expect(status).toBe(410);
    expect(text.match(/<ul class="printings">/)).not.toBeNull();
    expect(likeRows(text)).toEqual([]);
  });

  test('never read the same among the suggestions', async () => {
    const { suggestions } = (await web.get('/search/suggest.json?q=charizard')).json;
    const lines = suggestions.map(({ name, facts }: Suggestion) => [name, ...facts].map(({ text }) => text).join(' '));
    expect(lines.length).toBeGreaterThan(1);
    expect(new Set(lines).size).toBe(lines.length);
  });
});

test('two rows are found that read the same but for price, move and day', () => {
  const row = (href: string, price: string) =>
    `<li><a href="/card/a/b/${href}">Ace</a> PSA 10 ${price} <time>1 Jun 2026</time></li>`;
  expect(likeRows(`<ul>${row('x', '$40.99')}${row('y', '$4,872')}</ul>`)).toHaveLength(1);
  expect(likeRows(`<ul>${row('x', '$40.99')}${row('x', '$4,872')}</ul>`)).toEqual([]);
  const cell = (href: string) => `<tr><td>${href}</td><th><a href="/card/a/b/${href}">Ace</a></th></tr>`;
  expect(likeRows(`<tbody>${cell('x')}${cell('y')}</tbody>`)).toHaveLength(1);
  expect(likeRows('| 1 | [Ace](/card/a/b/x.md) | $1.00 |\n| 2 | [Ace](/card/a/b/y.md) | $2.00 |')).toHaveLength(1);
});
