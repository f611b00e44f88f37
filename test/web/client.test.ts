import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { chromiumPath, launchBrowser, watchedPage } from '../support/browser.ts';
import { anIndex } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let fresh: FreshDatabase;
let api: TestApp;
let origin: string;
let browser: Browser;
let card: string;

describe.skipIf(chromiumPath === null)('scripts of search and indices', () => {
  beforeAll(async () => {
    fresh = await freshDatabase();
    const [itemId] = await anIndex(fresh.db);
    card = `/card/pokemon/market-of-pokemon-mkt/1-card-1-psa-10-${itemId!.slice(0, 8)}`;
    api = await testApp(fresh.db);
    await api.context.liveIndex.refresh();
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    await api.context.liveIndex.built();
    origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.app.close();
    await fresh?.close();
  });

  test('the search field suggests cards, chosen by keyboard; Escape leaves what was typed', async () => {
    const { page, complaints, close } = await watchedPage(browser, origin);
    await page.goto(`${origin}/`);
    const field = page.locator('#q-large');
    await field.pressSequentially('card 7');
    const options = page.locator('.suggestions [role="option"]');
    await options.first().waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    await field.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'));
    await field.press('Escape');
    expect([await field.getAttribute('aria-expanded'), await field.inputValue()]).toEqual(['false', 'card 7']);
    await field.press('Space');
    await options.first().waitFor();
    const href = await options.first().getAttribute('data-href');
    await field.press('ArrowDown');
    await field.press('Enter');
    await page.waitForURL(`${origin}${href}`);
    expect(complaints).toEqual([]);
    await close();
  });

  test('without a choice, Enter searches; without scripts too', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, close } = await watchedPage(browser, origin, { javaScriptEnabled });
      await page.goto(`${origin}/`);
      await page.locator('#q-large').fill('card 7');
      await page.locator('#q-large').press('Enter');
      await page.waitForURL(`${origin}/search?q=card+7`);
      expect(await page.locator('.tile').count()).toBeGreaterThan(0);
      await close();
    }
  });

  test('the chart of an index is read day by day with the keys, as in its table', async () => {
    const { page, complaints, close } = await watchedPage(browser, origin);
    await page.goto(`${origin}/indices/pokemon`);
    const plot = page.locator('.chart-svg');
    await plot.focus();
    await plot.press('ArrowLeft');
    const rows = await page.locator('.chart-table tbody tr').all();
    await plot.press('ArrowLeft');
    // The rows are every second day, newest first.
    const level = await rows[1]!.locator('td').first().textContent();
    expect(await plot.getAttribute('aria-valuetext')).toContain(level);
    expect(await page.locator('.chart-readout').textContent()).toContain(level);
    await plot.press('Home');
    expect(await plot.getAttribute('aria-valuenow')).toBe('0');
    expect(await plot.getAttribute('aria-valuetext')).toMatch(/^1 Apr 2026: 10,000\.00/);
    expect(complaints).toEqual([]);
    await close();
  });

  test.each(['a card', 'an index'])(
    'the window of a chart of %s is swapped in place, its days read by pointer',
    async (of) => {
      const { page, complaints, close } = await watchedPage(browser, origin);
      await page.goto(origin + (of === 'a card' ? card : '/indices/pokemon'));
      await page.evaluate('window.isSamePage = true');
      const link = page.locator('.chart-windows a', { hasText: '90 days' });
      await link.click();
      await page.waitForURL(/\?window=90/);
      await page.locator('.chart-windows a[aria-current]', { hasText: '90 days' }).waitFor();
      expect(await page.evaluate('isSamePage')).toBe(true);
      const plot = page.locator('.chart-svg');
      expect(Number(await plot.getAttribute('aria-valuemax'))).toBeLessThan(90);
      const resting = await page.locator('.chart-readout').textContent();
      await plot.hover({ position: { x: 2, y: 100 } });
      expect(Number(await plot.getAttribute('aria-valuenow'))).toBeLessThan(2);
      expect(await page.locator('.chart-readout').textContent()).not.toBe(resting);
      expect(await page.locator('.chart-cursor').getAttribute('visibility')).toBe('visible');
      await page.locator('h1').hover();
      expect(await page.locator('.chart-readout').textContent()).toBe(resting);
      expect(await page.locator('.chart-cursor').getAttribute('visibility')).toBe('hidden');
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)(
    'a live index, its game and an open list of suggestions are clean of axe: %s, %i px',
    async (colorScheme, width) => {
      const viewport = { width, height: 800 };
      const { page, close } = await watchedPage(browser, origin, { colorScheme, viewport, bypassCSP: true });
      const axe = async () => {
        await page.evaluate(AXE);
        const { violations } = (await page.evaluate('axe.run(document)')) as {
          violations: { id: string; nodes: { html: string }[] }[];
        };
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 160)}`);
      };
      for (const path of [
        '/indices/pokemon',
        '/indices',
        '/card/pokemon',
        '/card/pokemon/market-of-pokemon-mkt',
        '/',
      ]) {
        await page.goto(origin + path);
        await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
        expect([path, await axe()]).toEqual([path, []]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBeLessThanOrEqual(0);
      }
      await page.locator('#q-large').pressSequentially('card 7');
      await page.locator('.suggestions [role="option"]').first().waitFor();
      await page.keyboard.press('ArrowDown');
      expect(await axe()).toEqual([]);
      await close();
    },
  );
});
