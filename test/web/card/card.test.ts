import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawInTurn } from '../../../src/web/share/share-drawing.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { aListing, anItem, aSale, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { blockOf, complaintsOf, isMissingOffers, typesOf } from '../../support/structured-data.ts';

let database: FreshDatabase;
let web: TestApp;
let id8: string;
const EVERY_PAGE = ['Organization', 'WebSite', 'BreadcrumbList'];

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const itemId = await anItem(db);
  id8 = itemId.slice(0, 8);
  await manySales(db, { itemId, everyDays: 3 });
  await aSale(db, { itemId, sold: '2026-06-20', usdCents: 3_00, rejection: 'lot', url: 'https://market.example/1' });
  await aSale(db, { itemId, sold: '2026-06-19', usdCents: null, rejection: 'fx_missing', url: 'javascript:alert(1)' });
  await aSale(db, { itemId, gradeKey: 'psa-4', sold: '2026-06-18', usdCents: 4_00, rejection: 'not_card' });
  await manySales(db, { itemId, gradeKey: 'psa-9', usdCents: 40_00, everyDays: 5 });
  await aListing(db, { itemId, firstSeen: '2026-05-01', lastSeen: '2026-06-25', usdCents: 120_00 });
  await aListing(db, { itemId, firstSeen: '2026-06-01', lastSeen: '2026-06-28', usdCents: 150_50 });
  await aListing(db, {
    itemId,
    firstSeen: '2026-06-01',
    lastSeen: '2026-06-28',
    endedAt: '2026-06-28',
    usdCents: 1_00,
  });
  await aListing(db, { itemId, firstSeen: '2026-04-01', lastSeen: '2026-05-01', usdCents: 2_00 });
  const inShops = await anItem(db, { number: '7', name: 'Squirtle' });
  for (const day of ['02', '09', '16'])
    for (const [gradeKey, saleType] of [
      ['psa-10', 'shop'],
      ['psa-8', 'fixed'],
    ] as const)
      await aSale(db, { itemId: inShops, gradeKey, sold: `2026-06-${day}`, usdCents: 50_00, saleType });
  await anItem(db, { language: 'Japanese' });
  await anItem(db, { variation: '1st Edition' });
  await anItem(db, { number: '5', name: 'Clefairy' });
  const removed = await anItem(db, { number: '6', name: 'Gyarados' });
  await db.query(`update items set removed_at = '2026-05-01' where id = $1`, [removed]);
  await closeDays(db);
  web = await testApp(db);
});
afterAll(async () => {
  await web.app.close();
  await database.close();
});

