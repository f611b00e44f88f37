import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveIndex } from '../../src/search/live.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { aTag, imaged } from '../support/tags.ts';

let database: FreshDatabase;
let api: TestApp;
/** Pokémon cards 1 to 6 of Base by number; Gundam cards 1 and 2. All have images. */
const pokemon: string[] = [];
const gundam: string[] = [];
let bare: string;
let gone: string;
const many: string[] = [];

const refresh = () => liveIndex(api.context).refresh();

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const base = await aSet(db);
  const jungle = await aSet(db, { name: 'Jungle', code: 'base2' });
  const first = await aSet(db, { game: 'gundam', name: 'Newtype Rising', code: 'GD01' });
  const crowd = await aSet(db, { game: 'digimon', name: 'Crowd', code: 'BT1' });
  const names = ['Charizard', 'Blastoise', 'Venusaur', 'Pikachu', 'Raichu', 'Mewtwo'];
  for (const [at, name] of names.entries()) pokemon.push(await anItem(db, { set: base, number: String(at + 1), name }));
  await anItem(db, { set: jungle, number: '1', name: 'Flareon' });
  gundam.push(await anItem(db, { set: first, number: 'GD01-001', name: 'Gundam' }));
  gundam.push(await anItem(db, { set: first, number: 'GD01-002', name: 'Charizard Mask' }));
  bare = await anItem(db, { set: base, number: '7', name: 'Squirtle' });
  gone = await anItem(db, { set: base, number: '8', name: 'Wartortle' });
  for (let n = 1; n <= 310; n++) many.push(await anItem(db, { set: crowd, number: String(n), name: `Agumon ${n}` }));
  await imaged(db, ...pokemon, ...gundam, ...many, gone);
  await db.query('update items set removed_at = now() where id = $1', [gone]);

  await aTag(db, { slug: 'happy', name: 'Happy', itemIds: [...pokemon.slice(0, 4), bare, gone, gundam[0]!] });
  await aTag(db, { slug: 'calm', name: 'Calm', itemIds: pokemon.slice(2, 6) });
  await aTag(db, { slug: 'retired', itemIds: pokemon, active: false });
  await aTag(db, { slug: 'a:b', itemIds: [pokemon[0]!] });
  await aTag(db, { slug: 'x'.repeat(120), itemIds: [pokemon[1]!] });
  await aTag(db, { slug: 'twice', itemIds: pokemon.slice(0, 2) });
  await aTag(db, { slug: 'twice', game: 'pokemon', itemIds: pokemon.slice(0, 3) });
  await aTag(db, { slug: 'scoped', game: 'pokemon', itemIds: pokemon.slice(0, 1) });
  await aTag(db, { slug: 'scoped', game: 'gundam', itemIds: gundam.slice(0, 1) });
  await aTag(db, { slug: 'crowd', itemIds: many });
  const fire = await aTag(db, { kind: 'character', slug: 'charizard', name: 'Charizard', itemIds: [pokemon[0]!] });
  await db.query(`update tags set aliases = '{Glurak,リザードン}' where id = $1`, [fire]);
  await aTag(db, { kind: 'character', slug: 'charizard', game: 'gundam', itemIds: [gundam[1]!] });
  await aTag(db, { kind: 'character', slug: 'squirtle', name: 'Squirtle', itemIds: [bare] });
  for (const [at, itemId] of pokemon.slice(0, 4).entries()) await manySales(db, { itemId, everyDays: 2 + at * 3 });
  await manySales(db, { itemId: pokemon[0]!, gradeKey: 'psa-9', everyDays: 1 });
  await manySales(db, { itemId: pokemon[5]!, gradeKey: 'raw-A', everyDays: 30 });
  await closeDays(db, '2026-06-27');
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

type Query = Record<string, string | string[] | undefined>;

