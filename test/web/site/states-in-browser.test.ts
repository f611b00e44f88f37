import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProblemError } from '../../../src/http/problem.ts';
import { closeIndices } from '../../../src/indices/close/close.ts';
import { parseDay } from '../../../src/lib/day.ts';
import { problemPage } from '../../../src/web/problem-page.tsx';
import { type TestApp, testApp } from '../../support/app.ts';
import { chromiumPath, launchBrowser, watchedPage } from '../../support/browser.ts';
import { anIndex, anItem, aSale, aSet, aVoid, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { axeFaults, layoutFaults } from '../../support/pages/page-faults.ts';
import { aCert } from '../../support/servers/certs.ts';

let fresh: FreshDatabase;
let api: TestApp;
let origin: string;
let browser: Browser;
let graded: string;
let withdrawn: string;
/** Pages in states that an installation is seldom in, and pages without the frame of the site. */
let paths: string[] = [];

/** Where the browser gets the page of an internal fault, which no address has. */
const BROKEN = '/broken';

beforeAll(async () => {
  if (chromiumPath === null) return;
  fresh = await freshDatabase();
  const { db } = fresh;
  const members = await anIndex(db);
  await db.query(`update items set name = 'Charizard ' || number where id = any($1)`, [members.slice(0, 20)]);
  const set = await aSet(db, { name: 'Base', code: 'base1' });
  const id = await anItem(db, { set, number: '4', name: 'Charizard', year: 1999 });
  await manySales(db, { itemId: id });
  const voided = await aSale(db, { itemId: id, sold: '2026-06-28', usdCents: 512_34 });
  const gone = await anItem(db, { set, number: '5', name: 'Twice Listed' });
  await aCert(db, { certNumber: '20000001', itemId: id, state: 'deactivated' });
  // Nothing sells for two weeks; then a sale that had counted turns out to be unpaid.
  await closeDays(db, '2026-07-12');
  await closeIndices(db, { through: parseDay('2026-07-12')! });
  await aVoid(db, voided, 'unpaid', '2026-07-13');
  api = await testApp(db, { today: '2026-07-13' });
  const overview = (await api.get(`/v1/items/by-id/${id}/overview`)).json;
  graded = overview.grades[0].href;
  withdrawn = (await api.get(`/v1/items/by-id/${gone}/overview`)).json.href;
  await db.query('update items set removed_at = $2 where id = $1', [gone, '2026-07-10']);
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  await api.context.liveIndex.built();
  origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  browser = await launchBrowser();
  paths = [
    graded,
    `${graded}?on=2026-07-05`,
    withdrawn,
    '/cert/PSA20000001',
    '/search?q=20000000',
    '/search?q=PSA%2020000000',
    `/embed${graded}`,
    '/embed/indices/pokemon',
    '/indices/pokemon',
    '/indices/pokemon?on=2026-06-20',
    '/accuracy',
    '/corrections',
    '/audit',
    '/status',
    '/problems/not_found',
    '/nowhere',
    BROKEN,
  ];
});

afterAll(async () => {
  await browser?.close();
  await api?.app.close();
  await fresh?.close();
});

async function serveBroken(page: Page): Promise<void> {
  const { html, headers } = problemPage(api.context)(new ProblemError('internal', 'It failed.'), 'req-1');
  await page.route(origin + BROKEN, (route) =>
    route.fulfill({ status: 500, body: html, headers: { ...(headers as object), 'content-type': 'text/html' } }),
  );
}

describe.skipIf(chromiumPath === null)('pages in rare states', () => {
  test.each([
    ['light', 1280, 100, 'none'],
    ['dark', 1280, 100, 'none'],
    ['light', 375, 100, 'active'],
    ['dark', 375, 200, 'none'],
    ['dark', 320, 100, 'none'],
    ['light', 768, 100, 'none'],
  ] as const)(
    'are clean of axe, complaints, broken figures and overflow: %s, %i px, text at %i percent, forced colors %s',
    async (colorScheme, width, percent, forcedColors) => {
      const options = { colorScheme, forcedColors, viewport: { width, height: 800 }, bypassCSP: true };
      const { page, complaints, foreign, close } = await watchedPage(browser, origin, options);
      await serveBroken(page);
      const found: Record<string, unknown> = {};
      for (const path of paths) {
        await page.goto(origin + path, { waitUntil: 'load' });
        await page.addStyleTag({ content: `html { font-size: ${percent}% }` });
        const { broken, overflow } = await layoutFaults(page);
        const wrong = await axeFaults(page);
        if (wrong.length > 0 || broken.length > 0 || overflow > 0) found[path] = { wrong, broken, overflow };
        if (process.env.SHOTS) {
          const name = `${path.replaceAll(/\W+/g, '-')}-${colorScheme}-${width}-${percent}-${forcedColors}.png`;
          await page.screenshot({ path: `${process.env.SHOTS}/${name}`, fullPage: true });
        }
      }
      expect(found).toEqual({});
      expect(foreign).toEqual([]);
      expect(complaints.filter((text) => !/ status of (404|410|500) /.test(text))).toEqual([]);
      await close();
    },
  );

  test('a price that counts a sale voided since says so next to it, today and on its day', async () => {
    const { page, close } = await watchedPage(browser, origin);
    await page.goto(origin + graded);
    const notice = page.locator('.notice-old');
    expect(await notice.textContent()).toMatch(
      /^Sale voided after this close\. .*28 Jun 2026 .*\$512\.34: never paid\./,
    );
    const [noticeBox, priceBox] = [await notice.boundingBox(), await page.locator('.price-now').boundingBox()];
    expect(noticeBox!.y).toBeLessThan(priceBox!.y);
    // Amount and day of the last sale are of one sale, which counts.
    expect(await page.locator('.facts > div', { hasText: 'Last sale' }).textContent()).toContain(
      '$100.00, 24 Jun 2026',
    );
    await notice.locator('a').click();
    expect(new URL(page.url()).hash).toBe('#corrections');
    await page.goto(`${origin}${graded}?on=2026-07-05`);
    expect(await notice.textContent()).toContain('Computed today, this price would differ.');
    // Before the sale the price is what it would be today.
    await page.goto(`${origin}${graded}?on=2026-06-20`);
    expect(await notice.count()).toBe(0);
    await close();
  });

  test('a cert number in the search leads to its slab, without advice on its spelling', async () => {
    const { page, close } = await watchedPage(browser, origin);
    for (const typed of ['20000001', 'PSA 20000001', 'psa20000001']) {
      await page.goto(`${origin}/search?q=${encodeURIComponent(typed)}`);
      expect(await page.locator('main').textContent(), typed).not.toContain('spelling');
      await page.click('a:has-text("Look up the slab PSA 20000001")');
      expect(new URL(page.url()).pathname).toBe('/cert/PSA20000001');
    }
    await page.goto(`${origin}/search?q=20000001`);
    await page.click('.search-graders a:has-text("BGS")');
    expect(new URL(page.url()).pathname).toBe('/cert/BGS20000001');
    await close();
  });

  test('an index whose members do not sell says since when', async () => {
    const { page, close } = await watchedPage(browser, origin);
    await page.goto(`${origin}/indices/pokemon`);
    expect(await page.locator('main').textContent()).toMatch(/No (sale|member)[^.]* since \d+ Jun 2026/);
    await close();
  });

  test('an error page begins where every page begins', async () => {
    const { page, close } = await watchedPage(browser, origin);
    await serveBroken(page);
    const lefts: number[] = [];
    for (const path of ['/about', '/nowhere', BROKEN]) {
      await page.goto(origin + path);
      lefts.push((await page.locator('h1').boundingBox())!.x);
    }
    expect(new Set(lefts).size).toBe(1);
    await close();
  });

  test('on a phone the price of a slab, or the warning, comes before its picture', async () => {
    const { page, close } = await watchedPage(browser, origin, { viewport: { width: 375, height: 740 } });
    await page.goto(`${origin}/cert/PSA20000001`);
    expect((await page.locator('.cert-voided').boundingBox())!.y).toBeLessThan(330);
    expect((await page.locator('.cert-body .art-page').boundingBox())!.y).toBeGreaterThan(330);
    await close();
  });

  test('on a phone choices in a line that scrolls have a shadow where more follow', async () => {
    const { page, close } = await watchedPage(browser, origin, { viewport: { width: 390, height: 800 } });
    await page.goto(`${origin}/search?q=charizard`);
    const scrolling = await page.$$eval('.chips', (lists) =>
      lists
        .filter((list) => list.scrollWidth > list.clientWidth)
        .map((list) => getComputedStyle(list).backgroundAttachment),
    );
    expect(new Set(scrolling)).toEqual(new Set(['local, local, scroll, scroll']));
    await close();
  });

  test('printed, a page has its text on white and nothing to press', async () => {
    const { page, close } = await watchedPage(browser, origin, { colorScheme: 'dark' });
    await page.goto(origin + graded);
    await page.locator('.star').first().waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const shown = await page.evaluate(() => ({
      controls: [...document.querySelectorAll('button, input, summary, .header-icons a')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.outerHTML.slice(0, 80)),
      ground: getComputedStyle(document.documentElement).backgroundColor,
    }));
    expect(shown).toEqual({ controls: [], ground: 'rgb(255, 255, 255)' });
    await close();
  });

  test.each([320, 390, 500, 600, 700, 800])(
    'at %d px the star covers neither the name of a card nor its grade',
    async (width) => {
      const { page, close } = await watchedPage(browser, origin, { viewport: { width, height: 800 } });
      await page.goto(origin + graded);
      await page.locator('.card-title > .star').waitFor();
      const covered = await page.evaluate(() => {
        const star = document.querySelector('.card-title > .star')!.getBoundingClientRect();
        return [...document.querySelectorAll('.card-title h1 bdi, .card-title .grade')]
          .filter((one) => {
            const box = one.getBoundingClientRect();
            return box.right > star.left && box.bottom > star.top && box.left < star.right && box.top < star.bottom;
          })
          .map((one) => one.textContent);
      });
      expect(covered).toEqual([]);
      await close();
    },
  );

  test('in forced colors what is current and the key of the shares are shown by color, and no star covers text', async () => {
    const { page, close } = await watchedPage(browser, origin, {
      forcedColors: 'active',
      viewport: { width: 375, height: 800 },
    });
    await page.goto(`${origin}/methodology`);
    const chips = await page.evaluate(() => {
      const highlight = document.createElement('i');
      highlight.style.cssText = 'forced-color-adjust: none; background: Highlight';
      document.body.append(highlight);
      const groundOf = (one: Element | null) => getComputedStyle(one!).backgroundColor;
      return [groundOf(document.querySelector('.chips a[aria-current]')), groundOf(highlight)];
    });
    expect(chips[0]).toBe(chips[1]);
    await page.goto(origin + graded);
    const key = await page.evaluate(() => {
      const { backgroundColor } = getComputedStyle(document.querySelector('.shares li')!, '::before');
      return [backgroundColor, getComputedStyle(document.body).backgroundColor];
    });
    expect(key[0]).not.toBe(key[1]);
    await page.goto(`${origin}/sales`);
    await page.locator('.watchable > .star').first().waitFor();
    expect(
      await page
        .locator('.watchable > .star')
        .first()
        .evaluate((one) => getComputedStyle(one).borderTopWidth),
    ).toBe('0px');
    await close();
  });
});