const base = '/card/pokemon/base-base1';
const graded = (key = 'psa-10') => `${base}/4-charizard-${key}-${id8}`;
const shown = (html: string) =>
  html
    .replace(/<script.*?<\/script>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the page of a card at a grade', () => {
  test('shows the price with its range, its date, its confidence in words and its moves', async () => {
    const { status, text, headers } = await web.get(graded());
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const words = shown(text);
    expect(words).toMatch(/Reference price, PSA 10 \$\d+\.\d\d Close of 29 Jun 2026 \(UTC\)/);
    expect(words).toMatch(/Value 80% chance that it is between \$\d+\.\d\d and \$\d+\.\d\d/);
    expect(words).toMatch(/Next sale 80% chance that it is between \$\d+\.\d\d and \$\d+\.\d\d/);
    expect(words).toContain('Last sale $100.00 , 27 Jun 2026 , 3 days ago');
    expect(words).toMatch(
      /(Prime|High|Medium|Low) , 0\.\d\d: We expect the true value to be within 15% of this price \d+% of the time/,
    );
    expect(words).toMatch(/7 days [▲▼■] [+−]?\d+\.\d%/);
    expect(words).toMatch(/30 sales, all in the past year/);
  });

  test('draws every sale, rejected ones with the reason, and listings separately', async () => {
    const { text } = await web.get(`${graded()}?window=365`);
    expect(/class="chart-sales" d="([^"]*)"/.exec(text)![1]!.match(/M/g)).toHaveLength(30);
    expect(text).toContain('<title>20 Jun 2026, $3.00. Rejected: a lot of several cards</title>');
    expect(/class="chart-listings" d="([^"]+)"/.exec(text)![1]).toMatch(/^M/);
    expect(text).toContain('<summary>Show as table</summary>');
  });

  test('lists the newest sales; only addresses of the web become links', async () => {
    const { text } = await web.get(graded());
    expect(text).toContain('href="https://market.example/1" rel="nofollow noreferrer"');
    expect(text).not.toContain('javascript:');
    expect(shown(text)).toContain('Rejected: no exchange rate for its day');
  });

  test('shows other grades, languages, variants and cards of the set', async () => {
    const { text } = await web.get(graded());
    expect(text).toContain(`href="${base}/4-charizard-psa-9-${id8}"`);
    expect(text).toMatch(new RegExp(`${base}/4-charizard-japanese-[0-9a-f]{8}"`));
    expect(shown(text)).toContain('1st Edition');
    expect(shown(text)).toContain('Clefairy');
  });

  test('carries a Product whose offers are live listings of the last 30 days alone', async () => {
    const { text } = await web.get(graded());
    expect(typesOf(text)).toEqual([...EVERY_PAGE, 'Product']);
    const product = blockOf(text, 'Product');
    expect(product.offers).toEqual({
      '@type': 'AggregateOffer',
      lowPrice: '120.00',
      highPrice: '150.50',
      offerCount: 2,
      priceCurrency: 'USD',
    });
    const properties = product.additionalProperty;
    expect(properties.map((one: { name: string }) => one.name)).toEqual([
      'Reference price',
      'Recorded sales',
      'Reference price updated',
    ]);
    expect(properties[0].unitText).toBe('USD');
    // Of the thirty that are recorded: deeper history is never published here.
    expect(properties[1].value).toBe(10);
    expect(properties[2].value).toBe('2026-06-30T00:00:00.000Z');
    expect(await complaintsOf(text)).toEqual([]);
  });

  test('says of a price that shops have made, on the page and its Markdown, why it is below what they took', async () => {
    const why = 'Our prices are those of auctions: what a shop or a fixed price usually adds is taken off';
    const [row] = await database.db.query<{ id8: string }>(`select id8 from items where name = 'Squirtle'`);
    for (const type of ['', '.md']) {
      for (const grade of ['psa-10', 'psa-8'])
        expect((await web.get(`${base}/7-squirtle-${grade}-${row!.id8}${type}`)).text).toContain(why);
      expect((await web.get(`${graded()}${type}`)).text).not.toContain(why);
    }
  });

  test('says why there is no price, and its Product has no offers', async () => {
    const { status, text } = await web.get(graded('psa-3'));
    expect(status).toBe(200);
    expect(shown(text)).toContain('No reference price No PSA 3 sales recorded.');
    expect(text).toContain('<meta name="robots" content="noindex"/>');
    const product = blockOf(text, 'Product');
    expect(product).not.toHaveProperty('offers');
    expect(product).not.toHaveProperty('additionalProperty');
    const complaints = await complaintsOf(text);
    expect(complaints.length).toBeGreaterThan(0);
    expect(complaints.filter((one) => !isMissingOffers(one))).toEqual([]);
  });

  test('says that all sales recorded at a grade were rejected', async () => {
    const { text } = await web.get(graded('psa-4'));
    expect(shown(text)).toContain('The only recorded sale at PSA 4 was rejected');
    expect(shown(text)).toContain('Rejected: not the genuine card');
  });

  test('runs nothing inline and requests nothing from other sites', async () => {
    const { text, headers } = await web.get(graded());
    expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'");
    expect(headers['set-cookie']).toBeUndefined();
    expect(text).not.toMatch(/ style=| on[a-z]+="/);
    const loaded = [...text.matchAll(/<(?:img|script|link rel="stylesheet")[^>]+(?:src|href)="([^"]+)"/g)];
    expect(loaded.every(([, address]) => address!.startsWith('/'))).toBe(true);
  });
});

describe('the page of a card over its grades', () => {
  test('lists them by falling price, in its table and its ItemList alike', async () => {
    const { text } = await web.get(`${base}/4-charizard-${id8}`);
    expect(typesOf(text)).toEqual([...EVERY_PAGE, 'Product', 'ItemList']);
    const names = blockOf(text, 'ItemList').itemListElement.map(({ url }: { url: string }) => url);
    expect(names).toEqual([graded('psa-10'), graded('psa-9')].map((href) => `https://prices.example${href}`));
    const rows = [...text.matchAll(/<th scope="row"><a href="([^"]+)"/g)].map(([, href]) => href);
    expect(rows).toEqual([graded('psa-10'), graded('psa-9')]);
    expect(blockOf(text, 'Product')).not.toHaveProperty('offers');
    expect((await complaintsOf(text)).filter((one) => !isMissingOffers(one))).toEqual([]);
  });

  test('without a sale it says so and has no ItemList', async () => {
    const { text } = await web.get(`${base}/5-clefairy`).then(({ headers }) => web.get(String(headers.location)));
    expect(shown(text)).toContain('There is no accepted sale of this card at any grade.');
    expect(typesOf(text)).toEqual([...EVERY_PAGE, 'Product']);
  });
});