/** Sends a query with its values encoded; those undefined are left out. */
function ask(parameters: Query) {
  const query = Object.entries(parameters).flatMap(([name, values = []]) =>
    [values].flat().map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return api.get(`/v1/search?${query.join('&')}`);
}

async function idsOf(parameters: Query): Promise<string[]> {
  const { status, json } = await ask(parameters);
  expect(status, JSON.stringify(json)).toBe(200);
  return json.results.map((one: { id: string }) => one.id);
}

async function expectRefused(parameters: Query, code = 'invalid_parameter') {
  const { status, json } = await ask(parameters);
  expect(status, JSON.stringify(parameters)).toBe(400);
  expect(json.error, JSON.stringify(parameters)).toBe(code);
}

describe('q', () => {
  test('finds by words in any order; the answer repeats it as it was sent', async () => {
    const { json } = await ask({ q: ' base  charizard ' });
    expect(json.query).toBe(' base  charizard ');
    expect(json.results[0].id).toBe(pokemon[0]);
    for (const q of ['charizard 1 base', '1 base charizard', 'base 1 charizard'])
      expect((await idsOf({ q }))[0], q).toBe(pokemon[0]);
  });

  test('has at most 80 characters, counted as code points', async () => {
    for (const sign of ['a', 'é', '😀', '龍']) {
      expect((await ask({ q: sign.repeat(80) })).status, sign).toBe(200);
      await expectRefused({ q: sign.repeat(81) });
      await expectRefused({ q: sign.repeat(81), tag: 'mood:happy' });
    }
  });

  test('needs 2 characters that are no spaces when there is neither a tag nor a character', async () => {
    expect((await ask({ q: 'ch' })).status).toBe(200);
    expect((await ask({ q: '龍龍' })).status).toBe(200);
    for (const q of ['', 'c', '龍', '😀', ' ', '  ', ' c ', '\u0001\u0001c', 'e\u0301']) await expectRefused({ q });
    await expectRefused({});
    await expectRefused({ q: 'c', character: '' });
    await expectRefused({ q: 'c', character: ' ' });
    await expectRefused({ q: 'c', game: 'pokemon' });
  });

  test('of one character is enough with a tag or a character', async () => {
    expect((await ask({ q: 'c', tag: 'mood:happy' })).status).toBe(200);
    expect((await ask({ q: 'c', tag: '' })).status).toBe(200);
    expect((await ask({ q: 'c', character: 'glurak' })).status).toBe(200);
  });

  test('that nothing matches is an empty success', async () => {
    expect(await idsOf({ q: 'qqqqqqqqq zzzzzzzzzz' })).toEqual([]);
  });

  test('with control characters is read as if they were spaces', async () => {
    expect(await idsOf({ q: 'charizard\u0001base\u0085\n' })).toEqual(await idsOf({ q: 'charizard base' }));
  });
});

describe('limit', () => {
  test('is 12 unless told otherwise, and from 1 to 30', async () => {
    expect(await idsOf({ q: 'agumon' })).toHaveLength(12);
    expect(await idsOf({ q: 'agumon', limit: '1' })).toHaveLength(1);
    expect(await idsOf({ q: 'agumon', limit: '30' })).toHaveLength(30);
    expect(await idsOf({ tag: 'mood:crowd' })).toHaveLength(12);
    for (const limit of ['', '0', '31', '-1', '01', '1.0', '1e1', '+5', ' 5', '100', 'ten', '٣'])
      await expectRefused({ q: 'agumon', limit });
  });
});

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
    expect(await idsOf({ q: 'wartortle' })).not.toContain(gone);
  });

  test('with text, the cards that have both, the better match first', async () => {
    expect((await idsOf({ q: 'blastoise', tag: 'mood:happy' }))[0]).toBe(pokemon[1]);
    expect(await idsOf({ q: 'mewtwo', tag: 'mood:happy' })).toEqual([]);
    expect((await idsOf({ q: '250', tag: 'mood:crowd' }))[0]).toBe(many[249]);
  });

  test('with short text they are browsed: what is asked for most first (rule 8)', async () => {
    const browsed = await idsOf({ tag: 'mood:happy' });
    expect(browsed.slice(0, 4)).toEqual(pokemon.slice(0, 4));
    for (const q of ['', ' ', 'q', '?', '龍'])
      expect(new Set(await idsOf({ q, tag: 'mood:happy' })), q).toEqual(new Set(browsed));
    expect((await idsOf({ q: 'b', tag: 'mood:happy' }))[0]).toBe(pokemon[1]);
    expect(await idsOf({ q: 'q', character: 'squirtle' })).toEqual([bare]);
  });
});

