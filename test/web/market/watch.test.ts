import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_WATCHED, parseWatched, textOf } from '../../../src/web/client/lib/watch-list.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { chromiumPath, launchBrowser, watchedPage } from '../../support/browser.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { pageWorld } from '../world.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ID = '6e7fdc9a-0000-5000-8000-00000000000';

describe('a watchlist as a file', () => {
  test('is read back as it was written', () => {
    const list = [{ id: `${ID}1`, quantity: 3, costUsdCents: 1250 }];
    expect(parseWatched(textOf(list))).toEqual(list);
    expect(parseWatched(`[{"id": "${ID}1"}]`)).toEqual([{ id: `${ID}1`, quantity: 1, costUsdCents: null }]);
  });

  test('has a card once, and no more cards than the prices of one request', () => {
    const many = Array.from({ length: 400 }, (_, at) => ({ id: `${ID.slice(0, -4)}${String(at).padStart(5, '0')}` }));
    expect(parseWatched(JSON.stringify([...many, ...many]))).toHaveLength(MAX_WATCHED);
  });

  test.each(['', '{}', '[1]', '[{"id":"x"}]', `[{"id":"${ID}1","quantity":0}]`, `[{"id":"${ID}1","costUsdCents":-1}]`])(
    'that is something else is rejected: %s',
    (text) => {
      expect(() => parseWatched(text)).toThrow();
    },
  );
});

describe.skipIf(chromiumPath === null)('the watchlist in a browser', () => {
  let fresh: FreshDatabase;
  let api: TestApp;
  let origin: string;
  let browser: Browser;
  let card: { href: string; name: string; priceUsdCents: number };

  beforeAll(async () => {
    fresh = await freshDatabase();
    const { items } = await pageWorld(fresh.db);
    api = await testApp(fresh.db);
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
    [card] = (await api.get(`/v1/items/summaries?ids=${items.priced}`)).json;
  });
  afterAll(async () => {
    await browser?.close();
    await api?.app.close();
    await fresh?.close();
  });

  test('takes a card by its star, from its page and from a tile, and shows value, cost and gain', async () => {
    const { page, complaints, foreign, close } = await watchedPage(browser, origin);
    await page.goto(origin + card.href);
    const star = page.getByRole('button', { name: `Watch ${card.name}, Base #4`, exact: true });
    await star.click();
    expect(await star.getAttribute('aria-pressed')).toBe('true');
    await page.goto(`${origin}/card/pokemon/base-base1?view=pictures`);
    expect(await page.locator('.tile .star[aria-pressed="true"]').count()).toBe(1);
    await page.locator('.tile:has-text("Seldom") .star').click();

    // A row of a list has the same star.
    await page.goto(`${origin}/card/pokemon/base-base1?view=list`);
    expect(await page.locator('tr .star[aria-pressed="true"]').count()).toBe(2);
    expect(await page.locator('tr .star').count()).toBe(await page.locator('tbody tr').count());

    await page.goto(`${origin}/watch`);
    await page.locator('#watch-rows tr').nth(1).waitFor();
    const price = (card.priceUsdCents / 100).toFixed(2);
    expect(await page.locator('#watch-value').textContent()).toBe(`$${price}`);
    expect(await page.locator('#watch-unpriced').textContent()).toBe('1 without a price');
    await page.getByLabel(`Quantity of ${card.name}`).fill('2');
    await page.getByLabel(`Cost of one ${card.name}, US dollars`).fill('10.50');
    await page.keyboard.press('Tab');
    expect(await page.locator('#watch-value').textContent()).toBe(`$${((2 * card.priceUsdCents) / 100).toFixed(2)}`);
    expect(await page.locator('#watch-gain').textContent()).toBe(
      `+$${((2 * (card.priceUsdCents - 1050)) / 100).toFixed(2)}`,
    );

    // The list goes to a file, and from it into a browser that knows nothing.
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a file' }).click();
    const file = await (await saving).path();
    expect(parseWatched(readFileSync(file, 'utf8'))[0]).toMatchObject({ quantity: 2, costUsdCents: 1050 });
    const other = await watchedPage(browser, origin);
    await other.page.goto(`${origin}/watch`);
    expect(await other.page.locator('#watch-empty').isVisible()).toBe(true);
    await other.page.setInputFiles('#watch-import', file);
    await other.page.locator('#watch-rows tr').nth(1).waitFor();
    await other.page.locator('#watch-said', { hasText: '2 cards read; 2 on the list.' }).waitFor();
    await other.page.setInputFiles('#watch-import', {
      name: 'a.json',
      mimeType: 'application/json',
      buffer: Buffer.from('[{}]'),
    });
    await other.page.locator('#watch-said', { hasText: 'not a watchlist' }).waitFor();
    expect(await other.page.locator('#watch-rows tr').count()).toBe(2);

    await other.page.getByRole('button', { name: `Remove ${card.name}` }).click();
    await other.page.locator('#watch-rows tr').nth(1).waitFor({ state: 'detached' });
    expect(await other.page.locator('#watch-rows tr').count()).toBe(1);
    await other.page.reload();
    await other.page.locator('#watch-rows tr').first().waitFor();
    expect(await other.page.locator('#watch-rows tr').count()).toBe(1);
    expect([...complaints, ...other.complaints, ...foreign, ...other.foreign]).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    await close();
    await other.close();
  });

  test.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)('with cards on it is clean of axe and overflow: %s, %i px', async (colorScheme, width) => {
    const { page, close } = await watchedPage(browser, origin, {
      colorScheme,
      viewport: { width, height: 800 },
      bypassCSP: true,
    });
    await page.goto(origin + card.href);
    await page.locator('.card-title .star').click();
    await page.goto(`${origin}/watch`);
    await page.locator('#watch-rows tr').waitFor();
    await page.evaluate(AXE);
    const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
      violations: { id: string }[];
    };
    expect(violations.map(({ id }) => id)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    await close();
  });

  test('shows every field of a card without scrolling sideways on a phone', async () => {
    const { page, close } = await watchedPage(browser, origin, { viewport: { width: 320, height: 740 } });
    await page.goto(origin + card.href);
    await page.getByRole('button', { name: `Watch ${card.name}, Base #4`, exact: true }).click();
    await page.goto(`${origin}/watch`);
    await page.locator('#watch-rows tr').waitFor();
    for (const field of await page.locator('#watch-rows :is(a, input, button)').all()) {
      const { x, width } = (await field.boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(320);
    }
    await close();
  });

  test('says why it needs a script where there is none; then no card has a star', async () => {
    const { page, close } = await watchedPage(browser, origin, { javaScriptEnabled: false });
    await page.goto(`${origin}/watch`);
    expect(await page.locator('#watch-needs').isVisible()).toBe(true);
    expect(await page.locator('#watch').isVisible()).toBe(false);
    await page.goto(origin + card.href);
    expect(await page.locator('.star').count()).toBe(0);
    await close();
  });
});
