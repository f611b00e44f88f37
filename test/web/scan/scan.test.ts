import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESCRIPTOR } from '../../../src/vision/descriptor.ts';
import { dropVectors } from '../../../src/vision/vectors/stored-vectors.ts';
import { type ImageWorld, imageWorld } from '../../search/photo/image-world.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { chromiumPath, launchBrowser, watchedPage } from '../../support/browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let world: ImageWorld;
beforeAll(async () => {
  world = await imageWorld(12);
});
afterAll(() => world.close());

/** Two known cards next to each other on a table. */
async function twoCards(): Promise<Buffer> {
  const cards = await Promise.all(
    [2, 3].map((at) => sharp(world.pictures[at]!).resize(420, 587, { fit: 'fill' }).png().toBuffer()),
  );
  return sharp({ create: { width: 1200, height: 800, channels: 3, background: '#5b6b5b' } })
    .composite(cards.map((input, at) => ({ input, left: 110 + at * 560, top: 100 })))
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** Eight cards of no catalog on a table. */
async function strangers(): Promise<Buffer> {
  const card = (at: number) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="210" height="294"><rect width="210" height="294" rx="10" fill="#f4f1e8"/>
      <rect x="14" y="14" width="182" height="266" fill="hsl(${at * 45},70%,45%)"/><circle cx="${60 + at * 12}" cy="${90 + at * 15}" r="${25 + at * 4}" fill="#111"/>
      <path d="M20 ${250 - at * 9}L190 ${60 + at * 20}" stroke="#fff" stroke-width="${4 + at}"/></svg>`);
  return sharp({ create: { width: 1200, height: 800, channels: 3, background: '#5b6b5b' } })
    .composite(
      Array.from({ length: 8 }, (_, at) => ({
        input: card(at),
        left: 60 + (at % 4) * 285,
        top: 70 + Math.floor(at / 4) * 370,
      })),
    )
    .jpeg({ quality: 92 })
    .toBuffer();
}

describe('a photo', () => {
  test('sent without scripts leads to a page that names the card', async () => {
    const { status, headers, text } = await world.send('/scan', [world.pictures[3]!]);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain('We are sure that this is the card.');
    expect(text).toContain('<bdi>Card 4</bdi>');
    expect(text.match(/<form[^>]*class="scan-form"[\s\S]*?<\/form>/)![0].match(/<button/g)).toHaveLength(1);
  });

  test('of several cards has one result each, with the number of its outline', async () => {
    const { status, text } = await world.send('/scan', [await twoCards()]);
    expect(status).toBe(200);
    expect(text).toContain('2 of 2 cards recognized');
    const names = [...text.matchAll(/<li id="scan-(\d)">.*?<bdi>(Card \d+)<\/bdi>/g)].map(
      ([, at, name]) => `${at} ${name}`,
    );
    expect(names).toEqual(['1 Card 3', '2 Card 4']);
  });

  test('of several cards that are not in the catalog says so, and to come closer', async () => {
    const { status, text } = await world.send('/scan', [await strangers()]);
    expect(status).toBe(200);
    expect(text).toMatch(/None of \d cards recognized/);
    expect(text).toContain('Come closer');
  });

  test('sent by the script is reported stage by stage, with the corners of the card, then the result', async () => {
    const { status, headers, text } = await world.send('/scan/events', [world.pictures[3]!]);
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
    const names = [...text.matchAll(/^event: (\w+)$/gm)].map((match) => match[1]);
    expect(names).toEqual(['progress', 'progress', 'progress', 'progress', 'result']);
    const [, detected] = [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1]!));
    expect(detected.data.quads.length).toBeGreaterThan(0);
    expect(text).toContain('<bdi>Card 4</bdi>');
  });

  test('without a card or a label says what to do, in sentences', async () => {
    const grey = sharp({ create: { width: 900, height: 900, channels: 3, background: '#808080' } });
    const { status, text } = await world.send('/scan', [await grey.jpeg().toBuffer()]);
    expect([status, text.includes('No card found')]).toEqual([200, true]);
    expect(text).toContain('<a href="/search">search by name</a>');
    expect(text).not.toMatch(/`|mintmark (?:import|vectors)/);
  });

  test('that another site sends is denied', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    for (const path of ['/scan', '/scan/events'])
      expect((await world.send(path, [world.pictures[3]!], 'file', headers)).status).toBe(400);
  });

  test('that is not a photo is rejected with a sentence, on the page and in the stream', async () => {
    expect((await world.send('/scan', ['hello'])).status).toBe(400);
    const { status, text } = await world.send('/scan/events', ['hello']);
    expect([status, /^event: failed$/m.test(text)]).toEqual([200, true]);
    expect(text).toContain('not a JPEG, PNG, WebP or AVIF picture');
  });
});

