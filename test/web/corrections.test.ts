import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { priceOn, type SoldCard, soldCard } from '../items/corrections/world.ts';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aVoid, closeDays } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { complaintsOf } from '../support/structured-data.ts';

const HTML = { accept: 'text/html' };
let database: FreshDatabase;
let db: Db;
let api: TestApp;
let voided: SoldCard;
let many: string;
let hostile: string;

const hrefOf = (id: string, name: string, grade = 'psa-10-') =>
  `/card/pokemon/base-base1/${name}-${grade}${id.slice(0, 8)}`;
const anchors = (text: string) => [...text.matchAll(/<li id="([^"]+)"/g)].map((match) => match[1]);

beforeAll(async () => {
  database = await freshDatabase();
  db = database.db;
  voided = await soldCard(db, '1', 12_345_00);
  many = (await soldCard(db, '2')).id;
  const sales: number[] = [];
  for (let i = 0; i < 57; i++) sales.push(await aSale(db, { itemId: many, sold: '2026-06-01' }));
  hostile = await anItem(db, { number: '9', name: '<b>&"]] | x' });
  const last = await aSale(db, { itemId: hostile, sold: '2026-06-20' });
  await closeDays(db, '2026-06-22');
  for (const sale of sales) await aVoid(db, sale, 'duplicate', '2026-06-23');
  await aVoid(db, last, '<i>odd</i>', '2026-06-24');
  await aVoid(db, voided.odd, 'unpaid', '2026-06-25');
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('the page of corrections', () => {
  test('has what the API lists, page by page, each with a link to its card', async () => {
    const first = await api.get('/corrections', HTML);
    expect(first.status).toBe(200);
    const { corrections } = (await api.get('/v1/corrections?limit=200')).json;
    expect(corrections).toHaveLength(59);
    const next = /href="(\/corrections\?after=[^"]+)" rel="next"/.exec(first.text)![1]!;
    const second = await api.get(next, HTML);
    expect(second.text).not.toContain('rel="next"');
    expect(second.text).toContain('<meta name="robots" content="noindex"/>');
    expect([...anchors(first.text), ...anchors(second.text)]).toEqual(corrections.map(({ id }: { id: string }) => id));
    expect(first.text).toContain(`<a href="${hrefOf(voided.id, '1-card-1')}"><bdi>Card 1, Base #1, PSA 10</bdi></a>`);
    const before = (await priceOn(db, voided.id, '2026-06-24'))! / 100;
    expect(first.text).toContain(
      `<dt>Price before</dt><dd>$${before.toLocaleString('en-US', { minimumFractionDigits: 2 })}</dd>`,
    );
    expect(first.text).toMatch(
      /<dd><span class="number">20 Jun 2026<\/span> to <span class="number">24 Jun 2026<\/span><\/dd>/,
    );
    expect(first.text).not.toContain('<b>&');
  });

  test('is found from the footer, the sitemap and llms.txt, and its structured data is valid', async () => {
    const { text } = await api.get('/about', HTML);
    expect(text).toContain('<a href="/corrections">Corrections</a>');
    expect((await api.get('/sitemaps/pages.xml')).text).toContain(`<loc>${BASE_URL}/corrections</loc>`);
    expect((await api.get('/llms.txt')).text).toContain(`(${BASE_URL}/corrections.md)`);
    const page = (await api.get('/corrections', HTML)).text;
    expect(await complaintsOf(page)).toEqual([]);
    expect(page).toContain('"@type":"BreadcrumbList"');
    expect(page).toContain('"@type":"CollectionPage"');
    expect(page).toContain('<link rel="alternate" type="text/markdown" href="/corrections.md"/>');
    expect(page).toContain(
      '<link rel="alternate" type="application/atom+xml" href="/corrections.xml" title="Corrections"/>',
    );
  });

  test('says so when nothing has been corrected', async () => {
    const fresh = await freshDatabase();
    const app = await testApp(fresh.db);
    for (const path of ['/corrections', '/corrections.md'])
      expect((await app.get(path, HTML)).text).toContain('Nothing has been corrected yet.');
    expect((await app.get('/corrections.xml')).text).not.toContain('<entry>');
    await app.app.close();
    await fresh.close();
  });

  test('of a changed cursor is an error page', async () => {
    const { status } = await api.get('/corrections?after=x', HTML);
    expect(status).toBe(400);
  });

  test('is Markdown too, with one line a correction', async () => {
    const { text, headers } = await api.get('/corrections.md');
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(headers.link).toBe(`<${BASE_URL}/corrections>; rel="canonical"`);
    const rows = text.split('\n').filter((line) => line.startsWith('| 2'));
    expect(rows).toHaveLength(50);
    expect(rows[0]).toMatch(
      /^\| 25 Jun 2026 \| \[Card 1, Base \\#1, PSA 10\]\(\/card\/.*\) \| Sale voided: Sale of 20 Jun 2026 for \$12,345\.00: never paid\. \| \$[\d,.]+ \| \$[\d,.]+ \| 20 Jun 2026 to 24 Jun 2026 \|$/,
    );
    expect(rows[1]).toContain('\\<b\\>\\&"\\]\\] \\| x');
  });
});

test('the feed of corrections has an entry for each, escaped, with the moment it became known', async () => {
  const { status, headers, text } = await api.get('/corrections.xml');
  expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
  expect(text.match(/<entry>/g)).toHaveLength(50);
  expect(text).toContain('<updated>2026-06-25T00:00:00.000Z</updated>\n<author>');
  expect(text).toContain(
    `<entry><id>${BASE_URL}/corrections#sale-${voided.odd}</id><title>Sale voided: Card 1, Base #1, PSA 10</title>`,
  );
  expect(text).toContain('&#60;b&#62;&#38;&#34;]] | x');
  expect(text).toMatch(
    /never paid\. Price before: \$[\d,.]+\. At the next close: \$[\d,.]+\. Days that would differ today: 20 Jun/,
  );
  expect(new Set(text.match(/<id>[^<]+<\/id>/g)).size).toBe(51);
});

describe('the page of a card', () => {
  test('lists its corrections at every grade, at most twenty, with their data', async () => {
    for (const href of [hrefOf(many, '2-card-2'), hrefOf(many, '2-card-2', '')]) {
      const { text } = await api.get(href, HTML);
      expect(anchors(text)).toHaveLength(20);
      expect(text).toContain('The newest 20.');
      expect(text).toContain(`href="/v1/corrections?item=${many}&amp;limit=200"`);
      const twin = (await api.get(`${href}.md`)).text;
      expect(twin.slice(twin.indexOf('## Corrections')).match(/^\| 23 Jun 2026/gm)).toHaveLength(20);
    }
  });

  test('has no such part without any', async () => {
    const id = await anItem(db, { number: '10', name: 'Sound' });
    await aSale(db, { itemId: id, sold: '2026-06-28' });
    const { text } = await api.get(hrefOf(id, '10-sound'), HTML);
    expect(text).toContain('id="sales"');
    expect(text).not.toContain('id="corrections"');
    expect((await api.get(`${hrefOf(id, '10-sound')}.md`)).text).not.toContain('## Corrections');
  });
});
