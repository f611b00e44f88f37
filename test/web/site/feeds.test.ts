import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let fresh: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  fresh = await freshDatabase();
  const { db } = fresh;
  const name = `Mo<ver> & "Co" \u0007`;
  const mover = await anItem(db, { number: '1', name });
  await manySales(db, { itemId: mover });
  for (const day of ['24', '25', '26', '27', '28'])
    await aSale(db, { itemId: mover, sold: `2026-06-${day}`, usdCents: 400_00 });
  await closeDays(db);
  api = await testApp(db);
});

afterAll(async () => {
  await api.app.close();
  await fresh.close();
});

test('the feed of movers has an entry for each featured card, with its price and day, escaped', async () => {
  const { cards } = (await api.get('/v1/items/featured')).json;
  expect(cards.length).toBe(1);
  const { status, headers, text } = await api.get('/movers.xml');
  expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
  expect(text.match(/<entry>/g)?.length).toBe(1);
  expect(text).toContain('<title>Mo&#60;ver&#62; &#38; &#34;Co&#34; , Base #1, PSA 10: +');
  expect(text).toContain(`Reference price $${(cards[0].priceUsdCents / 100).toFixed(2)}, close of 29 Jun 2026.`);
  expect(text).not.toMatch(/[\u0000-\u0008]/);
});

test('the feed of research lists every article, newest first', async () => {
  const { text } = await api.get('/research/feed.xml');
  const hub = (await api.get('/research', { accept: 'text/html' })).text;
  const slugs = [...text.matchAll(/<entry><id>[^<]*\/research\/([^<]+)<\/id>/g)].map((match) => match[1]);
  expect(slugs.length).toBeGreaterThan(0);
  for (const slug of slugs) expect(hub).toContain(`href="/research/${slug}"`);
});
