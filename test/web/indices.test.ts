import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rotationHistory } from '../../src/indices/history.ts';
import { indexBySlug } from '../../src/indices/rows.ts';
import { parseDay } from '../../src/lib/day.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anIndex, anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { blockOf, complaintsOf, typesOf } from '../support/structured-data.ts';
import { HOSTILE_NAME } from './world.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db, { name: 'Jungle', code: 'base2' });
  const fading = await anItem(db, { set, number: '1', name: 'Fading' });
  await manySales(db, { itemId: fading, from: '2025-11-01', to: '2026-03-05', everyDays: 4, usdCents: 500_00 });
  const hostile = (await anIndex(db)).at(-1);
  await db.query('update items set name = $2 where id = $1', [hostile, HOSTILE_NAME]);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const HTML = { accept: 'text/html' };
const page = async (path: string) => (await api.get(path, HTML)).text;

describe('the page of the indices', () => {
  test('shows all four, with the numbers of the API, and says which are computing', async () => {
    const text = await page('/indices');
    const { indices } = (await api.get('/v1/indices')).json;
    const live = indices.find((one: { status: string }) => one.status === 'live');
    expect(text).toContain(live.value.toLocaleString('en-US', { minimumFractionDigits: 2 }));
    for (const { slug } of indices) expect(text).toContain(`href="/indices/${slug}"`);
    expect(text.match(/Not started yet/g)).toHaveLength(3);
    expect(typesOf(text)).toEqual(['Organization', 'WebSite']);
  });

  test('is whole before the first close too', async () => {
    const empty = await freshDatabase();
    const young = await testApp(empty.db);
    const { status, text } = await young.get('/indices', HTML);
    expect([status, text.match(/No index has started yet/g)?.length]).toEqual([200, 1]);
    expect(text).not.toContain('Comparison');
    await young.app.close();
    await empty.close();
  });
});

