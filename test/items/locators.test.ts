import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GAMES } from '../../src/catalog/games.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const ID = '6e7fdc9a-0000-4000-8000-000000000001';
const SET = '/v1/items/pokemon/base-base1';
const HREF = '/card/pokemon/base-base1/4-charizard-6e7fdc9a';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  await anItem(db, { set, id: ID, upstreamItemId: 'inv 1/ä' });
  await anItem(db, { set, id: '11111111-0000-4000-8000-000000000001', number: '58', name: 'Pikachu' });
  await anItem(db, {
    set,
    id: '22222222-0000-4000-8000-000000000001',
    number: '58',
    name: 'Pikachu',
    variation: 'Red',
  });
  await anItem(db, { set, id: '33333333-0000-4000-8000-000000000001', number: '2', name: 'Blastoise' });
  await anItem(db, {
    set,
    id: '44444444-0000-4000-8000-000000000001',
    number: '2',
    name: 'Blastoise',
    language: 'Chinese Traditional',
  });
  await anItem(db, { set, id: '55555555-0000-4000-8000-000000000001', number: '9', name: 'Twin' });
  await anItem(db, { set, id: '55555555-0000-4000-8000-000000000002', number: '10', name: 'Twin' });
  await anItem(db, { set, id: '66666666-0000-4000-8000-000000000001', number: '7', name: 'Alex English' });
  await anItem(db, { set, id: '77777777-0000-4000-8000-000000000001', number: '13', name: 'Portgas D. Ace' });
  await manySales(db, { itemId: ID });
  await manySales(db, { itemId: ID, gradeKey: 'raw-A', usdCents: 20_00 });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('a slug', () => {
  test('with its id finds the card; so does one without it that fits one card only', async () => {
    for (const segment of ['4-charizard-6e7fdc9a', '4-charizard', '4-CHARIZARD-6E7FDC9A']) {
      const { status, json } = await api.get(`${SET}/${segment}/overview`);
      expect([status, json.id, json.href], segment).toEqual([200, ID, HREF]);
    }
  });

  test('with the right id under another name is 404 with the card’s address; a page is moved there', async () => {
    for (const [segment, href] of [
      ['999-blastoise-japanese-6e7fdc9a', HREF],
      ['999-blastoise-psa-10-6e7fdc9a', '/card/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a'],
    ] as const) {
      for (const view of ['', '/overview', '/trades', '/similar']) {
        const { status, json } = await api.get(`${SET}/${segment}${view}`);
        expect([status, json.error, json.candidates], segment + view).toEqual([404, 'not_found', [href]]);
      }
      const page = await api.get(`/card/pokemon/base-base1/${segment}`);
      expect([page.status, page.headers.location]).toEqual([308, href]);
    }
  });

  test('with a language that is not the card’s is of the card all the same', async () => {
    expect((await api.get(`${SET}/4-charizard-japanese-6e7fdc9a/overview`)).json.href).toBe(HREF);
    const german = await api.get(`${SET}/4-charizard-psa-10-german-6e7fdc9a`);
    expect(german.json.href).toBe('/card/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a');
  });

  test.each([
    '4-charizard-raw-6e7fdc9a',
    '4-charizard-sgc-10-6e7fdc9a',
    '4-charizard-psa-11-6e7fdc9a',
    '4-charizard-psa-9-5-6e7fdc9a',
    '4-charizard-PSA-11-6E7FDC9A',
    '4-charizard-psa-11-japanese-6e7fdc9a',
    '4-charizard-psa-10-holo-6e7fdc9a',
    '4-charizard-mint-6e7fdc9a',
    '999-blastoise-sgc-10-6e7fdc9a',
    '4-charizard-sgc-10',
    '4-charizard-raw',
  ])(
    'that ends in a grade that there is not is 404 with the grades that there are, in API and page: %s',
    async (segment) => {
      const candidates = [
        '/card/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a',
        '/card/pokemon/base-base1/4-charizard-raw-A-6e7fdc9a',
      ];
      for (const view of ['', '/overview', '/trades', '/series', '/fmv-series']) {
        const { status, json } = await api.get(`${SET}/${segment}${view}`);
        expect([status, json.error, json.candidates], view).toEqual([404, 'not_found', candidates]);
        expect(json.detail).toContain('PSA 10, Raw A');
      }
      const page = await api.get(`/card/pokemon/base-base1/${segment}`, { accept: 'text/html' });
      expect(page.status).toBe(404);
      for (const href of candidates) expect(page.text).toContain(`href="${href}"`);
      expect(page.text).toContain('PSA 10, Raw A');
    },
  );

  test('with a grade of the scale that the card never sold in is the card at that grade, without a price', async () => {
    const { status, json } = await api.get(`${SET}/4-charizard-bgs-8-5-6e7fdc9a`);
    expect([status, json.gradeLabel, json.priceUsdCents]).toEqual([200, 'BGS 8.5', null]);
  });

  test('of a card without a tracked grade, ending in a grade that there is not, leads to the card', async () => {
    const { status, json } = await api.get(`${SET}/2-blastoise-psa-11-33333333`);
    expect([status, json.candidates]).toEqual([404, ['/card/pokemon/base-base1/2-blastoise-33333333']]);
  });

  test('of a name that ends like a grade is that card', async () => {
    expect((await api.get(`${SET}/13-portgas-d-ace/overview`)).json.name).toBe('Portgas D. Ace');
    expect((await api.get(`${SET}/13-portgas-d-ace-77777777/overview`)).json.name).toBe('Portgas D. Ace');
    const unknown = await api.get(`${SET}/13-portgas-d-ace-sgc-9-77777777`);
    expect(unknown.json.candidates).toEqual(['/card/pokemon/base-base1/13-portgas-d-ace-77777777']);
  });

  test('takes its set in upper case, in API and page', async () => {
    expect((await api.get(`/v1/items/pokemon/BASE-Base1/4-charizard-6e7fdc9a/overview`)).json.href).toBe(HREF);
    expect((await api.get('/card/pokemon/BASE-Base1/4-charizard-6e7fdc9a')).headers.location).toBe(HREF);
  });

  test('with an id of another set is 404', async () => {
    const other = await aSet(database.db, { name: 'Jungle', code: 'base2' });
    expect((await api.get(`/v1/items/pokemon/${other.segment}/4-charizard-6e7fdc9a`)).status).toBe(404);
  });

  test('that fits two cards is 404 with both as candidates, each of which answers', async () => {
    const { status, json } = await api.get(`${SET}/58-pikachu/overview`);
    expect([status, json.error]).toEqual([404, 'not_found']);
    expect(json.candidates).toEqual([
      '/card/pokemon/base-base1/58-pikachu-11111111',
      '/card/pokemon/base-base1/58-pikachu-22222222',
    ]);
    for (const href of json.candidates) {
      expect((await api.get(`${href.replace('/card', '/v1/items')}/overview`)).json.href).toBe(href);
    }
  });

  test('with an id that two cards of the set share is decided by the name, else 404 with both', async () => {
    expect((await api.get(`${SET}/9-twin-55555555/overview`)).json.cardNumber).toBe('9');
    expect((await api.get(`${SET}/10-twin-55555555/overview`)).json.cardNumber).toBe('10');
    const { status, json } = await api.get(`${SET}/11-twin-55555555/overview`);
    expect([status, json.candidates.length]).toEqual([404, 2]);
  });

  test('without a language is English; another language is named by its token', async () => {
    expect((await api.get(`${SET}/2-blastoise/overview`)).json.language).toBe('English');
    const chinese = await api.get(`${SET}/2-blastoise-chinese-traditional/overview`);
    expect(chinese.json.href).toBe('/card/pokemon/base-base1/2-blastoise-chinese-traditional-44444444');
    expect((await api.get(`${SET}/2-blastoise-german/overview`)).status).toBe(404);
  });

  test('of a name that ends in a language keeps its name', async () => {
    expect((await api.get(`${SET}/7-alex-english/overview`)).json.name).toBe('Alex English');
    expect((await api.get(`${SET}/7-alex-english-66666666/overview`)).json.name).toBe('Alex English');
  });

  test('reads raw-A and raw-a as the same grade', async () => {
    for (const grade of ['raw-A', 'raw-a']) {
      const { status, json } = await api.get(`${SET}/4-charizard-${grade}-6e7fdc9a`);
      expect([status, json.gradeLabel, json.href], grade).toEqual([
        200,
        'Raw A',
        '/card/pokemon/base-base1/4-charizard-raw-A-6e7fdc9a',
      ]);
    }
  });

  test('of another game is unknown_game, whatever follows', async () => {
    for (const suffix of ['', '/overview', '/similar', '/trades', '/series', '/fmv-series']) {
      const { status, json } = await api.get(`/v1/items/poker/base-base1/4-charizard-6e7fdc9a${suffix}`);
      expect([status, json.error], suffix).toEqual([404, 'unknown_game']);
    }
    for (const game of GAMES) {
      expect((await api.get(`/v1/items/${game}/none/4-charizard`)).json.error, game).toBe('not_found');
    }
  });

  test('that nothing has is 404 without candidates', async () => {
    for (const segment of ['5-mew', '4', '-', '4--charizard', '%20', 'psa-10', 'a'.repeat(400)]) {
      const { status, json } = await api.get(`${SET}/${segment}/overview`);
      expect([status, json.candidates], segment).toEqual([404, undefined]);
    }
  });
});

