import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FACETS } from '../../src/catalog/tags/tag.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aTag, imaged } from '../support/tags.ts';

let database: FreshDatabase;
let api: TestApp;
let pokemon: string[];
let gundam: string[];

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const base = await aSet(db);
  const first = await aSet(db, { game: 'gundam', name: 'First', code: 'GD01' });
  pokemon = [];
  gundam = [];
  for (let n = 1; n <= 4; n++) pokemon.push(await anItem(db, { set: base, number: String(n) }));
  for (let n = 1; n <= 2; n++) gundam.push(await anItem(db, { set: first, number: String(n) }));
  await imaged(db, ...pokemon, ...gundam);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

async function slugsOf(query: string): Promise<string[]> {
  await api.context.liveIndex.refresh();
  const { status, json } = await api.get(`/v1/tags?${query}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json.tags.map((tag: { slug: string }) => tag.slug);
}

describe('choices', () => {
  test('are kind, slug and name of the active tags of one kind, those of most items first', async () => {
    const { db } = database;
    await aTag(db, { kind: 'plain', slug: 'rare', name: 'Rare', itemIds: pokemon.slice(0, 1) });
    await aTag(db, { kind: 'plain', slug: 'usual', name: 'Usual', itemIds: pokemon });
    await aTag(db, { kind: 'plain', slug: 'retired', itemIds: pokemon, active: false });
    await aTag(db, { kind: 'other', slug: 'elsewhere', itemIds: pokemon });
    await api.context.liveIndex.refresh();
    const { json } = await api.get('/v1/tags?kind=plain');
    expect(json).toEqual({
      tags: [
        { kind: 'plain', slug: 'usual', name: 'Usual' },
        { kind: 'plain', slug: 'rare', name: 'Rare' },
      ],
      hasMore: false,
    });
  });

  test('have a live item with an image, and follow it when it comes and goes', async () => {
    const { db } = database;
    const item = await anItem(db, { number: '90' });
    await aTag(db, { kind: 'live', slug: 'lonely', itemIds: [item] });
    await aTag(db, { kind: 'live', slug: 'nobody' });
    expect(await slugsOf('kind=live')).toEqual([]);
    await imaged(db, item);
    expect(await slugsOf('kind=live')).toEqual(['lonely']);
    await db.query('update items set removed_at = now() where id = $1', [item]);
    expect(await slugsOf('kind=live')).toEqual([]);
    await db.query('update items set removed_at = null where id = $1', [item]);
    expect(await slugsOf('kind=live')).toEqual(['lonely']);
    await db.query('delete from item_tags where item_id = $1', [item]);
    expect(await slugsOf('kind=live')).toEqual([]);
  });

  test('an existing kind without items is an empty success (rule 5), tagged or not', async () => {
    await aTag(database.db, { kind: 'bare', slug: 'nothing' });
    await api.context.liveIndex.refresh();
    for (const kind of ['bare', ...FACETS]) {
      const { status, json } = await api.get(`/v1/tags?kind=${kind}`);
      expect(status).toBe(200);
      expect(json).toEqual({ tags: [], hasMore: false });
    }
  });

  test('a kind that does not exist is 400 and names those that do', async () => {
    await aTag(database.db, { kind: 'zodiac', slug: 'dragon' });
    await api.context.liveIndex.refresh();
    const { status, json } = await api.get('/v1/tags?kind=no-such-kind');
    expect([status, json.error]).toEqual([400, 'invalid_parameter']);
    for (const kind of [...FACETS, 'zodiac']) expect(json.detail).toContain(kind);
    expect(json.detail).toContain('got "no-such-kind"');
  });
});

describe('game', () => {
  beforeAll(async () => {
    const { db } = database;
    await aTag(db, { kind: 'who', slug: 'both', name: 'Global', itemIds: [pokemon[0]!, gundam[0]!] });
    await aTag(db, { kind: 'who', slug: 'both', name: 'Scoped', game: 'pokemon', itemIds: pokemon });
    await aTag(db, { kind: 'who', slug: 'half', name: 'Global', itemIds: [gundam[0]!] });
    await aTag(db, { kind: 'who', slug: 'half', name: 'Scoped', game: 'pokemon', itemIds: [pokemon[0]!] });
    await aTag(db, { kind: 'who', slug: 'hero', name: 'Hero of few', game: 'gundam', itemIds: [gundam[0]!] });
    await aTag(db, { kind: 'who', slug: 'hero', name: 'Hero of many', game: 'pokemon', itemIds: pokemon.slice(0, 2) });
    await api.context.liveIndex.refresh();
  });
  const named = async (query: string) =>
    (await api.get(`/v1/tags?kind=who${query}`)).json.tags.map((tag: { slug: string; name: string }) => [
      tag.slug,
      tag.name,
    ]);

  test('global and same-game tags apply, with an item of the game', async () => {
    expect(await named('&game=pokemon')).toEqual([
      ['hero', 'Hero of many'],
      ['both', 'Global'],
      ['half', 'Scoped'],
    ]);
    expect(await named('&game=gundam')).toEqual([
      ['both', 'Global'],
      ['half', 'Global'],
      ['hero', 'Hero of few'],
    ]);
    expect(await named('&game=digimon')).toEqual([]);
  });

  test('eligible global names win over scoped duplicates, and equal slugs of games appear once (rule 2)', async () => {
    expect(await named('')).toEqual([
      ['both', 'Global'],
      ['hero', 'Hero of many'],
      ['half', 'Global'],
    ]);
  });

  test('a name that only the scoped duplicate has finds neither', async () => {
    expect(await named('&q=scoped')).toEqual([]);
    expect(await named('&q=scoped&game=pokemon')).toEqual([['half', 'Scoped']]);
  });

  test('an unknown game is 400', async () => {
    for (const game of ['chess', '', 'Pokemon', 'pokemon%20'])
      expect((await api.get(`/v1/tags?kind=who&game=${game}`)).status, game).toBe(400);
  });
});

describe('q', () => {
  beforeAll(async () => {
    const { db } = database;
    const names = [
      '100% Wool',
      '100 Wool',
      'A_B',
      'AxB',
      'C\\D',
      'Pokémon Fan',
      'Mewtwo',
      'Mew',
      'Old Mew',
      'ピカチュウ',
    ];
    const slugs = ['p-1', 'p-2', 'p-3', 'p-4', 'p-5', 'pokemon-fan', 'mewtwo', 'mew', 'old-mew', 'pikachu'];
    for (const [at, name] of names.entries())
      await aTag(db, { kind: 'q', slug: slugs[at]!, name, itemIds: name === 'Mewtwo' ? pokemon : [pokemon[0]!] });
  });
  const found = (q: string) => slugsOf(`kind=q&q=${encodeURIComponent(q)}`);

  test('is a prefix of the name or the slug, whatever its case', async () => {
    expect(await found('POKÉ')).toEqual(['pokemon-fan']);
    expect(await found('Pokemon')).toEqual(['pokemon-fan']);
    expect(await found('poke\u0301m')).toEqual(['pokemon-fan']);
    expect(await found('ピカ')).toEqual(['pikachu']);
    expect(await found('old')).toEqual(['old-mew']);
    expect(await found('fan')).toEqual([]);
  });

  test('percent, underscore and backslash are literal', async () => {
    expect(await found('100%')).toEqual(['p-1']);
    expect(await found('a_')).toEqual(['p-3']);
    expect(await found('C\\')).toEqual(['p-5']);
    expect(await found('%')).toEqual([]);
    expect(await found('_')).toEqual([]);
    expect(await found('\\')).toEqual([]);
  });

  test('that is exactly a slug puts this tag first, before tags of more items (rule 3)', async () => {
    expect(await found('mew')).toEqual(['mew', 'mewtwo']);
    expect(await found('MEW')).toEqual(['mew', 'mewtwo']);
    expect(await found('me')).toEqual(['mewtwo', 'mew']);
  });

  test('has at most 120 characters, counted as code points', async () => {
    for (const sign of ['a', 'é', '😀']) {
      expect((await api.get(`/v1/tags?kind=q&q=${encodeURIComponent(sign.repeat(120))}`)).status, sign).toBe(200);
      expect((await api.get(`/v1/tags?kind=q&q=${encodeURIComponent(sign.repeat(121))}`)).status, sign).toBe(400);
    }
  });

  test('empty requests all', async () => {
    expect(await slugsOf('kind=q&q=')).toHaveLength(10);
  });
});

describe('invalid input (rule 1)', () => {
  test('control characters are 400', async () => {
    for (const sign of ['%00', '%0A', '%09', '%1f', '%7F', '%C2%85']) {
      expect((await api.get(`/v1/tags?kind=q&q=a${sign}`)).status, sign).toBe(400);
      expect((await api.get(`/v1/tags?kind=q${sign}`)).status, sign).toBe(400);
    }
  });

  test('a missing or malformed kind is 400', async () => {
    for (const query of ['', 'kind=', 'kind=Mood', 'kind=a%20b', 'kind=a:b', `kind=${'k'.repeat(33)}`, 'kind=1'])
      expect((await api.get(`/v1/tags?${query}`)).status, query).toBe(400);
  });

  test('a limit that is not a decimal integer from 1 to 100 is 400', async () => {
    for (const limit of ['1', '9', '10', '99', '100'])
      expect((await api.get(`/v1/tags?kind=q&limit=${limit}`)).status, limit).toBe(200);
    for (const limit of ['', '0', '101', '-1', '01', '1.0', '1e1', '+5', '%205', '1000', 'ten', '٣', '5%0A'])
      expect((await api.get(`/v1/tags?kind=q&limit=${limit}`)).status, limit).toBe(400);
  });

  test('a repeated parameter is 400, also when it repeats the same', async () => {
    for (const query of [
      'kind=q&kind=q',
      'kind=q&q=a&q=a',
      'kind=q&game=pokemon&game=gundam',
      'kind=q&limit=5&limit=5',
    ]) {
      const { status, json } = await api.get(`/v1/tags?${query}`);
      expect(status, query).toBe(400);
      expect(json.error).toBe('invalid_parameter');
    }
  });
});

describe('many choices', () => {
  beforeAll(async () => {
    // The largest names, in the signs that take most room in JSON.
    await database.db.query(
      `insert into tags (kind, slug, name)
       select $1, rpad('tag-' || n || '-', 120, 'x'), rpad(n::text || ' ', 120, chr(1) || chr(128512)) from generate_series(1, 150) n`,
      ['k'.repeat(32)],
    );
    await database.db.query(
      `insert into item_tags (tag_id, item_id, origin) select id, $1, 'test' from tags where kind = $2`,
      [pokemon[0]!, 'k'.repeat(32)],
    );
    await api.context.liveIndex.refresh();
  });

  test('50 by default, at most 100, and the answer says when there are more (rules 4 and 7)', async () => {
    const kind = 'k'.repeat(32);
    const first = await api.get(`/v1/tags?kind=${kind}`);
    expect(first.json.tags).toHaveLength(50);
    expect(first.json.hasMore).toBe(true);
    expect((await api.get(`/v1/tags?kind=${kind}&limit=100`)).json.tags).toHaveLength(100);
    // 1, 10 to 19, 100 to 150.
    expect(await slugsOf(`kind=${kind}&q=tag-1&limit=100`)).toHaveLength(62);
    expect((await api.get(`/v1/tags?kind=${kind}&q=tag-1&limit=62`)).json.hasMore).toBe(false);
    expect((await api.get(`/v1/tags?kind=${kind}&q=tag-1&limit=61`)).json.hasMore).toBe(true);
  });

  test('a hundred of the longest are under 160 KiB (rule 4)', async () => {
    const { text } = await api.get(`/v1/tags?kind=${'k'.repeat(32)}&limit=100`);
    expect(Buffer.byteLength(text)).toBeGreaterThan(60_000);
    expect(Buffer.byteLength(text)).toBeLessThan(160 * 1024);
  });
});

test('an unavailable scan is 503, never an empty success (rule 6)', async () => {
  const broken = await freshDatabase();
  await broken.db.query('alter table tags rename to tags_away');
  const fresh = await testApp(broken.db);
  const { status, headers, json } = await fresh.get('/v1/tags?kind=q');
  expect(status).toBe(503);
  expect(json.error).toBe('unavailable');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(headers['cache-control']).toBe('no-store');
  await broken.db.query('alter table tags_away rename to tags');
  expect((await fresh.get('/v1/tags?kind=mood')).status).toBe(200);
  await fresh.app.close();
  await broken.close();
});
