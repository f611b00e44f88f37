import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { chromiumPath, launchBrowser, watchedPage } from '../support/browser.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { axeFaults, layoutFaults } from '../support/pages/page-faults.ts';
import { pageWorld } from './world.ts';

let fresh: FreshDatabase;
let api: TestApp;
let origin: string;
let browser: Browser;
/** Every kind of page, in states that look different. */
let paths: string[] = [];

describe.skipIf(chromiumPath === null)('in a browser', () => {
  beforeAll(async () => {
    fresh = await freshDatabase();
    const { items } = await pageWorld(fresh.db);
    api = await testApp(fresh.db, { cacheMb: 8 });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    await api.context.liveIndex.built();
    origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
    const hrefs: string[] = [];
    for (const id of Object.values(items)) {
      const { json } = await api.get(`/v1/items/by-id/${id}/overview`);
      hrefs.push(json.href, ...json.grades.slice(0, 1).map(({ href }: { href: string }) => href));
    }
    paths = [
      '/',
      '/card',
      '/card/pokemon',
      '/card/pokemon/base-base1',
      '/card/pokemon/base-base1?view=pictures',
      '/card/pokemon/base-base1?q=zzz',
      '/movers',
      '/sales',
      '/status',
      '/watch',
      '/worth',
      ...hrefs,
      '/search?q=charizard',
      '/search?q=zzzzqqqq',
      '/indices',
      '/indices/pokemon',
      '/cert',
      '/cert/abc',
      '/cert/PSA20000000',
      '/cert/PSA20000009',
      '/research',
      '/research/two-sales-at-a-hundred-times',
      '/methodology',
      '/methodology/model',
      '/methodology/index',
      '/corrections',
      '/audit',
      '/about',
      '/api',
      '/problems/not-found',
      '/partners',
      '/report',
      '/scan',
      '/nowhere',
    ];
  });

  afterAll(async () => {
    await browser?.close();
    await api?.app.close();
    await fresh?.close();
  });

  test.each([
    ['light', 1280, 100],
    ['dark', 1280, 100],
    ['dark', 320, 100],
    ['light', 375, 200],
    ['dark', 375, 200],
  ] as const)(
    'every page is clean of axe, complaints, requests elsewhere and overflow: %s, %i px, text at %i percent',
    async (colorScheme, width, percent) => {
      const watched = await watchedPage(browser, origin, {
        colorScheme,
        viewport: { width, height: 800 },
        bypassCSP: true,
      });
      const { page, complaints, foreign } = watched;
      const found: Record<string, unknown> = {};
      for (const path of paths) {
        await page.goto(origin + path, { waitUntil: 'load' });
        await page.addStyleTag({ content: `html { font-size: ${percent}% }` });
        const wrong = await axeFaults(page);
        const { overflow } = await layoutFaults(page);
        if (wrong.length > 0 || overflow !== 0) found[path] = { wrong, overflow };
      }
      expect(found).toEqual({});
      expect(foreign).toEqual([]);
      expect(complaints.filter((text) => !/ status of 40[04] /.test(text))).toEqual([]);
      await watched.close();
    },
  );

  test.each([
    [320, 100],
    [375, 100],
    [768, 100],
    [1024, 100],
    [375, 200],
    [1280, 200],
  ])('no figure is broken, no page scrolls sideways: %i px, text at %i percent', async (width, percent) => {
    const { page, close } = await watchedPage(browser, origin, { viewport: { width, height: 800 }, bypassCSP: true });
    const found: Record<string, unknown> = {};
    for (const path of paths) {
      await page.goto(origin + path, { waitUntil: 'load' });
      await page.addStyleTag({ content: `html { font-size: ${percent}% }` });
      const { broken, overflow } = await layoutFaults(page);
      if (broken.length > 0 || overflow > 0) found[path] = { broken, overflow };
    }
    expect(found).toEqual({});
    await close();
  });

  test('the content policy blocks nothing that a page does', async () => {
    const watched = await watchedPage(browser, origin);
    for (const path of paths) await watched.page.goto(origin + path, { waitUntil: 'load' });
    expect(watched.complaints.filter((text) => !/ status of 40[04] /.test(text))).toEqual([]);
    expect(await watched.page.context().cookies()).toEqual([]);
    await watched.close();
  });

  test('without scripts every page has its heading, its text and its structured data', async () => {
    const watched = await watchedPage(browser, origin, { javaScriptEnabled: false });
    for (const path of paths) {
      await watched.page.goto(origin + path);
      expect(await watched.page.locator('h1').count(), path).toBe(1);
      expect(await watched.page.locator('script[type="application/ld+json"]').count(), path).toBeGreaterThanOrEqual(2);
      expect((await watched.page.locator('main').textContent())!.length, path).toBeGreaterThan(40);
    }
    await watched.close();
  });

  test('a page can be walked by keyboard: skip link first, then everything in turn with a visible focus', async () => {
    const { page, close } = await watchedPage(browser, origin);
    await page.goto(`${origin}/about`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    const seen = new Set<string>();
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab');
      const state = (await page.evaluate(
        `(() => { const at = document.activeElement; const style = getComputedStyle(at);
           return { html: at.outerHTML.slice(0, 80), outline: style.outlineStyle + ' ' + style.outlineWidth }; })()`,
      )) as { html: string; outline: string };
      seen.add(state.html);
      expect(state.outline, state.html).toBe('solid 3px');
    }
    expect(seen.size).toBe(8);
    await close();
  });

  test('a slab is looked up by its button with its stages shown', async () => {
    const { page, complaints, close } = await watchedPage(browser, origin);
    await page.goto(`${origin}/cert`);
    await page.fill('#cert', '20000000');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/cert/PSA20000000`);
    expect(await page.locator('.price-now data').textContent()).toMatch(/^\$/);
    expect(complaints).toEqual([]);
    await close();
  });

  test('text can be copied by a button that is there with scripts only', async () => {
    const { page, close } = await watchedPage(browser, origin);
    const card = paths.find((path) => /psa-10/.test(path))!;
    await page.goto(origin + card);
    expect(await page.locator('button[data-copy="attribution"]').isVisible()).toBe(true);
    await close();
    const plain = await watchedPage(browser, origin, { javaScriptEnabled: false });
    await plain.page.goto(origin + card);
    expect(await plain.page.locator('button[data-copy="attribution"]').isVisible()).toBe(false);
    await plain.close();
  });
});
