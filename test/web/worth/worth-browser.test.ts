import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { chromiumPath, launchBrowser, watchedPage } from '../../support/browser.ts';
import { anItem, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { axeFaults } from '../../support/pages/page-faults.ts';

const LIST = `2x Pokemon Base Set Charizard 4/102 PSA 10
Base Set Mew 8/102 PSA 9
Base Set Charizard PSA 10
a lot of 20 cards with a title so long that it has to break somewhere: ${'verylongword'.repeat(6)}`;

let database: FreshDatabase;
let api: TestApp;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await manySales(db, { itemId: await anItem(db, { number: '4', name: 'Charizard' }), usdCents: 1_412_37 });
  await manySales(db, { itemId: await anItem(db, { number: '8', name: 'Mew' }), gradeKey: 'psa-9' });
  await closeDays(db);
  api = await testApp(db);
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' });
  // The form is of this very site.
  api.context.config.baseUrl = origin;
  if (chromiumPath !== null) browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await api?.app.close();
  await database?.close();
});

test.skipIf(chromiumPath === null).each([
  ['light', 375],
  ['dark', 375],
  ['light', 1280],
  ['dark', 1280],
] as const)('a valued list is clean of axe and overflow: %s, %i px', async (colorScheme, width) => {
  const watched = await watchedPage(browser, origin, {
    colorScheme,
    viewport: { width, height: 800 },
    bypassCSP: true,
  });
  const { page, foreign } = watched;
  await page.goto(`${origin}/worth`);
  await page.fill('#list', LIST);
  await page.click('button:has-text("Value the list")');
  await page.waitForSelector('table');
  expect(await page.textContent('.lead')).toMatch(/^\$[\d,.]+: 80% chance that the total is between/);
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  expect(foreign).toEqual([]);
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/worth-${colorScheme}-${width}.png`, fullPage: true });
  await watched.close();
});
