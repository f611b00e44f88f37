/**
 * `node --import tsx bench/http/pages.ts [bytes] [server] [paint] [sitemap] [items]`: what a graded card's page weighs and takes,
 * all parts when none is named. `server`: hot and cold answers of random cards; next to them the same server's `/health`.
 * `paint`: a real Chromium with 60 ms latency, 9 Mbit/s and a quarter of the CPU, set through its protocol. `sitemap`: every
 * file of a catalog of 500,000 items, a tenth of them sold, and the memory of the server while it writes them.
 */
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchBrowser } from '../../test/support/browser.ts';
import { type BenchDatabase, benchDatabase, fillPricedItems } from './http-database.ts';
import { type BenchServer, getRequest, type Load, load, quantile, startServer } from './http-load.ts';

const PARTS = ['bytes', 'server', 'paint', 'sitemap'];
const words = process.argv.slice(2);
const parts = words.filter((word) => PARTS.includes(word));
const runs = (part: string) => parts.length === 0 || parts.includes(part);
const ITEMS = Number(words.find((word) => /^\d+$/.test(word)) ?? 150_000);
const SITEMAP_ITEMS = 500_000;
/** Of a whole catalog few cards have sold. */
const SOLD_ONE_IN = 10;
const REQUESTS = 2000;
const WARM_UP_REQUESTS = 500;
const PAINTS = 9;
const ACCEPT = { accept: 'text/html' };

if (runs('bytes') || runs('server') || runs('paint')) await withCards(ITEMS, measureCards);
if (runs('sitemap')) await withCards(SITEMAP_ITEMS, measureSitemap, SOLD_ONE_IN);

async function withCards(
  items: number,
  work: (database: BenchDatabase, pages: string[]) => Promise<void>,
  soldOneIn = 1,
): Promise<void> {
  const database = await benchDatabase();
  try {
    const paths = await fillPricedItems(database.db, items, soldOneIn);
    const sold = (items / soldOneIn).toLocaleString('en');
    console.log(`${items.toLocaleString('en')} items, ${sold} of them with six sales in three grades`);
    await work(database, paths.map(gradedPage));
  } finally {
    await database.stop();
  }
}

/** `/v1/items/{game}/{set}/{stem}-{id8}/overview` → the page of its PSA 10. */
function gradedPage(overview: string): string {
  return overview.replace(/^\/v1\/items\/(.*)-([0-9a-f]{8})\/overview$/, '/card/$1-psa-10-$2');
}

async function measureCards(database: BenchDatabase, pages: string[]): Promise<void> {
  const env = { VISITS_PER_SECOND: '0' };
  const hot = await startServer({ serve: 'app', connection: database.connection, cacheMb: 128, env });
  if (runs('bytes')) await bytes(hot, pages[0]!);
  if (runs('server')) {
    const cold = await startServer({ serve: 'app', connection: database.connection, cacheMb: 0, env });
    await serverTimes(hot, cold, pages);
    cold.stop();
  }
  if (runs('paint')) await paint(hot, pages);
  hot.stop();
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

async function serverTimes(hot: BenchServer, cold: BenchServer, pages: string[]): Promise<void> {
  let turn = 0;
  // A multiplier prime to the number of items scatters the requests over them.
  const random = () => getRequest(pages[(turn++ * 7919) % pages.length]!, ACCEPT);
  const one = getRequest(pages[0]!, ACCEPT);
  const health = getRequest('/health');
  const oneByOne = (server: BenchServer, next: () => Buffer, requests: number) =>
    load(server.port, { connections: 1, seconds: 60, requests, next, keepLatencies: true });
  await oneByOne(cold, random, WARM_UP_REQUESTS);
  await oneByOne(hot, () => one, WARM_UP_REQUESTS);
  say('/health   ', await oneByOne(cold, () => health, REQUESTS), 'the floor');
  say('page, hot ', await oneByOne(hot, () => one, REQUESTS), 'aim: p50 at most 1 ms');
  const before = await cold.usage();
  const run = await oneByOne(cold, random, REQUESTS);
  const after = await cold.usage();
  say('page, cold', run, 'aim: p50 at most 8 ms');
  console.log(`server CPU ${((after.cpuMicros - before.cpuMicros) / run.requests / 1000).toFixed(2)} ms a cold page`);
}

function say(name: string, { latenciesMs }: Load, note: string): void {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(latenciesMs, share).toFixed(2));
  console.log(`${name} p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms (${note})`);
}

type Paint = { largestMs: number; shift: number; blockingMs: number };

async function paint({ port }: BenchServer, pages: string[]): Promise<void> {
  if (chromiumPath === null) {
    console.log('paint: NOT MEASURED, no Chromium found');
    return;
  }
  const browser = await launchBrowser();
  try {
    const paints: Paint[] = [];
    for (let i = 0; i < PAINTS; i++) paints.push(await paintOf(browser, `http://127.0.0.1:${port}${pages[i * 997]!}`));
    const of = (key: keyof Paint) => paints.map((one) => one[key]).sort((a, b) => a - b);
    const figures = (values: number[], digits: number) =>
      `${values[values.length >> 1]!.toFixed(digits)} (${values[0]!.toFixed(digits)} to ${values.at(-1)!.toFixed(digits)})`;
    console.log(`${PAINTS} visits with an empty cache, median and range:`);
    console.log(`largest paint ${figures(of('largestMs'), 0)} ms (aim: 1,000)`);
    console.log(
      `layout shift ${figures(of('shift'), 3)} (aim: .02); blocking ${figures(of('blockingMs'), 0)} ms (aim: 50)`,
    );
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

async function measureSitemap({ connection }: BenchDatabase): Promise<void> {
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
