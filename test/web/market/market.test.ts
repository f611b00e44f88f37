import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, aSet, aVoid, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { blockOf, complaintsOf } from '../../support/structured-data.ts';

let fresh: FreshDatabase;
let api: TestApp;
let later: TestApp;
let ids: Record<'up' | 'down' | 'raw' | 'lorcana', string>;

beforeAll(async () => {
  fresh = await freshDatabase();
  const { db } = fresh;
  const base = await aSet(db);
  const up = await anItem(db, { set: base, number: '1', name: 'Riser & Co', variation: 'Holo' });
  const down = await anItem(db, { set: base, number: '2', name: 'Faller' });
  const raw = await anItem(db, { set: base, number: '3', name: 'Bare' });
  const chapter = await aSet(db, { game: 'lorcana', name: 'Chapter', code: 'c1' });
  const lorcana = await anItem(db, { set: chapter, number: '9', name: 'Elsa' });
  ids = { up, down, raw, lorcana };
  for (const [itemId, from, to] of [
    [up, 100_00, 200_00],
    [down, 100_00, 60_00],
    [lorcana, 50_00, 80_00],
  ] as const) {
    await manySales(db, { itemId, from: '2026-01-01', to: '2026-06-20', everyDays: 3, usdCents: from });
    for (const day of ['25', '26', '27', '28']) await aSale(db, { itemId, sold: `2026-06-${day}`, usdCents: to });
  }
  await manySales(db, { itemId: raw, gradeKey: 'raw-A', from: '2026-01-01', to: '2026-06-28', usdCents: 5_00 });
  await aSale(db, { itemId: raw, gradeKey: 'raw-A', sold: '2026-06-29', usdCents: 777_00, rejection: 'lot' });
  for (const url of ['javascript:alert(1)', 'https://shop.example/1'])
    await aSale(db, { itemId: raw, gradeKey: 'raw-A', sold: '2026-06-27', usdCents: 5_00, url });
  const voided = await aSale(db, { itemId: down, sold: '2026-06-29', usdCents: 888_00 });
  await aVoid(db, voided, 'unpaid', '2026-06-29');
  await closeDays(db);
  api = await testApp(db);
  later = await testApp(db, { today: '2026-08-20' });
});

afterAll(async () => {
  await api?.app.close();
  await later?.app.close();
  await fresh?.close();
});