describe('the three locators', () => {
  const slug = `${SET}/4-charizard-psa-10-6e7fdc9a`;
  const rid = encodeURIComponent('inv 1/ä');

  test('agree, view by view', async () => {
    const pairs = [
      ['', '', '/detail'],
      ['/overview', '/overview', '/overview'],
      ['/trades', '/trades', '/trades'],
      ['/series', '/series', '/series'],
      ['/fmv-series', '/fmv-series', '/fmv-series'],
    ] as const;
    for (const [bySlug, byId, byRid] of pairs) {
      const answers = await Promise.all([
        api.get(slug + bySlug),
        api.get(`/v1/items/by-id/${ID}${byId}`),
        api.get(`/v1/items/by-upstream-id/${rid}${byRid}`),
      ]);
      expect(
        answers.map((one) => one.status),
        bySlug,
      ).toEqual([200, 200, 200]);
      expect(answers[1].json, bySlug).toEqual(answers[0].json);
      expect(answers[2].json, bySlug).toEqual(answers[0].json);
    }
  });

  test('by id take upper case, and answer 404 for what no item has', async () => {
    expect((await api.get(`/v1/items/by-id/${ID.toUpperCase()}`)).json.id).toBe(ID);
    for (const path of [
      'nope',
      `${ID}0`,
      '00000000-0000-4000-8000-000000000000',
      'x/nope',
      'nope/overview',
      'x/series',
    ])
      expect((await api.get(`/v1/items/by-id/${path}`)).status, path).toBe(404);
  });

  test('take an upstream id that is a UUID in either case, and any other as it is', async () => {
    const upstream = 'ABCDEF00-0000-4000-8000-00000000000a';
    await database.db.query('update items set upstream_item_id = $1 where number = $2', [upstream.toLowerCase(), '7']);
    for (const rid of [upstream, upstream.toLowerCase(), upstream.toUpperCase()]) {
      expect((await api.get(`/v1/items/by-upstream-id/${rid}/overview`)).json.name, rid).toBe('Alex English');
      expect((await api.get(`/v1/items/by-upstream-id/${rid}`)).json.href, rid).toContain('7-alex-english');
    }
    expect((await api.get(`/v1/items/by-upstream-id/${encodeURIComponent('INV 1/ä')}`)).status).toBe(404);
  });

  test('name the existing views where the last segment is not one of them', async () => {
    for (const path of [`by-id/${ID}/prices`, `by-id/${ID}/similar`, `by-upstream-id/${rid}/prices`]) {
      const { status, json } = await api.get(`/v1/items/${path}`);
      expect([status, json.error], path).toEqual([404, 'not_found']);
      for (const view of ['overview', 'trades', 'series', 'fmv-series']) expect(json.detail, path).toContain(view);
    }
  });

  test('show the same number at the same moment', async () => {
    const card = (await api.get(slug)).json;
    const overview = (await api.get(`${slug}/overview`)).json;
    const line = (await api.get(`${slug}/fmv-series?window=7`)).json;
    const [summary] = (await api.get(`/v1/items/summaries?ids=${ID}`)).json;
    const [inSet] = (await api.get('/v1/sets/pokemon/base-base1')).json.cards;
    const psa10 = overview.grades.find((one: { gradeLabel: string }) => one.gradeLabel === 'PSA 10');
    const numbers = [psa10.priceUsdCents, line.points.at(-1).usdCents, summary.priceUsdCents, inSet.priceUsdCents];
    expect(numbers).toEqual(Array(4).fill(card.priceUsdCents));
    expect(card.methods[0].priceUsdCents).toBe(card.priceUsdCents);
    expect(card.spark.at(-1)).toBe(card.priceUsdCents);
    for (const name of ['deltaPct', 'confidence', 'confidenceScore', 'updatedAt', 'lastSaleAt', 'observationCount'])
      expect(psa10[name], name).toEqual(card[name]);
  });
});

