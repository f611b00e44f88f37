import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { anIndex, anItem, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { complaintsOf, typesOf } from '../../support/structured-data.ts';
import { HOSTILE_NAME } from '../world.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const base = await aSet(db, { name: 'Base', code: 'base1' });
  await db.query('update sets set year = 1999 where id = $1', [base.id]);
  const sold = await anItem(db, { set: base, number: '1', name: 'Sold' });
  await anItem(db, { set: base, number: '2', name: 'Unsold' });
  await manySales(db, { itemId: sold });
  const japanese = await aSet(db, { name: 'Vending', code: 'v1' });
  await db.query(`update sets set year = 1998, language = 'Japanese' where id = $1`, [japanese.id]);
  await anItem(db, { set: japanese, number: '1', name: 'Kangaskhan', language: 'Japanese' });
  const mixed = await aSet(db, { name: HOSTILE_NAME.slice(0, 90), code: 'x1' });
  await db.query('update sets set language = null where id = $1', [mixed.id]);
  await anItem(db, { set: mixed, number: '1', name: 'Mew' });
  await aSet(db, { game: 'mtg', name: 'No cards yet', code: 'none' });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const HTML = { accept: 'text/html' };
const page = async (path: string, of = api) => (await of.get(path, HTML)).text;

describe('the games', () => {
  test('are all nine, with the counts of the API', async () => {
    const text = await page('/card');
    for (const { game, itemCount, soldCount } of (await api.get('/v1/games')).json.games) {
      const row = text.split(`href="/card/${game}"`)[1]!.split('</tr>')[0]!;
      expect(row, game).toContain(`<td class="num">${itemCount}</td><td class="num">${soldCount}</td>`);
    }
    expect(typesOf(text)).toEqual(['Organization', 'WebSite']);
  });
});

describe('a set with a name in Japanese', () => {
  test('is marked as Japanese, with its English name, in the list of sets, on its page and in tiles; so are suggestions', async () => {
    const live = await freshDatabase();
    const set = await aSet(live.db, { name: '拡張パック', code: 'PMCG1' });
    await live.db.query(`update sets set language = 'Japanese' where id = $1`, [set.id]);
    await anItem(live.db, { set, number: '6', name: 'リザードン', language: 'Japanese' });
    const app = await testApp(live.db);
    await app.context.liveIndex.refresh();
    const named = '<bdi lang="ja">拡張パック</bdi> (Expansion Pack)';
    const href = `/card/pokemon/${set.segment}`;
    for (const path of ['/card/pokemon', href, '/search?q=リザードン'])
      expect([path, (await page(path, app)).includes(named)]).toEqual([path, true]);
    expect(await page(href, app)).toContain('<bdi lang="ja">リザードン</bdi>');
    const { suggestions } = (await app.get('/search/suggest.json?q=リザードン')).json;
    expect(suggestions[0].name).toEqual({ text: 'リザードン', lang: 'ja' });
    expect(suggestions[0].facts).toEqual([{ text: '拡張パック', lang: 'ja' }, { text: '#6 · Japanese' }]);
    await app.app.close();
    await live.close();
  });
});

describe('a game', () => {
  test('lists the sets that have a card, newest first, those of unknown year last', async () => {
    const text = await page('/card/pokemon');
    const hrefs = [...text.matchAll(/class="row-link" href="([^"]+)"/g)].map(([, href]) => href);
    const { sets } = (await api.get('/v1/sets?game=pokemon')).json;
    expect(hrefs).toEqual(sets.map(({ href }: { href: string }) => href));
    expect([...text.matchAll(/class="year">(\d{4}|No year)</g)].map(([, year]) => year)).toEqual([
      '1999',
      '1998',
      'No year',
    ]);
    expect(text).not.toContain('<script>alert');
    expect(typesOf(text)).toEqual(['Organization', 'WebSite']);
    expect(await complaintsOf(text)).toEqual([]);
  });

  test('can be narrowed to a language, or to sets of several, by plain links', async () => {
    const all = await page('/card/pokemon');
    for (const token of ['english', 'japanese', 'several']) expect(all).toContain(`?language=${token}"`);
    const japanese = await page('/card/pokemon?language=japanese');
    expect([japanese.includes('vending-v1'), japanese.includes('base-base1')]).toEqual([true, false]);
    expect(japanese).toContain('<meta name="robots" content="noindex"/>');
    expect(japanese).toContain('<link rel="canonical" href="https://prices.example/card/pokemon"/>');
  });

  test('shows its index where it has one, also while that is computing', async () => {
    expect(await page('/card/pokemon')).toContain('<a href="/indices/pokemon">Pokémon index</a>');
    expect(await page('/card/pokemon')).toContain('not started yet');
    expect(await page('/card/mtg')).not.toContain('/indices/mtg');
    const live = await freshDatabase();
    await anIndex(live.db);
    const app = await testApp(live.db);
    const { value } = (await app.get('/v1/indices/pokemon')).json;
    expect(await page('/card/pokemon', app)).toContain(value.toLocaleString('en-US', { minimumFractionDigits: 2 }));
    await app.app.close();
    await live.close();
  });

  test('without a card says so', async () => {
    const { status, text } = await api.get('/card/mtg', HTML);
    expect([status, text.includes('no Magic: The Gathering cards yet')]).toEqual([200, true]);
  });

  test('of many sets stays light, and has its years to jump to', async () => {
    const many = await freshDatabase();
    await many.db.query(
      `insert into sets (game, segment, name, code, language, year, identity)
       select 'sports', 'set-' || n, n || ' Topps Chrome Update Series Baseball', null, 'English', 1980 + n % 45, 'test:' || n
       from generate_series(1, 1500) n`,
    );
    await many.db.query(
      `insert into items (id, game, set_id, number, name, language, stem, identity_key)
       select gen_random_uuid(), 'sports', id, '1', 'Someone', 'English', '1-someone', id::text from sets`,
    );
    const app = await testApp(many.db);
    const text = await page('/card/sports', app);
    expect(text.match(/class="row-link"/g)).toHaveLength(1500);
    expect(text.length / 1024).toBeLessThan(450);
    expect(text).toContain('<a href="#y2024">2024</a>');
    expect(text).toContain('id="y2024"');
    await app.app.close();
    await many.close();
  });

  test('of another name is 404, in other letters leads to the one there is', async () => {
    expect((await api.get('/card/chess', HTML)).status).toBe(404);
    const { status, headers } = await api.get('/card/Pokemon');
    expect([status, headers.location]).toEqual([308, '/card/pokemon']);
  });
});