describe('game', () => {
  test('scopes tags', async () => {
    expect(await idsOf({ tag: 'mood:happy', game: 'gundam' })).toEqual([gundam[0]]);
    expect(await idsOf({ tag: 'mood:scoped', game: 'gundam' })).toEqual([gundam[0]]);
    expect(await idsOf({ tag: 'mood:scoped', game: 'pokemon' })).toEqual([pokemon[0]]);
    expect(await idsOf({ tag: 'mood:scoped', game: 'mtg' })).toEqual([]);
    expect(new Set(await idsOf({ tag: 'mood:scoped' }))).toEqual(new Set([pokemon[0], gundam[0]]));
  });

  test('scopes the character', async () => {
    expect(await idsOf({ character: 'charizard', game: 'gundam' })).toEqual([gundam[1]]);
    expect(await idsOf({ character: 'charizard', game: 'pokemon' })).toEqual([pokemon[0]]);
    expect(await idsOf({ character: 'charizard', game: 'mtg' })).toEqual([]);
  });

  test('does nothing without a tag and a character', async () => {
    expect(await idsOf({ q: 'charizard', game: 'gundam' })).toEqual(await idsOf({ q: 'charizard' }));
    expect((await idsOf({ q: 'charizard', game: 'mtg' }))[0]).toBe(pokemon[0]);
  });

  test('is ANDed with a game in q', async () => {
    expect(await idsOf({ q: 'pokemon', tag: 'mood:happy', game: 'gundam' })).toEqual([]);
    expect(await idsOf({ q: 'gundam', tag: 'mood:happy', game: 'gundam' })).toEqual([gundam[0]]);
    expect(new Set(await idsOf({ q: 'pokemon', tag: 'mood:happy' }))).toEqual(new Set(pokemon.slice(0, 4)));
    expect(await idsOf({ q: 'pokemon charizard', character: 'charizard', game: 'gundam' })).toEqual([]);
  });

  test('that is unknown is 400', async () => {
    for (const game of ['chess', '', 'Pokemon', 'pokemon ', 'constructor'])
      for (const more of [{ q: 'charizard' }, { tag: 'mood:happy' }, { character: 'charizard' }])
        await expectRefused({ game, ...more });
  });
});

describe('character', () => {
  test('is a slug, a name or another name of the roster, alone or with text', async () => {
    for (const character of ['charizard', 'Charizard', 'glurak', 'GLURAK', 'リザードン', 'ﾘｻﾞｰﾄﾞﾝ', ' charizard ']) {
      const found = await idsOf({ character });
      expect(found, character).toContain(pokemon[0]);
      expect(found, character).not.toContain(pokemon[1]);
    }
    expect(await idsOf({ character: 'glurak', q: 'base' })).toEqual([pokemon[0]]);
    expect(await idsOf({ character: 'glurak', q: 'blastoise' })).toEqual([]);
  });

  test('asks for no image; with a tag, the tag does', async () => {
    expect(await idsOf({ character: 'squirtle' })).toEqual([bare]);
    expect(await idsOf({ character: 'squirtle', tag: 'mood:happy' })).toEqual([]);
  });

  test('that is unknown is left to q, within the tags', async () => {
    expect(await idsOf({ character: 'nobody-known', q: 'blastoise' })).toEqual(await idsOf({ q: 'blastoise' }));
    expect((await idsOf({ character: 'nobody-known', q: 'blastoise', tag: 'mood:happy' }))[0]).toBe(pokemon[1]);
  });

  test('that is unknown, without q, is the text', async () => {
    expect((await idsOf({ character: 'blastoise' }))[0]).toBe(pokemon[1]);
    expect((await idsOf({ character: 'blastoise', tag: 'mood:happy' }))[0]).toBe(pokemon[1]);
    expect(await idsOf({ character: 'mewtwo', tag: 'mood:happy' })).toEqual([]);
  });

  test('as a tag is of the vocabulary: by its slug alone', async () => {
    expect(await idsOf({ tag: 'character:charizard', game: 'pokemon' })).toEqual([pokemon[0]]);
    expect(await idsOf({ tag: 'character:Glurak' })).toEqual([]);
  });

  test('no text is a fault', async () => {
    for (const character of ['\u0001', '%', '__proto__', 'constructor', '💳', 'x'.repeat(160)])
      expect((await ask({ character, q: 'charizard' })).status, character).toBe(200);
    await expectRefused({ character: 'x'.repeat(161) });
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
      const later = await testApp(database.db, { today });
      const answer = await later.get(`/v1/search?tag=mood:crowd&after=${after}`);
      expect(answer.status, today).toBe(status);
      await later.app.close();
    }
  });

  test('are ranked anew each time: a price that changes may move a card to another page (rule 10)', async () => {
    const { db } = database;
    const [dear, cheap] = [many[300]!, many[301]!];
    await manySales(db, { itemId: dear, usdCents: 50_00, to: '2026-06-20' });
    await manySales(db, { itemId: cheap, usdCents: 20_00, to: '2026-06-20' });
    await closeDays(db, '2026-06-28');
    await refresh();
    const first = (await ask({ tag: 'mood:crowd', limit: '1' })).json;
    expect(first.results[0].id).toBe(dear);
    for (const sold of ['2026-06-27', '2026-06-28', '2026-06-29']) {
      await aSale(db, { itemId: dear, sold, usdCents: 50_00 });
      await aSale(db, { itemId: cheap, sold, usdCents: 90_00 });
    }
    await closeDays(db);
    await refresh();
    const [second] = await idsOf({ tag: 'mood:crowd', limit: '1', after: first.nextCursor });
    expect(second).toBe(dear);
    expect((await idsOf({ tag: 'mood:crowd' }))[0]).toBe(cheap);
  });
});