describe('the page of a live index', () => {
  test('shows level, moves, chart, basket, rotations and downloads, with the numbers of the API', async () => {
    const { status, text } = await api.get('/indices/pokemon', HTML);
    const { json } = await api.get('/v1/indices/pokemon');
    expect(status).toBe(200);
    expect(text).toContain(json.value.toLocaleString('en-US', { minimumFractionDigits: 2 }));
    expect(text).toContain('at the close of <time datetime="2026-06-29');
    for (const { href } of json.constituents) expect(text).toContain(`href="${href}"`);
    expect(text).toMatch(/<svg class="chart-svg"[^>]*role="img" aria-label="Pokémon index from 2026-04-01/);
    for (const table of ['levels', 'baskets', 'prices'])
      for (const form of ['csv', 'json']) expect(text).toContain(`href="/v1/indices/pokemon/${table}.${form}"`);
    expect(text).toContain('href="/methodology/index"');
    expect(text).not.toMatch(/ style=|<script(?! type="(application\/(ld\+)?json|module)")/);
  });

  test('has every day of the chart as a table, with the levels of the series', async () => {
    const text = await page('/indices/pokemon?window=30');
    const { points } = (await api.get('/v1/indices/pokemon/series?window=30')).json;
    const rows = text
      .split('class="chart-table"')[1]!
      .split('</table>')[0]!
      .match(/<th scope="row">/g);
    expect(rows).toHaveLength(points.length);
    for (const { value } of points)
      expect(text).toContain(`<td class="num">${value.toLocaleString('en-US', { minimumFractionDigits: 2 })}</td>`);
  });

  test('offers windows as links, and rejects an unknown one', async () => {
    const text = await page('/indices/pokemon?window=all');
    expect(text).toContain('<a href="/indices/pokemon?window=all" aria-current="true" rel="nofollow">');
    expect(text).toContain('<link rel="canonical" href="https://prices.example/indices/pokemon"/>');
    expect((await api.get('/indices/pokemon?window=soon', HTML)).status).toBe(400);
  });

  test('shows each rotation as the API does', async () => {
    const history = await rotationHistory(database.db, await indexBySlug(database.db, 'pokemon'));
    expect(history.map(({ date }) => date)).toEqual(['2026-06-01', '2026-05-01', '2026-04-01']);
    for (const { date, added, removed, eligible } of history) {
      const { json } = await api.get(`/v1/indices/pokemon/rebalance/${date}`);
      const ids = (cards: readonly { id: string }[]) => cards.map(({ id }) => id).sort();
      expect([ids(added), ids(removed), eligible]).toEqual([ids(json.added), ids(json.removed), json.eligible]);
    }
    expect(history.flatMap(({ removed }) => removed.map(({ name }) => name))).toContain('Fading');
    expect(await page('/indices/pokemon')).toMatch(
      /1 Jun 2026<\/strong> <span class="muted">\d+ added, 1 removed \(\d+\u00a0eligible\)/,
    );
  });

  test('has a trail, the basket in order and its data described, all valid', async () => {
    const text = await page('/indices/pokemon');
    const { json } = await api.get('/v1/indices/pokemon');
    expect(typesOf(text)).toEqual(['Organization', 'WebSite', 'BreadcrumbList', 'ItemList', 'Dataset']);
    const list = blockOf(text, 'ItemList');
    expect(list.itemListElement.map((one: { url: string }) => one.url)).toEqual(
      json.constituents.map(({ href }: { href: string }) => `https://prices.example${href}`),
    );
    const dataset = blockOf(text, 'Dataset');
    expect(dataset).toMatchObject({
      url: 'https://prices.example/indices/pokemon',
      isAccessibleForFree: true,
      temporalCoverage: '2026-04-01/2026-06-29',
      dateModified: json.updatedAt,
    });
    expect(dataset.description.length).toBeGreaterThan(50);
    expect(dataset).not.toHaveProperty('license');
    for (const { contentUrl, encodingFormat } of dataset.distribution) {
      const { status, headers } = await api.get(contentUrl.replace('https://prices.example', ''));
      expect([status, String(headers['content-type']).split(';')[0]]).toEqual([200, encodingFormat]);
    }
    expect(await complaintsOf(text)).toEqual([]);
  });

  test('with an empty basket says so, and has no list', async () => {
    const emptied = await freshDatabase();
    const [day, version] = [parseDay('2026-06-29')!, '1'];
    await emptied.db.query(
      `insert into indices (slug, game, label, base_day, methodology_version) values ('pokemon', 'pokemon', 'Pokémon', $1, $2)`,
      [day, version],
    );
    await emptied.db.query(
      `insert into index_levels (slug, day, level, divisor, methodology_version) values ('pokemon', $1, 10000, 1, $2)`,
      [day, version],
    );
    const bare = await testApp(emptied.db);
    const { status, text } = await bare.get('/indices/pokemon', HTML);
    expect([status, text.includes('No card is in the basket')]).toEqual([200, true]);
    expect(typesOf(text)).toEqual(['Organization', 'WebSite', 'BreadcrumbList', 'Dataset']);
    expect(await complaintsOf(text)).toEqual([]);
    await bare.app.close();
    await emptied.close();
  });

  test('has a Markdown twin whose canonical address is the page’s', async () => {
    const { status, text, headers } = await api.get('/indices/pokemon.md');
    expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(headers.link).toBe('<https://prices.example/indices/pokemon>; rel="canonical"');
    const { json } = await api.get('/v1/indices/pokemon');
    expect(text).toContain(`**${json.value.toLocaleString('en-US', { minimumFractionDigits: 2 })}**`);
    expect(text.match(/^\| \d+ \| /gm)).toHaveLength(json.constituents.length);
    expect(text).not.toContain('<script>');
  });
});

describe('the page of an index without a level', () => {
  test('says what it waits for, and has none of the three blocks', async () => {
    const { status, text } = await api.get('/indices/sports', HTML);
    expect([status, text.includes('This index has no level yet')]).toEqual([200, true]);
    expect(typesOf(text)).toEqual(['Organization', 'WebSite']);
    expect(text).toContain('aria-label="Breadcrumbs"');
    expect((await api.get('/indices/sports.md')).text).toContain('It has no level yet');
  });
});

describe('other addresses of indices', () => {
  test('a game of the catalog alone is 404 and lists which indices there are', async () => {
    const { status, text } = await api.get('/indices/mtg', HTML);
    expect(status).toBe(404);
    for (const slug of ['pokemon', 'one-piece', 'sports', 'riftbound']) expect(text).toContain(`"/indices/${slug}"`);
    expect((await api.get('/indices/chess', HTML)).status).toBe(404);
  });

  test('in other letters lead to the one there is', async () => {
    const { status, headers } = await api.get('/indices/Pokemon');
    expect([status, headers.location]).toEqual([308, '/indices/pokemon']);
    expect((await api.get('/indices/Pokemon?on=2026-06-20')).headers.location).toBe('/indices/pokemon?on=2026-06-20');
  });

  test('a narrower index is linked from its game and has a page', async () => {
    await closeDays(database.db);
    await database.db.query(
      `insert into indices (slug, game, label, definition, methodology_version)
       values ('vintage', 'pokemon', 'Pokémon before 2003', '{"years":[1996,2002]}', '1')`,
    );
    expect(await page('/indices/pokemon')).toContain('<a href="/indices/vintage">Pokémon before 2003</a>');
    expect(await page('/indices')).toContain('Narrower indices');
    expect((await api.get('/indices/vintage', HTML)).status).toBe(200);
  });
});
