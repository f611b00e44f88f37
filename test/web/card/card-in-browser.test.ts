import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { chromiumPath, launchBrowser, watchedPage } from '../../support/browser.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { pageWorld } from '../world.ts';

const PHONE = { width: 375, height: 740 };

let fresh: FreshDatabase;
let api: TestApp;
let browser: Browser;
let origin: string;
/** The page of a priced card at one grade. */
let graded: string;
let overview: string;

describe.skipIf(chromiumPath === null)('the page of a card in a browser', () => {
  beforeAll(async () => {
    fresh = await freshDatabase();
    const { items } = await pageWorld(fresh.db);
    api = await testApp(fresh.db);
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    const { json } = await api.get(`/v1/items/by-id/${items.priced}/overview`);
    overview = json.href;
    graded = json.grades[0].href;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.app.close();
    await fresh?.close();
  });

  test('has its price on the first screen of a phone', async () => {
    const { page, close } = await watchedPage(browser, origin, { viewport: PHONE });
    await page.goto(origin + graded);
    const price = (await page.locator('.price-now data').boundingBox())!;
    expect(price.y + price.height).toBeLessThan(PHONE.height);
    await close();
  });

  test('has similar cards that the keyboard reaches and brings into view', async () => {
    const { page, close } = await watchedPage(browser, origin, { viewport: PHONE });
    await page.goto(origin + graded);
    const links = await page.locator('section[aria-labelledby="similar"] .tile-name').count();
    expect(links).toBeGreaterThan(1);
    await page.locator('section[aria-labelledby="similar"]').evaluate((part) => {
      const before = [...document.querySelectorAll<HTMLElement>('a[href], button')].filter(
        (one) => part.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING && one.checkVisibility(),
      );
      before.at(-1)!.focus();
    });
    const reached = new Set<string>();
    for (let at = 0; at < links * 3; at++) {
      await page.keyboard.press('Tab');
      const seen = await page.evaluate(() => {
        const at = document.activeElement!;
        const { left, right, top, bottom } = at.getBoundingClientRect();
        const isInView = left < innerWidth && right > 0 && top < innerHeight && bottom > 0;
        return { href: at.closest('section[aria-labelledby="similar"]') && at.getAttribute('href'), isInView };
      });
      if (seen.href === null) continue;
      expect(seen.isInView, seen.href).toBe(true);
      reached.add(seen.href);
    }
    expect(reached.size).toBe(links);
    await close();
  });

  test('leads only to anchors that the methodology has', async () => {
    const texts = await Promise.all([graded, overview].map(async (path) => (await api.get(path)).text));
    const links = new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/href="(\/methodology[^"]*)#([^"]+)"/g)].map(([, path, id]) => `${path} ${id}`),
      ),
    );
    expect(links.size).toBeGreaterThan(1);
    for (const link of links) {
      const [path, id] = link.split(' ');
      expect((await api.get(path!)).text, link).toContain(`id="${id}"`);
    }
  });

  test.each([375, 1280])('has a header at %i px that neither scrolls nor cuts its words', async (width) => {
    const { page, close } = await watchedPage(browser, origin, { viewport: { width, height: 740 } });
    for (const path of ['/', graded]) {
      await page.goto(origin + path);
      const found = await page.evaluate(() => {
        const nav = document.querySelector('.site-header nav')!;
        const rows = new Set([...nav.querySelectorAll('a')].map((link) => link.getBoundingClientRect().top));
        const cut = [...document.querySelectorAll<HTMLInputElement>('input[name=q]')].filter((field) => {
          if (!field.checkVisibility()) return false;
          const style = getComputedStyle(field);
          const pen = document.createElement('canvas').getContext('2d')!;
          pen.font = style.font;
          const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
          return pen.measureText(field.placeholder).width > room;
        });
        return { rows: rows.size, isScrolled: nav.scrollWidth > nav.clientWidth, cut: cut.map(({ id }) => id) };
      });
      expect(found, path).toEqual({ rows: 1, isScrolled: false, cut: [] });
    }
    await close();
  });
});