describe('a hit', () => {
  test('is the summary of the card: at its representative grade, with its tags', async () => {
    const ids = [pokemon[0]!, pokemon[3]!, pokemon[5]!, bare];
    const { json: summaries } = await api.get(`/v1/items/summaries?ids=${ids.join()}`);
    for (const [at, q] of ['charizard base', 'pikachu base', 'mewtwo base', 'squirtle base'].entries())
      expect((await ask({ q, limit: '1' })).json.results, q).toEqual([summaries[at]]);
    expect(summaries.map((one: { gradeLabel: string | null }) => one.gradeLabel)).toEqual([
      'PSA 10',
      'PSA 10',
      'Raw A',
      null,
    ]);
    expect(summaries[0].tags).toContainEqual({ kind: 'mood', slug: 'happy', name: 'Happy' });
    expect(summaries[0].tags).not.toContainEqual(expect.objectContaining({ slug: 'retired' }));
  });

  test('tells nothing of where its tags come from, nor of their other names', async () => {
    const { text } = await ask({ tag: 'mood:happy' });
    expect(text).not.toMatch(/origin|Glurak|aliases/);
  });
});

describe('as every read', () => {
  test('repeated scalar parameters are 400, also when they repeat the same', async () => {
    const repeated = [
      { q: ['charizard', 'charizard'] },
      { q: 'charizard', limit: ['5', '5'] },
      { tag: 'mood:happy', game: ['pokemon', 'gundam'] },
      { character: ['charizard', 'charizard'] },
      { tag: 'mood:happy', after: ['', ''] },
    ];
    for (const parameters of repeated) await expectRefused(parameters);
  });

  test('has an ETag, 304 and HEAD', async () => {
    const path = '/v1/search?q=charizard';
    const { headers } = await api.get(path);
    expect(headers['cache-control']).toMatch(/^public, max-age=60/);
    expect((await api.get(path, { 'if-none-match': String(headers.etag) })).status).toBe(304);
    const head = await api.app.inject({ method: 'HEAD', url: path });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers.etag).toBe(headers.etag);
  });

  test('takes a unit of the daily budget, a refused one too', async () => {
    const limited = await testApp(database.db, { env: { LIMITS: 'on', DAILY_PUBLIC: '2' } });
    expect((await limited.get('/v1/search?q=charizard')).headers['x-ratelimit-remaining']).toBe('1');
    expect((await limited.get('/v1/search?tag=Mood')).headers['x-ratelimit-remaining']).toBe('0');
    expect((await limited.get('/v1/search?q=charizard')).status).toBe(429);
    await limited.app.close();
  });
});

describe('an index that cannot be read', () => {
  test('is 503 with Retry-After, never an empty success; the search comes back by itself', async () => {
    const broken = await freshDatabase();
    await anItem(broken.db);
    const there = await testApp(broken.db);
    await broken.db.query('alter table items rename to items_away');
    for (const query of ['q=charizard', 'tag=mood:happy', 'character=charizard', 'tag=']) {
      const { status, headers, json } = await there.get(`/v1/search?${query}`);
      expect(status, query).toBe(503);
      expect(json.error).toBe('unavailable');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(headers['cache-control']).toBe('no-store');
    }
    expect((await there.get('/v1/search?q=c')).status).toBe(400);
    await broken.db.query('alter table items_away rename to items');
    expect((await there.get('/v1/search?q=charizard')).json.results).toHaveLength(1);
    await there.app.close();
    await broken.close();
  });

  test('what asks for the cards themselves in vain is no empty success either', async () => {
    await database.db.query('alter table sets rename to sets_away');
    expect((await ask({ q: 'charizard' })).status).toBeGreaterThanOrEqual(500);
    await database.db.query('alter table sets_away rename to sets');
    expect((await ask({ q: 'charizard' })).status).toBe(200);
  });
});
