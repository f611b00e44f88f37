import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { blockOf, complaintsOf, typesOf } from '../../support/structured-data.ts';
import { HOSTILE_NAME } from '../world.ts';

let database: FreshDatabase;
let api: TestApp;

/** Games with a set of one card, and the grades that it sold at. */
const PRICED_AT = [
  ['digimon', ['raw-A', 'psa-9', 'psa-10']],
  ['riftbound', ['raw-A', 'psa-10']],
  ['gundam', ['psa-9']],
] as const;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const base = await aSet(db, { name: 'Base', code: 'base1' });
  const cheap = await anItem(db, { set: base, number: '10', name: 'Cheap' });
  const expensive = await anItem(db, { set: base, number: '9', name: HOSTILE_NAME });
  const moved = await anItem(db, { set: base, number: '2', name: 'Moved', language: 'Japanese' });
  await anItem(db, { set: base, number: '100', name: 'Unsold' });
  const removed = await anItem(db, { set: base, number: '4', name: 'Removed' });
  await db.query('update items set removed_at = now() where id = $1', [removed]);
  await manySales(db, { itemId: cheap, usdCents: 10_00 });
  await manySales(db, { itemId: expensive, usdCents: 500_00 });
  await manySales(db, { itemId: moved, from: '2026-01-01', to: '2026-06-20', everyDays: 2, usdCents: 100_00 });
  for (const sold of ['2026-06-26', '2026-06-27', '2026-06-28'])
    await aSale(db, { itemId: moved, sold, usdCents: 150_00 });
  await aSet(db, { game: 'mtg', name: 'Alpha', code: 'lea' });
  const large = await aSet(db, { game: 'sports', name: 'Large', code: 'l1' });
  await db.query(
    `insert into items (id, game, set_id, number, name, language, stem, identity_key)
     select gen_random_uuid(), 'sports', $1, n::text, 'Player ' || n, 'English', n || '-player-' || n, 'l' || n
     from generate_series(1, 300) n`,
    [large.id],
  );
  const folded = await aSet(db, { game: 'lorcana', name: 'Folded', code: 'f1' });
  for (const language of ['Japanese', 'English'])
    for (const variation of ['Reverse Holo', null])
      await anItem(db, { set: folded, number: '1', name: 'Oddish', language, variation });
  await anItem(db, { set: folded, number: '2', name: 'Gloom' });
  const japanese = await anItem(db, { set: folded, number: '2', name: 'Gloom', language: 'Japanese' });
  await manySales(db, { itemId: japanese, usdCents: 40_00 });
  const rare = await anItem(db, { set: folded, number: '10', name: 'Vileplume' });
  await db.query(`update items set rarity = case when id = $1 then 'Rare' else 'Common' end where set_id = $2`, [
    rare,
    folded.id,
  ]);
  await anItem(db, { set: folded, number: 'TG01', name: 'Promo' });
  for (const [game, grades] of PRICED_AT) {
    const set = await aSet(db, { game, name: 'Graded', code: 'g1' });
    const itemId = await anItem(db, { set, variation: 'Foil' });
    for (const gradeKey of grades) await manySales(db, { itemId, gradeKey, usdCents: 20_00 });
    if (game === 'digimon')
      await manySales(db, { itemId: await anItem(db, { set, number: '99' }), gradeKey: 'psa-9', usdCents: 30_00 });
  }
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const HTML = { accept: 'text/html' };
const page = async (path: string) => (await api.get(path, HTML)).text;
const namesOf = (text: string) =>
  [...text.matchAll(/class="(?:tile-name|row-link)" href="[^"]+"><bdi>([^<]*)/g)].map(([, name]) => name!.slice(0, 12));
const hrefsOf = (text: string) =>
  [...text.matchAll(/class="(?:tile-name|row-link)" href="([^"]+)"/g)].map(([, href]) => href);

describe('a set', () => {
  test.each(PRICED_AT)(
    'of %s has a column for each grade that is priced in it; the narrowest phones show two',
    async (game, grades) => {
      const heads = [
        ...(await page(`/card/${game}/graded-g1?view=list`)).matchAll(/<th scope="col"( class="[^"]+")?>([^<]+)/g),
      ];
      const priced = heads.filter(([, , head]) => /PSA|Raw/.test(head!)).map(([, classes, head]) => [head, classes]);
      const names: Record<string, string> = { 'raw-A': 'Raw', 'psa-9': 'PSA 9', 'psa-10': 'PSA 10' };
      expect(priced).toEqual(
        grades.map((key, at) => [names[key], ` class="num${grades.length === 3 && at === 1 ? ' middle' : ''}"`]),
      );
    },
  );

  test('names the only price of a card whose column the narrowest phones do not show', async () => {
    const text = await page('/card/digimon/graded-g1?view=list');
    expect(text.match(/narrow-only number">[^<]+/g)).toEqual([expect.stringMatching(/>PSA 9 \$(29|30)\.\d\d$/)]);
    expect(await page('/card/gundam/graded-g1?view=list')).not.toContain('narrow-only number');
  });

  test('names the printing that sold last', async () => {
    const [, last] = /Last sale<\/dt>(.*?)<\/dd>/.exec(await page('/card/gundam/graded-g1'))!;
    expect(last!.replaceAll(/<[^>]+>/g, ' ')).toContain('Foil');
  });

  test('shows its cards in the order and with the prices of the API', async () => {
    const text = await page('/card/pokemon/base-base1');
    const { cards, cardCount } = (await api.get('/v1/sets/pokemon/base-base1')).json;
    expect(hrefsOf(text)).toEqual(cards.map(({ href }: { href: string }) => href));
    for (const { priceUsdCents } of cards.filter((card: { priceUsdCents: number | null }) => card.priceUsdCents))
      expect(text).toContain(`$${(priceUsdCents / 100).toFixed(2)}</a>`);
    expect(text).toContain(`${cardCount} cards`);
    expect(text).not.toContain('Removed');
    expect(text).not.toMatch(/<script>alert| style=/);
  });

  test('can be ordered by number, by name and by move: 9 comes before 10', async () => {
    expect(namesOf(await page('/card/pokemon/base-base1?sort=number')).slice(0, 3)).toEqual([
      'Moved',
      '&lt;/script>',
      'Cheap',
    ]);
    expect(namesOf(await page('/card/pokemon/base-base1?sort=name')).at(1)).toBe('Cheap');
    expect(namesOf(await page('/card/pokemon/base-base1?sort=move'))[0]).toBe('Moved');
  });

  test('in several languages can be narrowed to one; other orders and languages are not to be indexed', async () => {
    const text = await page('/card/pokemon/base-base1?language=japanese');
    expect(namesOf(text)).toEqual(['Moved']);
    expect(text).toContain('<meta name="robots" content="noindex"/>');
    expect(text).toContain('<link rel="canonical" href="https://prices.example/card/pokemon/base-base1"/>');
    expect(await page('/card/pokemon/base-base1')).not.toContain('noindex');
  });

  test('has a trail and its shown cards described, all valid', async () => {
    const text = await page('/card/pokemon/base-base1');
    expect(typesOf(text)).toEqual(['Organization', 'WebSite', 'BreadcrumbList', 'ItemList']);
    expect(blockOf(text, 'ItemList').itemListElement.map(({ url }: { url: string }) => url)).toEqual(
      hrefsOf(text).map((href) => `https://prices.example${href}`),
    );
    expect(await complaintsOf(text)).toEqual([]);
  });

  test('without cards says so, and has no list', async () => {
    const { status, text } = await api.get('/card/mtg/alpha-lea', HTML);
    expect([status, typesOf(text)]).toEqual([200, ['Organization', 'WebSite', 'BreadcrumbList']]);
    expect(text).toContain('No card of this set is in the catalog now');
    expect((await api.get('/card/mtg/alpha-lea.md')).text).toContain('0 cards, by number.');
  });

  test('of many cards comes in pages, each with an address of its own; every card is on one of them', async () => {
    const pages = await Promise.all([1, 2, 3].map((n) => page(`/card/sports/large-l1?page=${n}`)));
    expect(pages.map((text) => hrefsOf(text).length)).toEqual([100, 100, 100]);
    expect(new Set(pages.flatMap(hrefsOf)).size).toBe(300);
    expect(pages[1]).toContain('300 cards');
    expect(pages[1]).toContain('<link rel="canonical" href="https://prices.example/card/sports/large-l1?page=2"/>');
    expect(pages[1]).toContain('<a href="/card/sports/large-l1" rel="prev">');
    expect(pages[1]).toContain('<a href="/card/sports/large-l1?page=3" rel="next">');
    expect(blockOf(pages[2]!, 'ItemList').numberOfItems).toBe(100);
    expect((await api.get('/card/sports/large-l1?page=4', HTML)).status).toBe(404);
  });

  test('rejects an unknown order, language or page', async () => {
    const long = 'x'.repeat(121);
    for (const query of [
      'sort=worth',
      'language=klingon',
      'page=0',
      'page=two',
      'view=table',
      'priced=yes',
      'printings=some',
      'rarity=Unheard',
      `rarity=${long}`,
      `q=${long}`,
    ])
      expect((await api.get(`/card/pokemon/base-base1?${query}`, HTML)).status, query).toBe(400);
  });

  test('in other letters leads to the one there is; another one is 404', async () => {
    const { status, headers } = await api.get('/card/Pokemon/BASE-base1');
    expect([status, headers.location]).toEqual([308, '/card/pokemon/base-base1']);
    for (const path of ['/card/pokemon/nope', '/card/yugioh/base-base1', '/card/chess/base-base1'])
      expect((await api.get(path, HTML)).status, path).toBe(404);
  });

  test('has a Markdown twin, where a name is not markup either', async () => {
    const { status, text, headers } = await api.get('/card/pokemon/base-base1.md');
    expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(headers.link).toBe('<https://prices.example/card/pokemon/base-base1>; rel="canonical"');
    expect(text.match(/^\| \[/gm)).toHaveLength(4);
    expect(text).not.toContain('<script>');
    expect((await api.get('/card/sports/large-l1.md')).text).toContain('300 cards, by number, the first 100 here.');
  });

  test('folds printings of a number and name into one entry, the plain one in front unless only another has a price', async () => {
    const text = await page('/card/lorcana/folded-f1?sort=number');
    expect(namesOf(text)).toEqual(['Oddish', 'Gloom', 'Vileplume', 'Promo']);
    expect(text.replaceAll(/<[^>]+>/g, '')).toContain('4 cards in 8 printings');
    expect(text).toContain('>2 languages · 2 finishes</a>');
    const [oddish, gloom] = hrefsOf(text);
    expect(oddish).not.toMatch(/japanese/);
    // Gloom's only price is that of its Japanese printing.
    expect(gloom).toMatch(/-japanese-/);
    expect(text).toContain('$40.00</a>');
    expect((await api.get('/card/lorcana/folded-f1.md')).text).toContain('2 languages · 2 finishes');
  });

  test('lists the printings of an entry, plain first, then variations, then languages', async () => {
    const link = (await page('/card/lorcana/folded-f1')).match(/href="([^"]+)">2 languages · 2 finishes/)![1]!;
    const text = await page(link.replaceAll('&amp;', '&'));
    expect(
      [...text.matchAll(/row-note dotted">(.*?)<\/th>/g)].map(([, note]) => note!.replaceAll(/<[^>]+>/g, '')),
    ).toEqual(['#1', '#1Japanese', '#1Reverse Holo', '#1Reverse Holo\u00a0· Japanese']);
  });

  test('is filtered by words, number, rarity and price, each answer as long as it says', async () => {
    const names = async (query: string) => namesOf(await page(`/card/lorcana/folded-f1?${query}`));
    expect(await names('q=ODD')).toEqual(['Oddish']);
    expect(await names('q=reverse+oddish')).toEqual(['Oddish']);
    expect(await names('q=%2310')).toEqual(['Vileplume']);
    expect(await names('q=%251')).toEqual([]);
    expect(await names('rarity=Rare')).toEqual(['Vileplume']);
    expect(await names('priced=1')).toEqual(['Gloom']);
    expect(await page('/card/lorcana/folded-f1?q=zzz')).toContain('No card of this set matches the filter.');
  });

  test('is a list where most cards have no picture; orders that change nothing are not offered', async () => {
    const text = await page('/card/sports/large-l1');
    expect(text).toContain('class="list-table set-table');
    expect(text).not.toContain('sort=price');
    expect(text).not.toContain('PSA 10');
    expect(await page('/card/sports/large-l1?view=pictures')).toContain('class="tiles"');
    expect(await page('/card/pokemon/base-base1')).toContain('sort=price');
  });

  test('says what one of each card is worth, what moved and what sold last', async () => {
    const text = await page('/card/pokemon/base-base1');
    const { cards } = (await api.get('/v1/sets/pokemon/base-base1')).json;
    const cents = cards.reduce(
      (sum: number, { priceUsdCents }: { priceUsdCents: number }) => sum + (priceUsdCents ?? 0),
      0,
    );
    expect(text).toContain(
      `One of each card, plainest printing</dt><dd><span class="row-note">PSA 10</span><strong>$${(cents / 100).toFixed(2)}</strong><span class="row-note">3 of 4 priced</span>`,
    );
    expect(text).toMatch(/Biggest moves, past 30 days<\/dt><dd><a href="[^"]+"><bdi>Moved/);
    expect(text).toMatch(
      /Last sale<\/dt><dd><a href="[^"]+"><strong>\$[\d.,]+<\/strong><\/a><span class="row-note"><bdi>[^<]+<\/bdi>\u00a0· <span class="number">#\d+<\/span>.*?<\/span><span class="row-note">PSA 10\u00a0· <time/,
    );
  });

  test('is ordered anew when a card joins it', async () => {
    const { db } = database;
    const [set] = await db.query<{ id: number }>(`select id from sets where segment = 'base-base1'`);
    await anItem(db, { set: { id: set!.id, game: 'pokemon' }, number: '200', name: 'Late' });
    expect(namesOf(await page('/card/pokemon/base-base1'))).toContain('Late');
  });
});
