import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ImageWorld, imageWorld } from '../search/photo/image-world.ts';
import { chromiumPath, launchBrowser, watchedPage } from '../support/browser.ts';

let world: ImageWorld;
beforeAll(async () => {
  world = await imageWorld(12);
});
afterAll(() => world.close());

describe('a photo', () => {
  test('sent without scripts leads to a page that names the card', async () => {
    const { status, headers, text } = await world.send('/scan/card', [world.pictures[3]!]);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain('We are sure that this is the card.');
    expect(text).toContain('<bdi>Card 4</bdi>');
  });

  test('sent by the script is reported stage by stage, with the corners of the card, then the result', async () => {
    const { status, headers, text } = await world.send('/scan/card/events', [world.pictures[3]!]);
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
    const names = [...text.matchAll(/^event: (\w+)$/gm)].map((match) => match[1]);
    expect(names).toEqual(['progress', 'progress', 'progress', 'progress', 'result']);
    const [, detected] = [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1]!));
    expect(detected.data.quads.length).toBeGreaterThan(0);
    expect(text).toContain('<bdi>Card 4</bdi>');
  });

  test('that another site sends is denied', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    for (const path of ['/scan/card', '/scan/card/events'])
      expect((await world.send(path, [world.pictures[3]!], 'file', headers)).status).toBe(400);
  });

  test('that is not a photo is rejected with a sentence, on the page and in the stream', async () => {
    expect((await world.send('/scan/card', ['hello'])).status).toBe(400);
    const { status, text } = await world.send('/scan/card/events', ['hello']);
    expect([status, /^event: failed$/m.test(text)]).toEqual([200, true]);
    expect(text).toContain('not a JPEG, PNG, WebP or AVIF picture');
  });
});

describe.skipIf(chromiumPath === null)('in a browser', () => {
  test('a chosen photo is shown, scanned live, and its card set in, by keyboard', async () => {
    const address = await world.api.app.listen({ host: '127.0.0.1', port: 0 });
    const browser = await launchBrowser();
    const { page, complaints } = await watchedPage(browser, address);
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
    await browser.close();
  });
});
