import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anIndex } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let web: TestApp;
let set: string;
let overview: string;
let graded: string;

beforeAll(async () => {
  database = await freshDatabase();
  const [itemId] = await anIndex(database.db);
  set = '/card/pokemon/market-of-pokemon-mkt';
  overview = `${set}/1-card-1-${itemId!.slice(0, 8)}`;
  graded = `${set}/1-card-1-psa-10-${itemId!.slice(0, 8)}`;
  web = await testApp(database.db);
});
afterAll(async () => {
  await web.app.close();
  await database.close();
});

const html = (path: string) => web.get(path, { accept: 'text/html' });

test('every page names a picture of its own for shared links, which is drawn', async () => {
  const pictures = new Map<string, string>();
  for (const path of ['/', '/cert', '/cert/PSA20000000', '/indices/pokemon', set, overview, graded]) {
    const { text } = await html(path);
    pictures.set(path, /property="og:image" content="https:\/\/prices\.example([^"]+)"/.exec(text)![1]!);
  }
  expect(new Set(pictures.values()).size).toBe(pictures.size - 1);
  const drawn = new Set<string>();
  for (const picture of new Set(pictures.values())) {
    const { statusCode, rawPayload } = await web.app.inject(picture);
    expect([picture, statusCode]).toEqual([picture, 200]);
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    drawn.add(rawPayload.toString('base64'));
  }
  expect(drawn.size).toBe(pictures.size - 1);
});

test('the chart of a card and of an index is there as CSV, SVG and PNG, by the links under it', async () => {
  for (const [path, columns] of [
    [graded, 'date,price_usd,low_usd,high_usd,next_sale_low_usd,next_sale_high_usd,sales'],
    ['/indices/pokemon', 'date,level,sold_usd,sales,rebalanced'],
  ] as const) {
    const { text } = await html(path);
    const links = [...text.matchAll(/href="([^"]+\.(csv|svg|png)\?window=[^"]+)" download/g)].map(([, href]) => href!);
    expect(links).toHaveLength(3);
    const [csv, svg, png] = await Promise.all(links.map((href) => web.app.inject(href)));
    expect(csv!.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv!.body.split('\r\n')[0]).toBe(columns);
    expect(csv!.body).toMatch(/\r\n2026-06-29,\d+\.\d\d,/);
    expect(svg!.body).toMatch(/^<svg [^>]*role="img"/);
    expect(svg!.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; frame-ancestors 'none'$/,
    );
    expect((await sharp(png!.rawPayload).metadata()).width).toBe(2000);
  }
});

test('only embedded charts may be framed', async () => {
  const policyOf = async (path: string) => String((await html(path)).headers['content-security-policy']);
  for (const path of [`/embed${graded}`, '/embed/indices/pokemon'])
    expect(await policyOf(path)).toMatch(/script-src 'self'; style-src 'self';.*frame-ancestors \*$/);
  for (const path of ['/', graded, '/indices/pokemon', `/embed${overview}`])
    expect(await policyOf(path)).toContain("frame-ancestors 'none'");
});

test('an index without a level, and the index itself, are not drawn next to it', async () => {
  expect((await html('/indices/pokemon?vs=sports')).status).toBe(200);
  expect((await html('/indices/pokemon?vs=sports')).text).not.toContain('scaled to the same start');
  expect((await html('/indices/pokemon?vs=pokemon')).text).not.toContain('scaled to the same start');
});
