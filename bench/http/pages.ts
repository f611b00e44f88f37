/**
 * `node --import tsx bench/http/pages.ts [bytes] [server] [paint] [sitemap] [items]`: what pages weigh and take, all parts when none
 * is named. `bytes`: of a graded card's page. `server`: time and CPU of pages (page-times.ts). `paint`: a card, home and a large
 * set in a real Chromium with 60 ms latency, 9 Mbit/s and a quarter of the CPU, set through its protocol. `sitemap`: every file
 * of a catalog of 500,000 items, a tenth of them sold, and the memory of the server while it writes them.
 */
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchBrowser } from '../../test/support/browser.ts';
import { type BenchDatabase, benchDatabase, fillPricedItems } from './http-database.ts';
import { type BenchServer, startServer } from './http-load.ts';
import { fillMarket, LARGE_SET } from './market-database.ts';
import { pageTimes } from './page-times.ts';

const PARTS = ['bytes', 'server', 'paint', 'sitemap'];
const words = process.argv.slice(2);
const parts = words.filter((word) => PARTS.includes(word));
const runs = (part: string) => parts.length === 0 || parts.includes(part);
const ITEMS = Number(words.find((word) => /^\d+$/.test(word)) ?? 100_000);
const SITEMAP_ITEMS = 500_000;
/** Of a whole catalog few cards have sold. */
const SOLD_ONE_IN = 10;
const PAINTS = 9;
const ACCEPT = { accept: 'text/html' };

if (runs('bytes') || runs('server') || runs('paint')) await withDatabase(measurePages);
if (runs('sitemap')) await withDatabase(measureSitemap);

async function withDatabase(work: (database: BenchDatabase) => Promise<void>): Promise<void> {
  const database = await benchDatabase();
  try {
    await work(database);
  } finally {
    await database.stop();
  }
}

async function measurePages(database: BenchDatabase): Promise<void> {
  const cards = await fillMarket(database, ITEMS);
  console.log(`${ITEMS.toLocaleString('en')} items with six sales each, four indices, a set of ${LARGE_SET.cards}`);
  const env = { VISITS_PER_SECOND: '0' };
  const start = (cacheMb: number) => startServer({ serve: 'app', connection: database.connection, cacheMb, env });
  if (runs('server')) await pageTimes(database, start, cards);
  const server = await start(128);
  const paths = cards.map(({ path, id8 }) => `/card/${path}-psa-10-${id8}`);
  if (runs('bytes')) await bytes(server, paths[0]!);
  if (runs('paint')) await paint(server, paths);
  server.stop();
}

async function bytes({ port }: BenchServer, path: string): Promise<void> {
  const text = async (target: string) => (await fetch(`http://127.0.0.1:${port}${target}`, { headers: ACCEPT })).text();
  const html = await text(path);
  const packed = (body: string) => gzipSync(body).length / 1000;
  const styles = packed(await text(/href="(\/assets\/site-[^"]+\.css)"/.exec(html)![1]!));
  const scripts = await Promise.all(
    [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(async (match) => packed(await text(match[1]!))),
  );
  const script = scripts.reduce((sum, size) => sum + size, 0);
  console.log(`page ${packed(html).toFixed(1)} kB and styles ${styles.toFixed(1)} kB gzipped (aim: 60 together);`);
  console.log(`scripts ${script.toFixed(1)} kB gzipped (aim: 45)`);
}

type Paint = { largestMs: number; shift: number; blockingMs: number };

async function paint({ port }: BenchServer, cards: string[]): Promise<void> {
  if (chromiumPath === null) {
    console.log('paint: NOT MEASURED, no Chromium found');
    return;
  }
  const browser = await launchBrowser();
  try {
    console.log(`${PAINTS} visits each with an empty cache, median and range:`);
    for (const [name, pathOf] of [
      ['card', (i: number) => cards[i * 997]!],
      ['home', () => '/'],
      [`set of ${LARGE_SET.cards}`, () => `/card/${LARGE_SET.path}`],
    ] as const) {
      const paints: Paint[] = [];
      for (let i = 0; i < PAINTS; i++) paints.push(await paintOf(browser, `http://127.0.0.1:${port}${pathOf(i)}`));
      const of = (key: keyof Paint) => paints.map((one) => one[key]).sort((a, b) => a - b);
      const figures = (values: number[], digits: number) =>
        `${values[values.length >> 1]!.toFixed(digits)} (${values[0]!.toFixed(digits)} to ${values.at(-1)!.toFixed(digits)})`;
      console.log(
        `${name}: largest paint ${figures(of('largestMs'), 0)} ms (aim: 1,000), layout shift ${figures(of('shift'), 3)} (aim: .02), blocking ${figures(of('blockingMs'), 0)} ms (aim: 50)`,
      );
    }
  } finally {
    await browser.close();
  }
}

/** One visit by a slow machine over a slow line. Blocking is what tasks after the first paint take beyond 50 ms each (web.dev/tbt). */
async function paintOf(browser: Browser, url: string): Promise<Paint> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 60,
    downloadThroughput: (9 * 1e6) / 8,
    uploadThroughput: (9 * 1e6) / 8,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(`
    globalThis.seen = { largestMs: 0, shift: 0, blockingMs: 0 };
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.largestMs = entry.startTime; })
      .observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value; })
      .observe({ type: 'layout-shift', buffered: true });
    seen.tasks = [];
    new PerformanceObserver((list) => { for (const { startTime, duration } of list.getEntries()) seen.tasks.push([startTime, duration]); })
      .observe({ type: 'longtask', buffered: true });
  `);
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.waitForTimeout(500);
  const { tasks, ...seen } = await page.evaluate<Paint & { tasks: [startMs: number, durationMs: number][] }>(
    'globalThis.seen',
  );
  const firstPaintMs = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0].startTime`,
  );
  await context.close();
  for (const [startMs, durationMs] of tasks) {
    const after = startMs + durationMs - Math.max(startMs, firstPaintMs);
    seen.blockingMs += Math.max(0, Math.min(durationMs - 50, after));
  }
  return seen;
}

async function measureSitemap({ db, connection }: BenchDatabase): Promise<void> {
  await fillPricedItems(db, SITEMAP_ITEMS, SOLD_ONE_IN);
  const server = await startServer({ serve: 'app', connection, cacheMb: 128 });
  const origin = `http://127.0.0.1:${server.port}`;
  const index = await (await fetch(`${origin}/sitemap.xml`)).text();
  const files = [...index.matchAll(/<loc>[^<]*?(\/sitemaps\/[^<]+)<\/loc>/g)].map((match) => match[1]!);
  await drain(`${origin}${files.at(-1)}`);
  const before = (await server.usage()).rssBytes;
  const started = performance.now();
  let [most, total, urls] = [0, 0, 0];
  for (const file of files) {
    const drained = await drain(`${origin}${file}`);
    total += drained.bytes;
    urls += drained.urls;
    most = Math.max(most, (await server.usage()).rssBytes - before);
  }
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${files.length} files, ${urls.toLocaleString('en')} addresses, ${(total / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s;`,
  );
  console.log(`the server grew by ${(most / 2 ** 20).toFixed(0)} MB at most (aim: 64)`);
  server.stop();
}

async function drain(url: string): Promise<{ bytes: number; urls: number }> {
  let [bytes, urls] = [0, 0];
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  for await (const chunk of response.body!) {
    bytes += chunk.length;
    urls += Buffer.from(chunk).toString('latin1').split('<loc>').length - 1;
  }
  return { bytes, urls };
}
