import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { unbroken } from '../../support/pages/unbroken.ts';

const ID = '6e7fdc9a-3f52-4c8b-9d0e-2f4a1b7c8d90';
const PATH = '/card/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a';

let database: FreshDatabase;
let web: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await aSet(db);
  await anItem(db, { id: ID, year: 1999 });
  await manySales(db, { itemId: ID, usdCents: 300_00 });
  await closeDays(db, '2026-06-28');
  await aSale(db, { itemId: ID, sold: '2026-06-29', usdCents: 420_00 });
  await closeDays(db, '2026-06-29');
  web = await testApp(db);
});
afterAll(async () => {
  await web.app.close();
  await database.close();
});

const priceOn = async (day: string) =>
  (await web.get(`/v1/items${PATH.slice(5)}?asOf=${day}`)).json.priceUsdCents / 100;

describe('the page of a card on a day', () => {
  test('shows the price that was published at that close, under an address of its own', async () => {
    const [then, now] = [await priceOn('2026-06-28'), await priceOn('2026-06-29')];
    expect(then).toBeLessThan(now);
    const { status, text } = await web.get(`${PATH}?on=2026-06-28`);
    expect(status).toBe(200);
    expect(text).toContain(`<data value="${then}">`);
    expect(unbroken(text)).toContain('Close of 28 Jun 2026 (UTC), as published then.');
    expect(text).toContain(`<link rel="canonical" href="https://prices.example${PATH}?on=2026-06-28"`);
    expect(text).toMatch(/Close of <time datetime="2026-06-28">28 Jun 2026<\/time> \(UTC\)/);
    expect(unbroken(text.replace(/<[^>]+>/g, ''))).toContain('Reference prices, close of 28 Jun 2026 (UTC)');
    expect(text).toContain('What this price is made of');
    // An age is one of today.
    const lastSale = /<dt>Last sale<\/dt><dd>.*?<\/dd>/.exec(unbroken(text))![0].replace(/<[^>]+>/g, '');
    expect(lastSale).toMatch(/^Last sale\d+ \w+ 2026$/);
    // The other grades of that day, and the way back to today.
    expect(text).toContain(`<a href="${PATH}?on=2026-06-28">PSA 10</a>`);
    expect(text).toContain(`<a href="${PATH}">The price today</a>`);
    expect((await web.get(PATH)).text).toContain(`<data value="${now}">`);
  });

  test('has a twin in Markdown, with the figures of that day and the addresses of that day', async () => {
    const [then, now] = [await priceOn('2026-06-28'), await priceOn('2026-06-29')];
    const twin = `${PATH}.md?on=2026-06-28`;
    expect((await web.get(`${PATH}?on=2026-06-28`)).text).toContain(
      `<link rel="alternate" type="text/markdown" href="${twin}"`,
    );
    const { text, headers } = await web.get(twin);
    expect(text).toContain(`- Reference price: **$${then.toFixed(2)}** close of 28 Jun 2026 (UTC)`);
    expect(text).not.toContain(now.toFixed(2));
    expect(text).not.toContain('420.00');
    expect(text).toContain(`[PSA 10](${twin}) | $${then.toFixed(2)} |`);
    expect(text).toContain(`[Page](https://prices.example${PATH}?on=2026-06-28)`);
    expect(text).toContain(`${PATH.slice(5)}?asOf=2026-06-28)`);
    expect(headers.link).toContain(`<https://prices.example${PATH}?on=2026-06-28>; rel="canonical"`);
    expect((await web.get(`${PATH}.md`)).text).toContain(`**$${now.toFixed(2)}** close of 29 Jun 2026`);
    expect((await web.get(`${PATH}.md?on=2020-01-01`)).status).toBe(404);
  });

  test('that was not closed names the days that were', async () => {
    const page = async (path: string) => (await web.get(path, { accept: 'text/html' })).text;
    expect(await page(`${PATH}?on=2020-01-01`)).toContain('Prices were published from');
    expect(await page('/movers?page=40')).toContain('<p>There are no further movers.</p>');
    // What is said to programs is not.
    expect(await page('/nowhere')).toContain('Nothing is at this address.');
  });

  test.each([
    ['2020-01-01', 404],
    ['2026-07-05', 404],
    ['yesterday', 400],
  ])('is an error for %s', async (on, status) => {
    expect((await web.get(`${PATH}?on=${on}`)).status).toBe(status);
  });
});

test('a price is cited with its range, the day of its close and the address of that day, and can be checked', async () => {
  const { text } = await web.get(PATH);
  expect(unbroken(text)).toMatch(
    /Charizard, Pokémon Base #4, PSA 10: \$[\d,.]+ \(80% range \$[\d,.]+–\$[\d,.]+\), close of 29 Jun 2026\. [^<]*https:\/\/prices\.example\/card\/pokemon\/base-base1\/4-charizard-psa-10-6e7fdc9a\?on=2026-06-29</,
  );
  expect(unbroken(text)).toContain(`mintmark verify https://prices.example/v1/receipts/${ID}/psa-10/2026-06-29`);
});
