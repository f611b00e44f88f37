import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { briefDay } from '../../src/web/format.ts';
import { articles } from '../../src/web/research/articles.ts';
import { articleSvg } from '../../src/web/share/research-image.ts';
import { lines } from '../../src/web/share/share-drawing.ts';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { complaintsOf } from '../support/structured-data.ts';

const HTML = { accept: 'text/html' };
let fresh: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  fresh = await freshDatabase();
  api = await testApp(fresh.db);
});

afterAll(async () => {
  await api.app.close();
  await fresh.close();
});

const blocksOf = (html: string): Record<string, unknown>[] =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map((match) => JSON.parse(match[1]!));

test('the hub lists every article in its text and in an ItemList', async () => {
  const { text } = await api.get('/research', HTML);
  expect(articles().length).toBeGreaterThanOrEqual(5);
  const list = blocksOf(text).find((block) => block['@type'] === 'ItemList') as { itemListElement: { url: string }[] };
  expect(list.itemListElement.map(({ url }) => url)).toEqual(
    articles().map(({ slug }) => `${BASE_URL}/research/${slug}`),
  );
  for (const { slug, title } of articles()) expect(text).toContain(`<a href="/research/${slug}">${title}</a>`);
});

test('an article is an Article with its days and author, and Markdown at the same address', async () => {
  for (const { slug, title, published, modified } of articles()) {
    const { status, text } = await api.get(`/research/${slug}`, HTML);
    expect(status).toBe(200);
    const types = blocksOf(text).map((block) => block['@type']);
    expect(types).toEqual(['Organization', 'WebSite', 'BreadcrumbList', 'Article']);
    expect(blocksOf(text).at(-1)).toMatchObject({
      headline: title,
      datePublished: `${published}T00:00:00Z`,
      dateModified: `${modified}T00:00:00Z`,
      author: { name: 'Mintmark', url: `${BASE_URL}/about` },
      image: `${BASE_URL}/research/${slug}.png`,
    });
    expect(text).toContain(`<h1>${title}</h1>`);
    const twin = await api.get(`/research/${slug}.md`);
    expect(twin.headers.link).toBe(`<https://prices.example/research/${slug}>; rel="canonical"`);
    expect(twin.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(twin.text.startsWith(`# ${title}\n`)).toBe(true);
  }
});

test('an article is shared with a picture of its title, which is there', async () => {
  const pictures = new Set<string>();
  for (const { slug } of articles()) {
    const { text } = await api.get(`/research/${slug}`, HTML);
    expect(text).toContain(`<meta property="og:image" content="${BASE_URL}/research/${slug}.png"/>`);
    expect(text).toContain('<meta name="twitter:card" content="summary_large_image"/>');
    const { statusCode, headers, rawPayload } = await api.app.inject(`/research/${slug}.png`);
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/png']);
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    pictures.add(rawPayload.toString('base64'));
  }
  expect(pictures.size).toBe(articles().length);
  expect((await api.get('/research/nothing.png')).status).toBe(404);
});

test('the picture of an article has its whole title and description, broken into lines, and its day', () => {
  for (const article of articles()) {
    const svg = articleSvg({ serviceName: 'Mintmark', isDemo: false }, article);
    const written = [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map((match) => match[1]);
    expect(written.join(' ')).toBe(
      `Research ${article.title} ${article.description} ${briefDay(article.published)} Mintmark`,
    );
    // Titles are 66 px and descriptions 28 px high; the last line ends above the day.
    const baselines = [...svg.matchAll(/<text x="72" y="(\d+)"/g)].map((match) => Number(match[1]));
    expect(Math.max(...baselines.slice(0, -1))).toBeLessThan(570);
  }
});

test('a line is cut at its width, in one pass over a text of any length', () => {
  expect(lines('x'.repeat(200_000), 24, 2)).toEqual([`${'x'.repeat(24)}…`]);
  expect(lines('長'.repeat(13), 24, 1)).toEqual([`${'長'.repeat(12)}…`]);
});

test('every link of an article or chapter within the site leads somewhere', async () => {
  const pages = [
    ...articles().map(({ slug }) => `/research/${slug}`),
    '/methodology',
    '/methodology/model',
    '/methodology/index',
    '/methodology/record',
    '/methodology/index-guide',
    '/about',
    '/api',
  ];
  const links = new Set<string>();
  for (const page of pages) {
    const { text } = await api.get(page, HTML);
    for (const match of text.matchAll(/(?:href|src)="(\/[^"#]*)"/g)) links.add(match[1]!.replaceAll('&amp;', '&'));
  }
  for (const link of links) expect([link, (await api.get(link, HTML)).status]).toEqual([link, 200]);
});

test('the structured data of the text pages has nothing that validators complain of', async () => {
  const pages = ['/research', ...articles().map(({ slug }) => `/research/${slug}`), '/about', '/methodology', '/api'];
  for (const path of [...pages, '/partners', '/report', '/cert', '/scan', '/'])
    expect([path, await complaintsOf((await api.get(path, HTML)).text)]).toEqual([path, []]);
});

test('every article has a picture of its result, and every chapter and article its contents', async () => {
  for (const path of [
    ...articles().map(({ slug }) => `/research/${slug}`),
    '/methodology',
    '/methodology/index-guide',
  ]) {
    const { text } = await api.get(path, HTML);
    expect([path, /<div class="bars"|<span class="drawing" role="img"/.test(text)]).toEqual([path, true]);
    const anchors = [...text.matchAll(/<a href="#([\w-]+)"/g)].map(([, id]) => id);
    for (const id of anchors) expect(text).toContain(` id="${id}"`);
    if (path !== '/methodology/index-guide') expect(anchors.length, path).toBeGreaterThanOrEqual(3);
  }
});

test('an unknown article is a page that helps', async () => {
  const { status, text } = await api.get('/research/nothing', HTML);
  expect(status).toBe(404);
  expect(text).toContain('<h1>Page not found</h1>');
});