describe('addresses of a card', () => {
  test('a wrong name, another case or a grade spelled otherwise leads to the one address, 308', async () => {
    for (const path of [
      `${base}/4-charizar-psa-10-${id8}`,
      `/card/Pokemon/BASE-base1/4-Charizard-PSA-10-${id8.toUpperCase()}`,
      `${base}/9-blastoise-psa-10-${id8}`,
    ]) {
      const { status, headers } = await web.get(path);
      expect({ path, status, to: headers.location }).toEqual({ path, status: 308, to: graded() });
    }
    expect((await web.get(graded('raw-a'))).headers.location).toBe(graded('raw-A'));
    // With its day, its window, its currency.
    for (const form of ['', '.md', '.png'])
      expect((await web.get(`${graded('raw-a')}${form}?on=2026-06-28&window=90`)).headers.location).toBe(
        `${graded('raw-A')}${form}?on=2026-06-28&window=90`,
      );
    expect((await web.get(graded('raw-A'))).status).toBe(200);
    expect((await web.get(`${base}/4-charizar-psa-10-${id8}.md`)).headers.location).toBe(`${graded()}.md`);
  });

  test('one that fits several cards is 404 and names them', async () => {
    const { status, text } = await web.get(`${base}/4-charizard`, { accept: 'text/html' });
    expect(status).toBe(404);
    expect(text).toContain(`${base}/4-charizard-${id8}`);
  });

  test('that of a withdrawn card is 410, with what else there is', async () => {
    const first = await web.get(`${base}/6-gyarados`);
    const { status, text, headers } = await web.get(String(first.headers.location));
    expect(status).toBe(410);
    expect(headers['cache-control']).toBe('no-store');
    expect(shown(text)).toContain('This card was removed from the catalog on 1 May 2026');
    expect(shown(text)).toContain('Clefairy');
    expect((await web.get(`${first.headers.location}.md`)).status).toBe(410);
  });
});

describe('the chart of a window', () => {
  test('is in the page of that window; without one, or an unknown one, in the shortest with five sales', async () => {
    const windowOf = async (query: string) =>
      /<a [^>]*aria-current="true"[^>]*>([^<]*(?:days|year|All)[^<]*)</.exec(
        (await web.get(graded() + query)).text,
      )![1];
    expect([await windowOf('?window=90'), await windowOf(''), await windowOf('?window=7d')]).toEqual([
      '90 days',
      '30 days',
      '30 days',
    ]);
  });

  test('a window in which nothing happened says so', async () => {
    const { text } = await web.get(`${graded('psa-4')}?window=30`);
    expect(text).toContain('Rejected sale');
    const itemId = await anItem(database.db, { number: '91', name: 'Old' });
    await aSale(database.db, { itemId, sold: '2024-01-01' });
    const old = await web.get(`${base}/91-old-psa-10-${itemId.slice(0, 8)}?window=30`);
    expect(old.text).toContain('Nothing is recorded in this window.');
    await database.db.query('delete from sales where item_id = $1', [itemId]);
    await database.db.query('delete from items where id = $1', [itemId]);
  });

  test('draws the newest thousand sales, five times what the API sends at once', async () => {
    const itemId = await anItem(database.db, { number: '90', name: 'Busy' });
    for (const [source, from] of [
      ['ebay', '2024-01-01'],
      ['house', '2025-10-01'],
    ] as const)
      await manySales(database.db, { itemId, source, from, everyDays: 1 });
    const href = `${base}/90-busy-psa-10-${itemId.slice(0, 8)}`;
    const { total } = (await web.get(`/v1/items/by-id/${itemId}/trades?limit=200`)).json;
    expect(total).toBeGreaterThan(1000);
    const { text } = await web.get(`${href}?window=all`);
    expect(/class="chart-sales" d="([^"]*)"/.exec(text)![1]!.match(/M/g)).toHaveLength(1000);
    expect(text).toContain(`The oldest ${total - 1000} sales are not drawn.`);
    await database.db.query('delete from sales where item_id = $1', [itemId]);
    await database.db.query('delete from items where id = $1', [itemId]);
  });
});

describe('the picture of a card', () => {
  test('is a PNG of 1200 × 630', async () => {
    const { rawPayload } = await web.app.inject(`${graded()}.png`);
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
  });

  test('when two are being drawn and sixteen wait, the next is answered 503 with Retry-After, and 200 when they are done', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const drawings = Array.from({ length: 18 }, () => drawInTurn(() => held));
    const { statusCode, headers } = await web.app.inject(`${graded()}.png`);
    expect(statusCode).toBe(503);
    expect(headers['retry-after']).toBe('5');
    release();
    await Promise.all(drawings);
    expect((await web.get(`${graded()}.png`)).status).toBe(200);
  });

  test('no more than two are drawn at a time, in order of arrival', async () => {
    const order: number[] = [];
    let running = 0;
    let most = 0;
    const drawings = Array.from({ length: 10 }, (_, n) =>
      drawInTurn(async () => {
        order.push(n);
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
      }),
    );
    await Promise.all(drawings);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(most).toBe(2);
  });
});
