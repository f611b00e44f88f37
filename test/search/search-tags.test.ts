import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../support/app.ts';
import { aSale, closeDays, manySales } from '../support/builders.ts';
import { type Query, type SearchWorld, searchWorld } from './search-world.ts';

let ask: SearchWorld['ask'];
let idsOf: SearchWorld['idsOf'];
let expectRefused: SearchWorld['expectRefused'];
let pokemon: SearchWorld['pokemon'];
let gundam: SearchWorld['gundam'];
let bare: SearchWorld['bare'];
let removed: SearchWorld['removed'];
let many: SearchWorld['many'];
let world: SearchWorld;

beforeAll(async () => {
  world = await searchWorld();
  ({ ask, idsOf, expectRefused, pokemon, gundam, bare, removed, many } = world);
});
afterAll(() => world.close());

describe('tags', () => {
  test('combine as an AND, also of one kind (rule 1)', async () => {
    expect(new Set(await idsOf({ tag: ['mood:happy', 'mood:calm'] }))).toEqual(new Set(pokemon.slice(2, 4)));
    expect(await idsOf({ tag: ['mood:happy', 'character:charizard'] })).toEqual([pokemon[0]]);
    expect(await idsOf({ tag: ['mood:a:b', 'mood:calm'] })).toEqual([]);
    expect(await idsOf({ tag: ['mood:a:b', 'mood:a:b'] })).toEqual([pokemon[0]]);
  });

  test('omitted: an ordinary search, one page, nothing about pages in the answer (rules 2 and 11)', async () => {
    const { json } = await ask({ q: 'agumon' });
    expect(Object.keys(json)).toEqual(['query', 'results']);
    expect((await ask({ q: 'charizard', character: 'charizard' })).json).not.toHaveProperty('hasMore');
  });

  test('an answer to a search by tag has no total (rule 11)', async () => {
    const { json } = await ask({ tag: 'mood:crowd' });
    expect(Object.keys(json).sort()).toEqual(['hasMore', 'nextCursor', 'query', 'results']);
  });

  test('empty, blank, unknown and inactive ones find nothing, with 200 and the last page (rule 3)', async () => {
    const nothing = [
      '',
      ' ',
      '\u3000',
      ' '.repeat(160),
      'mood:',
      'mood: ',
      'mood:nope',
      'no-such-kind:x',
      'mood:retired',
      'mood:Happy',
      'mood:HAPPY',
      'mood:happy ',
      'mood: happy',
      'mood:a',
    ];
    for (const tag of nothing) {
      for (const parameters of [{ tag }, { tag, q: 'charizard' }, { tag: ['mood:happy', tag] }]) {
        const { status, json } = await ask(parameters);
        expect(status, JSON.stringify(tag)).toBe(200);
        expect(json, JSON.stringify(tag)).toMatchObject({ results: [], nextCursor: null, hasMore: false });
      }
    }
  });

  test('malformed kinds and control characters are 400 (rule 4)', async () => {
    const malformed = [
      'happy',
      ':happy',
      'Mood:happy',
      ' mood:happy',
      'mo od:happy',
      '1mood:happy',
      'mo_od:happy',
      'möod:happy',
      `${'k'.repeat(33)}:x`,
      'mood：happy',
      'mood:hap\0py',
      'mood:happy\n',
      '\t',
      'mood:\u0085',
      'mood:\u007f',
    ];
    for (const tag of malformed) {
      await expectRefused({ tag });
      await expectRefused({ tag: ['mood:happy', tag], q: 'charizard' });
    }
  });

  test('8 occurrences at most, repeats and empty ones counted (rule 4)', async () => {
    expect(await idsOf({ tag: Array(8).fill('mood:a:b') })).toEqual([pokemon[0]]);
    await expectRefused({ tag: Array(9).fill('mood:a:b') });
    await expectRefused({ tag: Array(9).fill('') });
  });

  test('160 characters a tag and 120 a slug at most, counted as code points (rule 4)', async () => {
    expect(await idsOf({ tag: `mood:${'x'.repeat(120)}` })).toEqual([pokemon[1]]);
    for (const sign of ['x', '龍', '😀']) {
      expect(await idsOf({ tag: `quiet:${sign.repeat(120)}` })).toEqual([]);
      await expectRefused({ tag: `quiet:${sign.repeat(121)}` });
    }
    expect(await idsOf({ tag: ' '.repeat(160) })).toEqual([]);
    await expectRefused({ tag: ' '.repeat(161) });
    expect(await idsOf({ tag: `${'k'.repeat(32)}:${'x'.repeat(120)}` })).toEqual([]);
  });

  test('the first colon parts kind and slug', async () => {
    expect(await idsOf({ tag: 'mood:a:b' })).toEqual([pokemon[0]]);
    expect(await idsOf({ tag: `mood:${':'.repeat(120)}` })).toEqual([]);
  });

  test('links of a global tag and of one of the same game count once (rule 6)', async () => {
    expect(await idsOf({ tag: 'mood:twice' })).toEqual(pokemon.slice(0, 3));
    const { json } = await ask({ tag: 'mood:twice' });
    expect(json.results[0].tags.filter((one: { slug: string }) => one.slug === 'twice')).toHaveLength(1);
  });

  test('only live items with an image are found (rule 7)', async () => {
    const found = await idsOf({ tag: 'mood:happy' });
    expect(new Set(found)).toEqual(new Set([...pokemon.slice(0, 4), gundam[0]]));
    for (const tag of ['mood:happy', 'character:squirtle']) {
      expect(await idsOf({ q: 'squirtle', tag })).toEqual([]);
      expect(await idsOf({ q: 'wartortle', tag })).toEqual([]);
    }
    expect(await idsOf({ q: 'squirtle' })).toEqual([bare]);
    expect(await idsOf({ q: 'wartortle' })).not.toContain(removed);
  });

  test('with text, the cards that have both, the better match first', async () => {
    expect((await idsOf({ q: 'blastoise', tag: 'mood:happy' }))[0]).toBe(pokemon[1]);
    expect(await idsOf({ q: 'mewtwo', tag: 'mood:happy' })).toEqual([]);
    expect((await idsOf({ q: '250', tag: 'mood:crowd' }))[0]).toBe(many[249]);
  });

  test('with short text they are browsed: those in most demand first (rule 8)', async () => {
    const browsed = await idsOf({ tag: 'mood:happy' });
    expect(browsed.slice(0, 4)).toEqual(pokemon.slice(0, 4));
    for (const q of ['', ' ', 'q', '?', '龍'])
      expect(new Set(await idsOf({ q, tag: 'mood:happy' })), q).toEqual(new Set(browsed));
    expect((await idsOf({ q: 'b', tag: 'mood:happy' }))[0]).toBe(pokemon[1]);
    expect(await idsOf({ q: 'q', character: 'squirtle' })).toEqual([bare]);
  });
});

