import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLiveIndex } from '../../src/search/index/live.ts';
import { type SearchWorld, searchWorld } from '../search/search-world.ts';
import { testApp } from '../support/app.ts';
import { anItem, aSet } from '../support/builders.ts';
import { freshDatabase } from '../support/database/database.ts';
import { typesOf } from '../support/structured-data.ts';

let world: SearchWorld;

beforeAll(async () => {
  world = await searchWorld();
});
afterAll(() => world.close());

const HTML = { accept: 'text/html' };
const page = async (query: string) => (await world.api.get(`/search${query}`, HTML)).text;
const hrefsOf = (text: string) => [...text.matchAll(/class="tile-name" href="([^"]+)"/g)].map(([, href]) => href);
const found = async (query: string) =>
  (await world.api.get(`/v1/search${query}`)).json.results.map(({ href }: { href: string }) => href);

describe('a search by words', () => {
  test('shows what the API finds, and is not to be indexed', async () => {
    const text = await page('?q=charizard');
    expect(hrefsOf(text).toSorted()).toEqual((await found('?q=charizard&limit=30')).toSorted());
    expect(text).toContain('<h1><bdi>“charizard”</bdi></h1>');
    expect(text).toContain('value="charizard"');
    expect(text).toContain('<meta name="robots" content="noindex"/>');
    expect(typesOf(text)).toEqual(['Organization', 'WebSite']);
  });

  test('lists cards most of which have no picture, and says once that one was never sold', async () => {
    const text = await page('?q=charizard+psa+10');
    expect(text).toContain('<ul class="tiles tiles-list">');
    expect(text).toContain('No sale recorded');
    for (const [tile] of text.matchAll(/<li class="tile".*?<\/li>/g))
      expect(tile).not.toMatch(/No sale recorded.*No PSA 10 price/);
  });

  test('in a game finds cards of that game alone, by the same words', async () => {
    const text = await page('?q=charizard&game=gundam');
    const hrefs = hrefsOf(text);
    expect(hrefs.length).toBeGreaterThan(0);
    for (const href of hrefs) expect(href).toMatch(/^\/card\/gundam\//);
    expect(text).toContain('href="/search?q=charizard">');
    expect(text).toMatch(/href="\/search\?q=charizard&amp;game=gundam" aria-current="true"/);
  });

  test('says which misspelled words it corrected, and searches for them as typed if asked to', async () => {
    const text = await page('?q=charizrd');
    expect(text).toContain('Showing results for <strong>charizard</strong>');
    expect(text).toContain('<a href="/search?q=charizrd&amp;exact=1">Search instead for <bdi>charizrd</bdi></a>');
    expect(hrefsOf(text).length).toBeGreaterThan(0);
    expect(await page('?q=charizrd&exact=1')).toContain('No matching cards');
    expect(await page('?q=charizard')).not.toContain('Showing results for');
  });

  test('lists in other orders, priced cards alone, and the next page', async () => {
    const amounts = (text: string) =>
      [...text.matchAll(/class="list-price-row"><strong>\$([\d,.]+)</g)].map(([, n]) => Number(n!.replaceAll(',', '')));
    const byPrice = amounts(await page('?q=charizard&sort=price'));
    expect(byPrice).toEqual(byPrice.toSorted((a, b) => b - a));
    const priced = await page('?q=charizard&priced=1');
    expect(priced).not.toContain('No price');
    expect(hrefsOf(priced)).toHaveLength(amounts(priced).length);
    const [first, second] = await Promise.all([page('?tag=mood:crowd'), page('?tag=mood:crowd&page=2')]);
    expect(first).toContain('href="/search?tag=mood%3Acrowd&amp;page=2" rel="next"');
    expect(hrefsOf(second).filter((href) => hrefsOf(first).includes(href))).toEqual([]);
    for (const wrong of ['sort=cheapest', 'page=0', 'page=11'])
      expect((await world.api.get(`/search?q=char&${wrong}`, HTML)).status, wrong).toBe(400);
  });

  test('that finds nothing says what may be wrong, and leads on', async () => {
    const text = await page('?q=zzzzqqqq&tag=mood:happy&game=pokemon');
    expect(text).toContain('No matching cards');
    for (const href of ['?q=zzzzqqqq&amp;tag=mood%3Ahappy"', '?q=zzzzqqqq&amp;game=pokemon"', '/card"'])
      expect(text).toContain(href);
  });

  test('of one character requests more, and an empty one says what can be typed', async () => {
    for (const [query, said] of [
      ['?q=a', 'Type at least two'],
      ['', 'Type what you know, in any order'],
      ['?q=', 'Type what you know, in any order'],
    ] as const)
      expect(await page(query)).toContain(said);
  });

  test('that is not markup: the typed words are shown as they are', async () => {
    const text = await page(`?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&quot;>&lt;script>');
  });

  test('too long, in an unknown game, by a malformed tag or beyond its pages is rejected', async () => {
    for (const query of [`?q=${'a'.repeat(81)}`, '?q=mew&game=chess', '?tag=Nonsense', '?tag=mood:happy&page=x'])
      expect((await world.api.get(`/search${query}`, HTML)).status, query).toBe(400);
  });

  test('is answered 503 with Retry-After when the catalog cannot be read', async () => {
    const fresh = await freshDatabase();
    const young = await testApp(fresh.db);
    await fresh.db.query('alter table items rename to items_away');
    const { status, headers, text } = await young.get('/search?q=charizard', HTML);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(text).toContain('The catalog cannot be read just now; try again shortly.');
    await young.app.close();
    await fresh.close();
  });

  test('is answered 503 with Retry-After: 3 while the first index is being built', async () => {
    const { liveIndex } = world.api.context;
    const { built } = liveIndex;
    liveIndex.built = () => new Promise(() => {});
    liveIndex.patienceMs = 20;
    for (const path of ['/search?q=charizard', '/v1/search?q=charizard', '/v1/search/suggest?q=char']) {
      const { status, headers, text } = await world.api.get(path, path.startsWith('/v1') ? {} : HTML);
      expect([status, headers['retry-after']], path).toEqual([503, '5']);
      expect(text, path).toContain('The search is being prepared; try again shortly.');
    }
    liveIndex.built = built;
    liveIndex.patienceMs = 60_000;
    const { db, close } = await freshDatabase();
    expect(openLiveIndex({ db, log: world.api.context.log, synonymsFile: null }).patienceMs).toBe(3000);
    await close();
  });
});

describe('a search by tag', () => {
  test('shows each tag with a way to leave it out, and finds what has all of them', async () => {
    const text = await page('?tag=mood:happy&tag=mood:calm');
    expect(hrefsOf(text)).toEqual(await found('?tag=mood:happy&tag=mood:calm&limit=30'));
    expect(text).toMatch(
      /href="\/search\?tag=mood%3Acalm" aria-current="true"><span class="unseen">Leave out <\/span>Happy/,
    );
    expect(text).toMatch(/href="\/search\?tag=mood%3Ahappy" aria-current="true"/);
  });

  test('offers tags that some of what was found has', async () => {
    const text = await page('?tag=mood:happy&game=pokemon');
    expect(text).toContain('href="/search?tag=mood%3Ahappy&amp;tag=mood%3Acalm&amp;game=pokemon"');
    expect(text).not.toContain('tag=mood%3Ahappy&amp;tag=mood%3Ahappy');
  });

  test('comes in pages that reach every card of it', async () => {
    const seen = new Set<string>();
    let next: string | undefined = '?tag=mood:crowd';
    for (let pages = 0; next !== undefined && pages < 12; pages++) {
      const text = await page(next);
      for (const href of hrefsOf(text)) seen.add(href!);
      next = /href="\/search(\?[^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    const ofApi = new Set<string>();
    let after = '';
    do {
      const { json } = await world.api.get(`/v1/search?tag=mood:crowd&limit=30${after && `&after=${after}`}`);
      for (const { href } of json.results) ofApi.add(href);
      after = json.nextCursor ?? '';
    } while (after !== '');
    expect(ofApi.size).toBe(300);
    expect(seen).toEqual(ofApi);
  });
});

describe('suggestions for the search field', () => {
  test('are those of the API, and take from no budget', async () => {
    const limited = await testApp(world.db, { env: { LIMITS: 'on' } });
    const { status, json, headers } = await limited.get('/search/suggest.json?q=char');
    expect([status, headers['x-ratelimit-limit']]).toEqual([200, undefined]);
    const { suggestions } = (await world.api.get('/v1/search/suggest?q=char&limit=8')).json;
    expect(suggestions.length).toBeGreaterThan(0);
    expect(json.suggestions.map(({ href }: { href: string }) => href)).toEqual(
      suggestions.map(({ href }: { href: string }) => href),
    );
    await limited.app.close();
  });

  test('of less than two characters return nothing; of too many, those of the first eighty', async () => {
    expect((await world.api.get('/search/suggest.json?q=a')).json).toEqual({ query: 'a', suggestions: [] });
    const long = await world.api.get(`/search/suggest.json?q=${'charizard '.repeat(20)}`);
    expect([long.status, long.json.query.length]).toEqual([200, 80]);
  });

  test('begin with the slab whose number is typed', async () => {
    const { suggestions } = (await world.api.get('/search/suggest.json?q=psa%2012345678')).json;
    expect(suggestions[0]).toEqual({
      name: { text: 'PSA 12345678' },
      facts: [{ text: 'Look up this slab' }],
      href: '/cert/PSA12345678',
    });
    expect(await page('?q=12345678')).toContain('href="/cert/PSA12345678"');
  });

  test('come to every page by a script of ours', async () => {
    for (const path of ['/', '/card', '/search', '/indices'])
      expect((await world.api.get(path, HTML)).text).toMatch(/<script type="module" src="\/assets\/suggest-\w+\.js">/);
  });
});

test('a card of a hostile name is found and shown as text', async () => {
  const name = 'Zorblax <img src=x onerror=alert(1)>';
  await anItem(world.db, { set: await aSet(world.db), number: '77', name });
  await world.refresh();
  const text = await page('?q=zorblax');
  expect(hrefsOf(text)).toHaveLength(1);
  expect(text).not.toContain('<img src=x');
});
