import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tagsOfItems } from '../../src/catalog/tags/read-tags.ts';
import { deriveTags } from '../../src/catalog/tags/write-tags.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aTag } from '../support/tags.ts';

let database: FreshDatabase;
let charizard: string;
let pikachu: string;

async function describeItem(id: string, columns: { [column: string]: unknown }): Promise<void> {
  await database.db.query(
    `update items set rarity = coalesce($2, rarity), facts = coalesce($3, facts), updated_at = now() where id = $1`,
    [id, columns.rarity ?? null, columns.facts ?? null],
  );
}

/** Every item becomes an hour older than the last derivation: only what changes from now on is new to it. */
async function anHourPasses(): Promise<void> {
  await database.db.query(`update items set updated_at = updated_at - interval '1 hour'`);
}

const slugsOf = async (id: string) =>
  ((await tagsOfItems(database.db, [id])).get(id) ?? []).map(({ kind, slug }) => `${kind}:${slug}`);

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  charizard = await anItem(db, { set, number: '4', name: 'Charizard', year: 1999 });
  pikachu = await anItem(db, { set, number: '58', name: 'Pikachu', language: 'Japanese' });
  await describeItem(charizard, {
    rarity: 'Rare Holo',
    facts: { characters: ['Charizard'], artist: 'Mitsuhiro Arita' },
  });
  await db.query(`update items set printed_name = 'ピカチュウ' where id = $1`, [pikachu]);
});
afterAll(() => database.close());

describe('deriving tags', () => {
  test('gives items the tags of their facts', async () => {
    expect(await deriveTags(database.db)).toEqual({ items: 2, newTags: 6, added: 6, removed: 0 });
    expect(await slugsOf(charizard)).toEqual([
      'artist:mitsuhiro-arita',
      'character:charizard',
      'rarity:holo-rare',
      'treatment:holo',
      'year:1999',
    ]);
    const [tag] = await database.db.query(`select game, name, aliases from tags where slug = 'pikachu'`);
    expect(tag).toEqual({ game: 'pokemon', name: 'Pikachu', aliases: ['ピカチュウ'] });
  });

  test('again changes nothing, whether of what changed or of everything', async () => {
    const before = await database.db.query('select * from tags order by id');
    const nothing = { newTags: 0, added: 0, removed: 0 };
    expect(await deriveTags(database.db, { all: true })).toEqual({ items: 2, ...nothing });
    await anHourPasses();
    expect(await deriveTags(database.db)).toEqual({ items: 0, ...nothing });
    expect(await database.db.query('select * from tags order by id')).toEqual(before);
  });

  test('looks only at items that changed since, and adds and removes the difference', async () => {
    await anHourPasses();
    await describeItem(charizard, { rarity: 'Promo', facts: { characters: ['Charizard'] } });
    expect(await deriveTags(database.db)).toEqual({ items: 1, newTags: 2, added: 2, removed: 3 });
    expect(await slugsOf(charizard)).toEqual(['character:charizard', 'rarity:promo', 'treatment:promo', 'year:1999']);
  });

  test('leaves links of other origins, names an operator gave and tags taken out of use', async () => {
    const { db } = database;
    await aTag(db, { slug: 'fierce', itemIds: [charizard] });
    await db.query(`update tags set name = 'Dracaufeu' where slug = 'charizard'`);
    await db.query(`update tags set active = false where slug = 'promo'`);
    await deriveTags(db, { all: true });
    expect(await slugsOf(charizard)).toEqual(['character:charizard', 'mood:fierce', 'year:1999']);
    expect((await tagsOfItems(db, [charizard])).get(charizard)![0]!.name).toBe('Dracaufeu');
  });

  test('notifies listeners of the catalog only when something changed', async () => {
    const { db } = database;
    let count = 0;
    let heard = () => {};
    await db.listen('catalog', () => {
      count++;
      heard();
    });
    await deriveTags(db, { all: true });
    await describeItem(pikachu, { rarity: 'Common' });
    const once = new Promise<void>((resolve) => {
      heard = resolve;
    });
    await deriveTags(db, { all: true });
    await once;
    expect(count).toBe(1);
  });
});

describe('reading the tags of items', () => {
  test('gives a global and a same-game tag of one slug once, under the global name', async () => {
    const { db } = database;
    await aTag(db, { slug: 'calm', name: 'Calm of Pokémon', game: 'pokemon', itemIds: [pikachu] });
    await aTag(db, { slug: 'calm', name: 'Calm', itemIds: [pikachu] });
    const tags = (await tagsOfItems(db, [pikachu])).get(pikachu)!;
    expect(tags.filter(({ kind }) => kind === 'mood')).toEqual([{ kind: 'mood', slug: 'calm', name: 'Calm' }]);
  });

  test('gives a tag once that an item has from several origins', async () => {
    const { db } = database;
    await db.query(
      `insert into item_tags (tag_id, item_id, origin) select id, $1, 'moods.csv' from tags where slug = 'pikachu'`,
      [pikachu],
    );
    expect((await slugsOf(pikachu)).filter((slug) => slug === 'character:pikachu')).toHaveLength(1);
  });
});