describe('every view of an item', () => {
  const views = ['', '/overview', '/similar', '/trades', '/series', '/fmv-series'].map(
    (suffix) => `${SET}/4-charizard-psa-10-6e7fdc9a${suffix}`,
  );

  test('is answered 304 to who has it, and under HEAD with the same headers', async () => {
    const others = ['/v1/sets/pokemon/base-base1', `/v1/items/summaries?ids=${ID}`];
    for (const path of [
      ...views,
      ...others,
      '/v1/trades/recent',
      `/v1/items/by-upstream-id/${encodeURIComponent('inv 1/ä')}`,
    ]) {
      const full = await api.get(path);
      expect(full.status, path).toBe(200);
      expect(full.headers, path).not.toHaveProperty('last-modified');
      const again = await api.get(path, { 'if-none-match': String(full.headers.etag) });
      expect([again.status, again.text], path).toEqual([304, '']);
      const head = await api.app.inject({ method: 'HEAD', url: path });
      expect([head.statusCode, head.body, head.headers.etag], path).toEqual([200, '', full.headers.etag]);
      expect(head.headers['content-length'], path).toBe(full.headers['content-length']);
    }
  });

  test('links to the page that shows it', async () => {
    for (const path of views.filter((view) => !view.endsWith('/similar')))
      expect((await api.get(path)).headers.link, path).toMatch(
        /^<https:\/\/prices\.example\/card\/.*>; rel="canonical"$/,
      );
  });
});
