import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where a Chromium is, or null. */
export const chromiumPath: string | null = PLACES.find((path) => path !== undefined && existsSync(path)) ?? null;

if (chromiumPath === null) {
  console.warn(
    '\n########################################################################\n' +
      '## NO CHROMIUM FOUND: the tests of the pages in a browser are SKIPPED.\n' +
      '## Install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.\n' +
      '########################################################################\n',
  );
}

/** A browser that talks to nobody by itself. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** The requests of a page, and the errors that it reported. */
export type Watched = { page: Page; complaints: string[]; foreign: string[]; close(): Promise<void> };

/** A page of its own context that notes errors, violations of the content policy, and requests beyond `origin`. */
export async function watchedPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:')) foreign.push(url);
  });
  return { page, complaints, foreign, close: () => context.close() };
}