const HTML = { accept: 'text/html' };
const page = async (path: string) => (await api.get(path, HTML)).text;
const namesOf = (text: string) =>
  [...text.matchAll(/class="row-link" href="[^"]+"><bdi>([^<]*)/g)].map(([, name]) => name);

describe('movers', () => {
  test('are the cards that moved on sales, biggest first, each with its evidence', async () => {
    const text = await page('/movers');
    expect(namesOf(text)).toEqual(['Riser &amp; Co', 'Elsa', 'Faller']);
    expect(text).toContain('PSA 10\u00a0· <bdi>Base</bdi> <span class="number">#1</span>\u00a0· <bdi>Holo</bdi>');
    expect(text).toMatch(/[2-9] sales, last \$200\.00 on <time/);
    expect(blockOf(text, 'ItemList').numberOfItems).toBe(3);
    expect(await complaintsOf(text)).toEqual([]);
    expect((await api.get('/movers.md')).text).toMatch(/\| \[Faller, Base \\#2\].* \| PSA 10 \| −/);
  });

  test('are narrowed by game, grade and direction', async () => {
    const names = async (query: string) => namesOf(await page(`/movers?${query}`));
    expect(await names('direction=down')).toEqual(['Faller']);
    expect(await names('game=lorcana')).toEqual(['Elsa']);
    expect(await names('game=pokemon&direction=up&grade=graded&window=14')).toEqual(['Riser &amp; Co']);
    expect(await names('grade=raw')).toEqual([]);
    expect(await page('/movers?game=lorcana')).toContain('noindex');
    expect(await page('/movers?game=mtg')).toContain('No card has moved on its own sales');
  });

  test('of other games than the indexed ones do not reach the featured cards', async () => {
    const { cards } = (await api.get('/v1/items/featured')).json;
    expect(cards.map(({ name }: { name: string }) => name)).toEqual(['Riser & Co', 'Faller']);
  });
});

describe('sales', () => {
  test('are the accepted ones, newest first or biggest first, in pages', async () => {
    const newest = await page('/sales');
    expect(namesOf(newest)[0]).toMatch(/Riser|Faller|Elsa/);
    expect(newest).not.toContain('javascript:');
    expect(newest).toContain('href="https://shop.example/1"');
    expect(newest).not.toContain('$777.00');
    expect(newest).not.toContain('$888.00');
    const biggest = await page('/sales?order=biggest&days=365');
    expect(namesOf(biggest).slice(0, 4)).toEqual(Array(4).fill('Riser &amp; Co'));
    expect(namesOf(biggest)).toHaveLength(50);
    expect(biggest).toContain('href="/sales?order=biggest&amp;days=365&amp;page=2" rel="next"');
    const second = await page('/sales?order=biggest&days=365&page=2');
    expect(second).toContain('rel="prev"');
    expect((await api.get('/sales?page=20', HTML)).status).toBe(404);
  });

  test('are narrowed by game, days and kind', async () => {
    const names = async (query: string) => [...new Set(namesOf(await page(`/sales?${query}`)))].sort();
    expect(await names('kind=raw')).toEqual(['Bare']);
    expect(await names('game=lorcana&days=7')).toEqual(['Elsa']);
    expect(await names('kind=graded&days=7&game=pokemon')).toEqual(['Faller', 'Riser &amp; Co']);
    for (const [path, query] of [
      ['/sales', '?kind=raw'],
      ['/movers', '?window=30&direction=up'],
    ] as const) {
      const page = (await api.get(path + query)).text.replaceAll('&amp;', '&');
      expect(page).toContain(`href="${path}.md${query}"`);
      expect((await api.get(`${path}.md${query}`)).headers.link).toBe(
        `<https://prices.example${path}${query}>; rel="canonical"`,
      );
    }
    expect((await api.get('/sales.md?kind=raw')).text).toContain('| [Bare, Base \\#3](/card/');
  });
});

test('pages of lists reject what they do not know', async () => {
  for (const path of [
    '/movers?window=8',
    '/movers?game=chess',
    '/movers?grade=psa-11',
    '/movers?direction=left',
    '/movers?page=0',
    '/movers?page=41',
    '/movers.md?window=x',
    '/sales?order=oldest',
    '/sales?days=1000',
    '/sales?kind=slab',
    '/sales?page=21',
  ])
    expect((await api.get(path, HTML)).status, path).toBe(400);
});

describe('feeds', () => {
  const titlesOf = (text: string) => [...text.matchAll(/<entry>.*?<title>([^<]*)/gs)].map(([, title]) => title!);

  test('of a card: its sales, and the day its price left the range of the day before', async () => {
    const { json } = await api.get(`/v1/items/by-id/${ids.up}/overview`);
    const { status, headers, text } = await api.get(`${json.href}/feed.xml`);
    expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    const titles = titlesOf(text);
    expect(titles.some((title) => /^Riser &#38; Co, .*, PSA 10 sold for \$200\.00$/.test(title))).toBe(true);
    expect(titles.some((title) => /^PSA 10 moved from \$\d+\.\d\d to \$\d+\.\d\d$/.test(title))).toBe(true);
    expect(new Set([...text.matchAll(/<id>([^<]*)/g)].map(([, id]) => id)).size).toBe(titles.length + 1);
    expect(await page(json.href)).toContain(`href="${json.href}/feed.xml"`);
  });

  test('of a set: its sales and its movers, and nothing of another set', async () => {
    const titles = titlesOf((await api.get('/card/pokemon/base-base1/feed.xml')).text);
    expect(titles.some((title) => /^Faller, .*, PSA 10: −/.test(title))).toBe(true);
    expect(titles.some((title) => title.startsWith('Elsa'))).toBe(false);
    expect(titles.some((title) => title.includes('777'))).toBe(false);
  });

  test('of what is not there are 404, also where an index has none', async () => {
    for (const path of [
      '/card/pokemon/nope/feed.xml',
      '/card/pokemon/base-base1/nope/feed.xml',
      '/indices/chess/feed.xml',
    ])
      expect((await api.get(path)).status, path).toBe(404);
    expect((await api.get('/indices/pokemon/feed.xml')).status).toBe(200);
  });
});

describe('freshness', () => {
  test('is on every page: the newest sale known and its age, marked as old after three days', async () => {
    const now = await page('/about');
    expect(now).toMatch(
      /class="freshness"><a href="\/status">Newest sale known<\/a>: <time [^>]+>28 Jun 2026<\/time> \(2 days ago\)/,
    );
    expect((await later.get('/about', HTML)).text).toMatch(/class="freshness stale">.*\(53 days ago\)/);
  });

  test('is stated in words by the status page, by game and place', async () => {
    const text = await page('/status');
    expect(text).toContain('Prices and sales are current.');
    expect(text).toContain('Lorcana');
    expect(text).toContain('30 Jun 2026');
    const old = (await later.get('/status', HTML)).text;
    expect(old).toContain('No new sale for 53 days: the newest is of 28 Jun 2026.');
    expect(old).toContain('class="notice notice-old"');
    expect((await later.get('/status.md')).text).toContain('| Pokémon | 28 Jun 2026 | 0 |');
  });

  test('without a sale says that there are no prices', async () => {
    const empty = await freshDatabase();
    const bare = await testApp(empty.db);
    expect((await bare.get('/status', HTML)).text).toContain('No sale is recorded yet, so there are no prices.');
    expect((await bare.get('/movers', HTML)).status).toBe(200);
    expect((await bare.get('/sales', HTML)).status).toBe(200);
    await bare.app.close();
    await empty.close();
  });
});
