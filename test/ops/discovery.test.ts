import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Core } from '../../src/http/context.ts';
import { DOWNLOADS } from '../../src/indices/downloads.ts';
import { entriesOf } from '../../src/ops/discovery/sitemap-entries.ts';
import { fileOf, nameOf, type SitemapFile } from '../../src/ops/discovery/sitemap-files.ts';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aSet, closeDays } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let fresh: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  fresh = await freshDatabase();
  const sold = await anItem(fresh.db, { name: 'Sold' });
  await anItem(fresh.db, { name: 'Unsold', number: '77' });
  await aSale(fresh.db, { itemId: sold, sold: '2026-06-01' });
  await closeDays(fresh.db);
  api = await testApp(fresh.db);
});

afterAll(async () => {
  await api.app.close();
  await fresh.close();
});

const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => match[1]!);

describe('sitemaps', () => {
  test('the index lists a file for the standing pages, and for the sets, cards and grades of each game that has cards', async () => {
    const { status, headers, text } = await api.get('/sitemap.xml');
    expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
    expect(locations(text)).toEqual(
      ['pages', 'sets-pokemon', 'cards-pokemon-1-of-1', 'grades-pokemon-1-of-1'].map(
        (name) => `${BASE_URL}/sitemaps/${name}.xml`,
      ),
    );
  });

  test('every address that the files list answers 200 and is its own canonical one', async () => {
    const files = locations((await api.get('/sitemap.xml')).text).map((url) => url.slice(BASE_URL.length));
    const listed: string[] = [];
    for (const file of files) listed.push(...locations((await api.get(file)).text));
    expect(listed.filter((url) => url.includes('/card/pokemon/')).length).toBe(1 + 2 + 1);
    for (const url of listed) {
      const { status, text } = await api.get(url.slice(BASE_URL.length) || '/', { accept: 'text/html' });
      expect([url, status]).toEqual([url, 200]);
      expect(text, url).toContain(`<link rel="canonical" href="${url}"/>`);
    }
  });

  test('a page changed when its card did or with its newest known sale: nothing is said where nothing is known', async () => {
    const { text } = await api.get('/sitemaps/cards-pokemon-1-of-1.xml');
    expect([...text.matchAll(/<lastmod>(\d{4}-\d\d-\d\d)<\/lastmod>/g)].length).toBe(2);
    expect((await api.get('/sitemaps/pages.xml')).text).toContain(`<url><loc>${BASE_URL}/card</loc></url>`);
  });

  test('parts of a file list every card once', async () => {
    const whole = locations((await api.get('/sitemaps/cards-pokemon-1-of-1.xml')).text);
    const parts: string[] = [];
    for (const part of [1, 2, 3, 4])
      parts.push(...locations((await api.get(`/sitemaps/cards-pokemon-${part}-of-4.xml`)).text));
    expect(parts.sort()).toEqual(whole.sort());
  });

  test('a file has at most the 50,000 addresses that are allowed, however few parts its name has', async () => {
    const own = await freshDatabase();
    try {
      const { id } = await aSet(own.db, { game: 'lorcana' });
      await own.db.query(
        `insert into items (id, game, set_id, number, name, language, stem, identity_key)
         select gen_random_uuid(), 'lorcana', $1, n, 'Card', 'English', 'card', n from generate_series(1, 50001) n`,
        [id],
      );
      const entries = await entriesOf({ db: own.db } as Core, { kind: 'cards', game: 'lorcana', part: 0, parts: 1 });
      expect(entries.length).toBe(50_000);
    } finally {
      await own.close();
    }
  });

  test('two are written at a time; a third is answered 503 with Retry-After', async () => {
    const all = await Promise.all([1, 2, 3, 4].map((part) => api.get(`/sitemaps/cards-pokemon-${part}-of-4.xml`)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503]);
    expect(all.find(({ status }) => status === 503)!.headers['retry-after']).toBe('10');
  });

  test('names are read back as they were made, and others are not a sitemap', async () => {
    const files: SitemapFile[] = [
      { kind: 'pages' },
      { kind: 'sets', game: 'one-piece' },
      { kind: 'cards', game: 'mtg', part: 1, parts: 4 },
      { kind: 'grades', game: 'one-piece', part: 0, parts: 1 },
    ];
    for (const file of files) expect(fileOf(nameOf(file))).toEqual(file);
    for (const name of ['', 'cards-mtg', 'cards-mtg-5-of-4', 'cards-mtg-0-of-4', 'sets-mtg-1-of-1', 'sets-chess'])
      expect(fileOf(`${name}.xml`), name).toBeNull();
    expect(fileOf('sets-mtg')).toBeNull();
    expect((await api.get('/sitemaps/sets-chess.xml')).status).toBe(404);
  });
});

test('robots.txt names the sitemap and excludes endless pages', async () => {
  const { headers, text } = await api.get('/robots.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toContain(`Sitemap: ${BASE_URL}/sitemap.xml`);
  expect(text).toMatch(/^Disallow: \/search\?$/m);
});

test('robots may fetch every file of the index data, and nothing else of the API', async () => {
  const rules = [...(await api.get('/robots.txt')).text.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(
    ([, kind, path]) => ({ kind, path: path! }),
  );
  // RFC 9309: the longest rule that matches decides.
  const isAllowed = (address: string) =>
    rules
      .filter(({ path }) => new RegExp(`^${path.replace(/[.?]/g, '\\$&').replaceAll('*', '.*')}`).test(address))
      .sort((a, b) => b.path.length - a.path.length)[0]?.kind !== 'Disallow';
  for (const { path } of DOWNLOADS) expect(isAllowed(path.replace(':game', 'pokemon')), path).toBe(true);
  for (const path of ['/v1/indices', '/v1/indices/pokemon', '/v1/indices/pokemon/series', '/v1/openapi.json'])
    expect(isAllowed(path), path).toBe(false);
});

test('llms.txt begins with the name and links only to what answers', async () => {
  const { text } = await api.get('/llms.txt');
  expect(text).toMatch(/^# Mintmark\n\n> /);
  const links = [...text.matchAll(/\]\((\S+)\)/g)].map((match) => match[1]!.slice(BASE_URL.length));
  for (const link of links) expect([link, (await api.get(link)).status]).toEqual([link, 200]);
});

test('the API catalog is a linkset to what answers', async () => {
  const { headers, text } = await api.get('/.well-known/api-catalog');
  expect(headers['content-type']).toBe('application/linkset+json; charset=utf-8');
  const [set] = JSON.parse(text).linkset;
  for (const relation of ['service-desc', 'service-doc', 'status'])
    expect((await api.get(set[relation][0].href.slice(BASE_URL.length))).status, relation).toBe(200);
});

test('outside the API a browser gets a page that says what is wrong and where to go on, a program a problem', async () => {
  const page = await api.get('/nowhere', { accept: 'text/html,application/xhtml+xml' });
  expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    404,
    'text/html; charset=utf-8',
    'no-store',
  ]);
  expect(page.text).toContain('<h1>Page not found</h1>');
  expect(page.text).not.toContain('rel="canonical"');
  expect(page.text).toContain('noindex');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
  const program = await api.get('/nowhere');
  expect([program.status, program.json.error]).toEqual([404, 'not_found']);
  const inApi = await api.get('/v1/nowhere', { accept: 'text/html' });
  expect(inApi.headers['content-type']).toBe('application/problem+json; charset=utf-8');
});