describe('pages of a search by tag', () => {
  type Page = { results: { id: string }[]; nextCursor: string | null; hasMore: boolean };

  async function pages(parameters: Query): Promise<Page[]> {
    const all: Page[] = [];
    for (let after: string | null = ''; after !== null; after = all.at(-1)!.nextCursor) {
      const { status, json } = await ask({ ...parameters, after });
      expect(status).toBe(200);
      all.push(json);
      expect(json.hasMore).toBe(json.nextCursor !== null);
    }
    return all;
  }
  const cardsOf = (all: Page[]) => all.flatMap(({ results }) => results.map(({ id }) => id));

  test('go through a window of 300 cards, every card once, whatever the limit (rule 9)', async () => {
    for (const [limit, count] of [
      ['30', 10],
      ['29', 11],
    ] as const) {
      const all = await pages({ tag: 'mood:crowd', limit });
      expect(all).toHaveLength(count);
      expect(new Set(cardsOf(all)).size).toBe(300);
      expect(cardsOf(all)).toHaveLength(300);
    }
    expect(cardsOf(await pages({ tag: 'mood:crowd', q: 'agumon', limit: '30' }))).toHaveLength(300);
  });

  test('the last page may be full', async () => {
    const all = await pages({ tag: 'mood:twice', limit: '1' });
    expect(cardsOf(all)).toEqual(pokemon.slice(0, 3));
    expect(all).toHaveLength(3);
  });

  test('an empty `after` is the first page', async () => {
    expect((await ask({ tag: 'mood:crowd', after: '' })).json).toEqual((await ask({ tag: 'mood:crowd' })).json);
    expect((await ask({ q: 'charizard', after: '' })).status).toBe(200);
  });

  test('another limit between pages, another order of the tags: the same query', async () => {
    const tag = ['mood:crowd', 'mood:crowd', 'mood:crowd'];
    const first = await ask({ tag: ['mood:happy', 'mood:calm'], limit: '1' });
    const after = first.json.nextCursor;
    const second = await idsOf({ tag: ['mood:calm', 'mood:happy'], limit: '5', after });
    expect([first.json.results[0].id, ...second]).toEqual(await idsOf({ tag: ['mood:happy', 'mood:calm'] }));
    const window = await idsOf({ tag, limit: '30' });
    const cursor = (await ask({ tag, limit: '7' })).json.nextCursor;
    expect(await idsOf({ tag, limit: '23', after: cursor })).toEqual(window.slice(7));
  });

  test('a non-empty `after` without a tag is 400 (rule 5)', async () => {
    const { nextCursor } = (await ask({ tag: 'mood:crowd' })).json;
    for (const after of [nextCursor, 'x', ' ']) {
      await expectRefused({ q: 'agumon', after });
      await expectRefused({ character: 'charizard', after });
    }
  });

  test('a malformed cursor is 400 (rule 5)', async () => {
    for (const after of ['x', ' ', '0', 'MTIu', '🦊', '\u0001', 'e30', 'null', `${'A'.repeat(48)}`])
      await expectRefused({ tag: 'mood:crowd', after }, 'invalid_cursor');
    const { nextCursor } = (await ask({ tag: 'mood:crowd' })).json;
    for (const after of [`${nextCursor}=`, ` ${nextCursor}`, nextCursor.slice(1), nextCursor.slice(0, -1)])
      await expectRefused({ tag: 'mood:crowd', after }, 'invalid_cursor');
  });

  test('a cursor of another q, tag, game or character is 400 (rule 5)', async () => {
    const own = { q: 'agumon', tag: ['mood:crowd', 'mood:crowd'], character: 'nobody', game: 'digimon' };
    const after = (await ask(own)).json.nextCursor;
    expect((await ask({ ...own, after })).status).toBe(200);
    const foreign = [
      { ...own, q: 'agumon 1' },
      { ...own, q: '' },
      { ...own, tag: 'mood:crowd' },
      { ...own, tag: ['mood:crowd', 'mood:happy'] },
      { ...own, character: 'somebody' },
      { ...own, character: '' },
      { ...own, game: 'pokemon' },
      { q: own.q, tag: own.tag, character: own.character },
    ];
    for (const parameters of foreign) await expectRefused({ ...parameters, after }, 'invalid_cursor');
  });

  test('a cursor is good for a day, of any process with the same secret', async () => {
    const after = (await ask({ tag: 'mood:crowd' })).json.nextCursor;
    for (const [today, status] of [
      ['2026-07-01', 200],
      ['2026-07-02', 400],
    ] as const) {
      const later = await testApp(world.db, { today });
      const answer = await later.get(`/v1/search?tag=mood:crowd&after=${after}`);
      expect(answer.status, today).toBe(status);
      await later.app.close();
    }
  });

  test('are ranked anew each time: a price that changes may move a card to another page (rule 10)', async () => {
    const { db } = world;
    const [expensive, cheap] = [many[300]!, many[301]!];
    await manySales(db, { itemId: expensive, usdCents: 50_00, to: '2026-06-20' });
    await manySales(db, { itemId: cheap, usdCents: 20_00, to: '2026-06-20' });
    await closeDays(db, '2026-06-28');
    await world.refresh();
    const first = (await ask({ tag: 'mood:crowd', limit: '1' })).json;
    expect(first.results[0].id).toBe(expensive);
    for (const sold of ['2026-06-27', '2026-06-28', '2026-06-29']) {
      await aSale(db, { itemId: expensive, sold, usdCents: 50_00 });
      await aSale(db, { itemId: cheap, sold, usdCents: 90_00 });
    }
    await closeDays(db);
    await world.refresh();
    const [second] = await idsOf({ tag: 'mood:crowd', limit: '1', after: first.nextCursor });
    expect(second).toBe(expensive);
    expect((await idsOf({ tag: 'mood:crowd' }))[0]).toBe(cheap);
  });
});