describe.skipIf(chromiumPath === null)('in a browser', () => {
  let address: string;
  let browser: Browser;
  beforeAll(async () => {
    address = await world.api.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('a chosen photo is shown, scanned live, and its card set in, by keyboard', async () => {
    const { page, complaints, close } = await watchedPage(browser, address);
    const file = join(mkdtempSync(join(tmpdir(), 'mintmark-scan-')), 'card.webp');
    writeFileSync(file, world.pictures[3]!);
    await page.goto(`${address}/scan`);
    await page.setInputFiles('#photo', file);
    await page.waitForSelector('.scan-photo:not([hidden])');
    await page.focus('.scan-buttons button');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.scan-result');
    expect(await page.textContent('.scan-result h2')).toBe('Card 4');
    expect(complaints).toEqual([]);
    await close();
  });

  test('on a phone: progress and results are on the screen, a number on the photo leads to its card', async () => {
    const phone = { bypassCSP: true, viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
    const { page, complaints, close } = await watchedPage(browser, address, phone);
    await page.goto(`${address}/scan`);
    expect(await page.locator('.scan-camera').isVisible()).toBe(true);
    expect(await page.locator('#camera').getAttribute('capture')).toBe('environment');
    // As the camera does: the photo is scanned without another tap.
    await page.setInputFiles('#camera', { name: 'page.jpg', mimeType: 'image/jpeg', buffer: await twoCards() });
    await page.locator('#scan-stages li').first().waitFor();
    await expect.poll(() => topOf(page, '#scan-stages')).toBeLessThan(500);
    await page.locator('#scan-2').waitFor();
    const canvas = (await page.locator('#scan-canvas').boundingBox())!;
    await page.touchscreen.tap(canvas.x + canvas.width * 0.73, canvas.y + canvas.height / 2);
    await page.locator('#scan-2.scan-shown').waitFor();
    await page.evaluate(AXE);
    const { violations } = (await page.evaluate('axe.run(document)')) as { violations: { id: string }[] };
    expect(violations.map(({ id }) => id)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await close();
  });
});

function topOf(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);
}

describe('where there are no pictures to compare with', () => {
  const HTML = { accept: 'text/html' };
  const linksToScan = async (api: TestApp, path: string) => (await api.get(path, HTML)).text.includes('href="/scan"');

  test('nothing leads to the scan, and its page leads on; both change as soon as vectors do', async () => {
    const pages = ['/', '/search', '/cert', '/cert/abc', '/cert/PSA20000000'];
    const api = await testApp(world.database.db);
    for (const path of pages) expect([path, await linksToScan(api, path)]).toEqual([path, true]);
    expect((await api.get('/scan', HTML)).text).toContain('class="scan-form"');
    await dropVectors(world.database.db, DESCRIPTOR.name, null);
    await expect.poll(() => linksToScan(api, '/')).toBe(false);
    for (const path of pages) expect([path, await linksToScan(api, path)]).toEqual([path, false]);
    const { text } = await api.get('/scan', HTML);
    expect(text).toContain('Photo search is not set up on this site yet.');
    expect(text).toContain('noindex');
    expect(text).not.toContain('<input id="photo"');
    await api.app.close();
  });
});
