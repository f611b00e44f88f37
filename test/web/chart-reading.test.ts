import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { chromiumPath, launchBrowser, watchedPage } from '../support/browser.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const SOURCE = 'https://auctions.example/lots/77';

let fresh: FreshDatabase;
let api: TestApp;
let origin: string;
let browser: Browser;
let card: string;

/** The middle of the n-th circle that is drawn for an accepted sale, in the plot. */
async function saleAt(page: Page, n: number): Promise<{ x: number; y: number }> {
  const data = JSON.parse((await page.locator('.chart script').textContent())!);
  const box = (await page.locator('.chart-svg').boundingBox())!;
  const [left, y] = data.sales[n];
  return { x: (Number.parseFloat(left) / 100) * box.width, y };
}

const reading = (page: Page) => page.locator('.chart-readout').textContent();

describe.skipIf(chromiumPath === null)('a chart that is pointed at', () => {
  beforeAll(async () => {
    fresh = await freshDatabase();
    const set = await aSet(fresh.db);
    const market = await anItem(fresh.db, { set, number: '1', name: 'Market' });
    await manySales(fresh.db, { itemId: market, usdCents: 100_00, from: '2026-01-01', everyDays: 4 });
    const itemId = await anItem(fresh.db, { set, number: '2', name: 'Pointed At' });
    for (const sold of ['2026-01-20', '2026-02-20', '2026-03-25', '2026-05-01'])
      await aSale(fresh.db, { itemId, sold, usdCents: 100_00 });
    await aSale(fresh.db, { itemId, sold: '2026-06-01', usdCents: 123_00, url: SOURCE });
    await aSale(fresh.db, { itemId, sold: '2026-06-10', usdCents: 9_00, rejection: 'lot' });
    await closeDays(fresh.db);
    api = await testApp(fresh.db);
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    card = `/card/pokemon/base-base1/2-pointed-at-psa-10-${itemId.slice(0, 8)}?window=365`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.app.close();
    await fresh?.close();
  });

  test('by a finger: what a tap or a drag read stays after the finger lifts, until a tap elsewhere', async () => {
    const phone = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
    const { page, complaints, close } = await watchedPage(browser, origin, phone);
    await page.goto(origin + card);
    const plot = page.locator('.chart-svg');
    await plot.scrollIntoViewIfNeeded();
    const resting = await reading(page);
    const box = (await plot.boundingBox())!;
    await page.touchscreen.tap(box.x + 0.16 * box.width, box.y + 20);
    const tapped = await reading(page);
    expect(tapped).not.toBe(resting);
    expect(await page.locator('.chart-cursor').getAttribute('visibility')).toBe('visible');

    const touches = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share?: number) =>
      touches.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: share === undefined ? [] : [{ x: box.x + share * box.width, y: box.y + 20 }],
      });
    await touch('touchStart', 0.2);
    for (const share of [0.3, 0.4, 0.5, 0.6]) await touch('touchMove', share);
    // Moves are handled with the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const dragged = await reading(page);
    await touch('touchEnd');
    expect(dragged).not.toBe(tapped);
    expect(await reading(page)).toBe(dragged);

    const heading = (await page.locator('.chart-windows').boundingBox())!;
    await page.touchscreen.tap(heading.x + heading.width - 2, heading.y + 2);
    expect(await reading(page)).toBe(resting);
    expect(await page.locator('.chart-cursor').getAttribute('visibility')).toBe('hidden');
    expect(complaints).toEqual([]);
    await close();
  });

  test('by a mouse near a sale: its price, venue, grade, day, state and source, which a click keeps in reach', async () => {
    const { page, close } = await watchedPage(browser, origin);
    await page.goto(origin + card);
    const plot = page.locator('.chart-svg');
    const box = page.locator('.chart-sale');
    const { x, y } = await saleAt(page, 4);
    await plot.hover({ position: { x: x - 60, y } });
    expect(await box.isVisible()).toBe(false);
    await plot.hover({ position: { x: x - 8, y: y + 7 } });
    expect(await box.innerText()).toMatch(
      /^\$123\.00\s+1 Jun 2026 · .+ · PSA 10\s+(Counted|Down-weighted.*)\s+Open the source$/,
    );
    await plot.click({ position: { x: x - 8, y: y + 7 } });
    await page.locator('h1').hover();
    expect(await box.locator('a').getAttribute('href')).toBe(SOURCE);
    expect(await box.isVisible()).toBe(true);
    const rejected = await saleAt(page, 5);
    await plot.click({ position: rejected });
    expect(await box.innerText()).toContain('Rejected: a lot of several cards');
    expect(await box.locator('a').isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    expect(await box.isVisible()).toBe(false);
    await close();
  });

  test('by keys: Shift and an arrow go from sale to sale, and Tab to the source', async () => {
    const { page, close } = await watchedPage(browser, origin);
    await page.goto(origin + card);
    const plot = page.locator('.chart-svg');
    await plot.focus();
    await plot.press('Shift+ArrowLeft');
    expect(await plot.getAttribute('aria-valuetext')).toMatch(/\$9\.00\. 10 Jun 2026 · .*\. Rejected: a lot/);
    await plot.press('Shift+ArrowLeft');
    expect(await plot.getAttribute('aria-valuetext')).toMatch(/\$123\.00\. 1 Jun 2026/);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.href')).toBe(SOURCE);
    await close();
  });

  test('an embedded chart works in the frame of another site; the page of the card may not be framed', async () => {
    const code = await (await fetch(origin + card)).text();
    const embed = /id="embed-code">&lt;iframe src="?(?:&quot;)?[^"&]*(\/embed\/[^"&]*)/.exec(code)![1]!;
    const other = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<iframe src="${origin}${request.url === '/embed' ? embed : card}" width="640" height="460"></iframe>`,
      );
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://localhost:${(other.address() as AddressInfo).port}`;
    const { page, complaints, close } = await watchedPage(browser, origin);
    await page.goto(`${elsewhere}/embed`);
    const frame = page.frameLocator('iframe');
    await frame.locator('.chart-svg[role="slider"]').waitFor();
    expect(await frame.locator('h1').innerText()).toContain('Pointed At');
    expect(await page.frames()[1]!.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
      0,
    );
    expect(complaints).toEqual([]);
    await page.goto(`${elsewhere}/card`);
    await expect.poll(() => complaints.join()).toContain('frame-ancestors');
    await close();
    await new Promise((resolve) => other.close(resolve));
  });
});
