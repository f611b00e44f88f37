import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { auditIndex } from '../../src/indices/close/audit.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { rebuildIndex } from '../../src/indices/close/rebuild.ts';
import { basketAfter, publishedLevels } from '../../src/indices/close/store.ts';
import type { IndexDefinition } from '../../src/indices/definitions.ts';
import { readSubIndices } from '../../src/indices/sub-indices.ts';
import { parseDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { testApp } from '../support/app.ts';
import { anIndex } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { guideBlock } from '../support/guide.ts';
import { LAST_DAY, recordMarket } from './method/market.ts';

const define = (slug: string, universe: IndexDefinition['universe']): IndexDefinition => ({
  slug,
  game: 'pokemon',
  label: slug,
  universe,
});

describe('the list an operator gives', () => {
  const read = (text: string) => readSubIndices(text, 'indices.yaml');

  test('is read as the guide prints it', () => {
    const printed = readSubIndices(guideBlock('operate.md', 'yaml indices'), 'operate.md');
    expect(printed.map(({ slug, universe }) => [slug, universe])).toEqual([
      ['base-set-psa-10', { set: 'base-base1', grade: 'psa-10' }],
      ['charizards', { tag: 'character:charizard', years: [1996, 1999] }],
    ]);
  });

  test('is JSON or YAML', () => {
    const expected = [
      { slug: 'base-set', game: 'pokemon', label: 'Base Set', universe: { set: 'base-base1' } },
      { slug: 'lizards', game: 'pokemon', label: 'Lizards', universe: { tag: 'character:charizard', grade: 'psa-10' } },
    ];
    const yaml = `
- { slug: base-set, label: Base Set, game: pokemon, set: base-base1 }
- slug: lizards
  label: Lizards
  game: pokemon
  tag: character:charizard
  grade: psa-10
`;
    expect(read(yaml)).toEqual(expected);
    const json = JSON.stringify(
      expected.map(({ universe, ...rest }) => ({ ...rest, ...universe })),
      null,
      2,
    );
    expect(read(json)).toEqual(expected);
  });

  test.each([
    [
      '- slug: a\n  label: A\n  game: pokemon\n  yeers: [1, 2]',
      'indices.yaml:4: /0/yeers is not one of slug, label, game',
    ],
    ['- slug: a\n  label: A\n  game: mtg\n  grade: psa-10', 'indices.yaml:3: /0/game must be one of pokemon'],
    ['- slug: a\n  label: A\n  game: pokemon\n  years: [1999, soon]', 'indices.yaml:4: /0/years/1'],
    ['- slug: a\n  label: A\n  game: pokemon\n  years: [2003, 1999]', 'indices.yaml:4: /0/years must be [first, last]'],
    ['- slug: a\n  label: A\n  game: pokemon\n  grade: psa-11', 'indices.yaml:4: /0/grade "psa-11" is not a grade'],
    ['- slug: pokemon\n  label: A\n  game: pokemon\n  grade: psa-9', 'indices.yaml:1: /0/slug "pokemon" is taken'],
    ['- slug: mtg\n  label: A\n  game: pokemon\n  grade: psa-9', 'indices.yaml:1: /0/slug "mtg" is taken'],
    ['- slug: Big One\n  label: A\n  game: pokemon\n  grade: psa-9', 'indices.yaml:1: /0/slug'],
    ['- slug: a\n  label: A\n  game: pokemon', 'indices.yaml:1: /0 needs at least one of'],
    ['slug: a', 'indices.yaml:1: / '],
    ['- slug: a\n  label: [', 'indices.yaml:2: '],
    [
      '- slug: a\n  label: A\n  game: pokemon\n  grade: psa-9\n- slug: a\n  label: A\n  game: sports\n  grade: psa-9',
      'indices.yaml:5: /1/slug "a" is taken',
    ],
  ])('%j is rejected with its line and place', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe('sub-indices of a market', () => {
  let fresh: FreshDatabase;
  let db: Db;
  const tens = define('pokemon-tens', { grade: 'psa-10' });
  const all = define('pokemon-all-years', { years: [1990, 2030] });
  const old = define('pokemon-old', { years: [1990, 2000] });
  const tagged = define('pokemon-tagged', { tag: 'character:somebody' });
  const oneSet = define('pokemon-one-set', { set: 'set-0-s0' });
  const subIndices = [tens, all, old, tagged, oneSet];
  beforeAll(async () => {
    fresh = await freshDatabase();
    db = fresh.db;
    await recordMarket(db);
    await db.query(`update items set year = case when number::int % 16 = 0 then 1999 else 2015 end`);
    await db.query(`insert into tags (kind, slug, name, game) values ('character', 'somebody', 'Somebody', 'pokemon')`);
    await db.query(
      `insert into item_tags (tag_id, item_id, origin) select t.id, i.id, 'catalog' from tags t, items i
       where i.game = 'pokemon' and i.number::int % 40 <> 0`,
    );
    await reprice(db, { through: LAST_DAY });
    await closeIndices(db, { through: LAST_DAY, subIndices });
  });
  afterAll(() => fresh.close());

  test('one that takes in everything is the game’s own index, bit for bit', async () => {
    const numbers = async (slug: string) => await publishedLevels(db, slug, 0, LAST_DAY);
    expect(await numbers(all.slug)).toEqual(await numbers('pokemon'));
    expect((await numbers(all.slug)).length).toBeGreaterThan(100);
  });

  test('a grade has baskets of that grade only', async () => {
    const basket = (await basketAfter(db, tens.slug, LAST_DAY))!;
    expect(basket.members.length).toBeGreaterThanOrEqual(20);
    expect(new Set(basket.members.map(({ gradeKey }) => gradeKey))).toEqual(new Set(['psa-10']));
  });

  test('a tag has baskets of cards that have it', async () => {
    const { members } = (await basketAfter(db, tagged.slug, LAST_DAY))!;
    const [row] = await db.query<{ n: number }>(
      'select count(distinct item_id)::int as n from item_tags where item_id = any($1)',
      [members.map(({ itemId }) => itemId)],
    );
    expect(row!.n).toBe(members.length);
  });

  test('an era and a set with fewer than twenty series compute', async () => {
    for (const { slug } of [old, oneSet]) {
      expect(await publishedLevels(db, slug, 0, LAST_DAY)).toEqual([]);
      const rows = await db.query<{ eligible: number }>('select eligible from index_rotations where slug = $1', [slug]);
      expect(Math.max(...rows.map(({ eligible }) => eligible))).toBeGreaterThan(0);
    }
  });

  test('they are rebuilt and audited like the games’ own', async () => {
    for (const index of subIndices) {
      expect((await rebuildIndex(db, index, {})).differences).toEqual([]);
      expect((await db.session((session) => auditIndex(session, index.slug))).mistakes).toEqual([]);
    }
  });

  test('one that is defined otherwise than before is rejected, and the games’ own close all the same', async () => {
    await reprice(db, { through: LAST_DAY + 1 });
    const closing = closeIndices(db, { through: LAST_DAY + 1, subIndices: [define(tens.slug, { grade: 'psa-9' })] });
    await expect(closing).rejects.toThrow('pokemon-tens: was defined otherwise before');
    expect((await publishedLevels(db, 'pokemon', LAST_DAY + 1, LAST_DAY + 1)).length).toBe(1);
    expect(await publishedLevels(db, tens.slug, LAST_DAY + 1, LAST_DAY + 1)).toEqual([]);
  });

  test('another label changes nothing but the label', async () => {
    await closeIndices(db, { through: LAST_DAY + 1, subIndices: [{ ...tens, label: 'Tens' }] });
    const [row] = await db.query<{ label: string }>('select label from indices where slug = $1', [tens.slug]);
    expect(row!.label).toBe('Tens');
    expect((await publishedLevels(db, tens.slug, LAST_DAY + 1, LAST_DAY + 1)).length).toBe(1);
  });
});

describe('a sub-index', () => {
  test('answers on the same routes and is listed with its game, not among the tiles', async () => {
    const fresh = await freshDatabase();
    await anIndex(fresh.db, { cards: 25 });
    const slug = 'pokemon-gems';
    const gems = { slug, game: 'pokemon', label: 'Pokémon PSA 10', universe: { grade: 'psa-10' } } as const;
    await closeIndices(fresh.db, { through: parseDay('2026-06-29')!, subIndices: [gems] });
    const sub = await testApp(fresh.db);
    const whole = (await sub.get('/v1/indices/pokemon')).json;
    expect(whole.subIndices).toEqual([{ slug, label: 'Pokémon PSA 10' }]);
    const { json } = await sub.get(`/v1/indices/${slug}`);
    expect(json).toMatchObject({ game: 'pokemon', slug, label: 'Pokémon PSA 10', value: whole.value, subIndices: [] });
    expect((await sub.get(`/v1/indices/${slug}/series`)).json).toEqual(
      (await sub.get('/v1/indices/pokemon/series')).json,
    );
    expect((await sub.get(`/v1/indices/${slug}/levels.csv`)).status).toBe(200);
    expect((await sub.get('/v1/indices')).json.indices).toHaveLength(4);
    expect((await sub.get('/v1/indices/mtg')).json.indices).toContain(slug);
    await sub.app.close();
    await fresh.close();
  });
});
