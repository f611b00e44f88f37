import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mtgjson } from '../../src/catalog/formats/mtgjson.ts';
import { cleanText, imageAddress } from '../../src/catalog/formats/text.ts';
import { importCatalog } from '../../src/catalog/import-catalog.ts';
import type { CatalogEntry, CatalogFormat, CatalogRecord } from '../../src/catalog/record.ts';
import type { Db } from '../../src/db/client.ts';
import { freshDatabase } from '../support/database/database.ts';
import { scratchFolder } from '../support/scratch.ts';

let db: Db;
let close: () => Promise<void>;

beforeEach(async () => {
  ({ db, close } = await freshDatabase());
});
afterEach(() => close());

/** A record of Charizard in Base Set, as the source `tcgdex` lists it, with what a test changes. */
function record(change: Partial<CatalogRecord> = {}): CatalogRecord {
  return {
    game: 'pokemon',
    ids: [['tcgdex', 'base1-4/en']],
    set: { key: 'base1', name: 'Base Set', code: 'base1', year: 1999 },
    number: '4',
    name: 'Charizard',
    printedName: null,
    language: 'English',
    variation: null,
    rarity: 'Rare',
    year: 1999,
    imageUrl: null,
    imageUrlThumb: null,
    facts: {},
    ...change,
  };
}

function formatOf(...entries: (CatalogRecord | CatalogEntry)[]): CatalogFormat {
  return {
    name: 'test',
    game: 'any',
    about: 'entries of a test',
    async *read() {
      for (const entry of entries) yield 'kind' in entry ? entry : { kind: 'record', record: entry };
    },
  };
}

async function run(...entries: (CatalogRecord | CatalogEntry)[]) {
  const problems: string[] = [];
  const report = await importCatalog(db, {
    format: formatOf(...entries),
    paths: [],
    onProblem: ({ message }) => problems.push(message),
  });
  return { ...report, problems };
}

const items = () =>
  db.query<{
    id: string;
    number: string | null;
    name: string;
    rarity: string | null;
    variation: string | null;
    image_url: string | null;
    removed: boolean;
    stem: string;
  }>(
    'select id, number, name, rarity, variation, image_url, removed_at is not null as removed, stem from items order by number, variation nulls first',
  );

describe('import of a catalog', () => {
  test('makes one item of each printing, and running it again changes nothing', async () => {
    const records = [record(), record({ ids: [['tcgdex', 'base1-4/en/1st']], variation: '1st Edition' })];
    expect(await run(...records)).toMatchObject({ records: 2, added: 2, known: 0 });
    const before = await db.query('select * from items order by id');
    expect(await run(...records)).toMatchObject({ records: 2, added: 0, known: 2, removed: 0 });
    expect(await db.query('select * from items order by id')).toEqual(before);
  });

  test('text with halves of a surrogate pair, as a cut leaves them, can be stored and is known again', async () => {
    const text = (name: string) => cleanText(`\ud83d${name}${'x'.repeat(299 - name.length)}\u{1f525}`)!;
    const facts = { artist: text('Arita'), characters: [text('Charizard')] };
    const odd = record({
      ids: [['tcgdex', text('base1-4')]],
      name: text('Charizard'),
      printedName: text('リザードン'),
      facts,
    });
    expect(await run(odd)).toMatchObject({ added: 1 });
    expect(await run(odd)).toMatchObject({ added: 0, known: 1 });
    const imageUrl = imageAddress('https://a.example/\0\ud83d');
    expect(await run({ ...odd, rarity: text('Rare'), imageUrl })).toMatchObject({ added: 0, known: 1 });
  });

  test('of files of another format says what the format reads, and keeps nothing of itself', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'a.json'), '[{"other": 1}]');
    await expect(importCatalog(db, { format: mtgjson, paths: [folder] })).rejects.toThrow(
      `${folder}: no file of this format; mtgjson reads MTGJSON 5: a folder of set files (NEO.json), or AllPrintings.json`,
    );
    expect(await db.query('select * from imports')).toEqual([]);
  });

  test('keeps id and slug when a source corrects a name', async () => {
    await run(record({ name: 'Charzard' }));
    const [before] = await items();
    await run(record({ name: 'Charizard' }));
    const [after] = await items();
    expect(after).toMatchObject({ id: before!.id, name: 'Charizard', stem: before!.stem });
  });

  test('corrects a number as its source writes it, keeping id and slug; another source does not', async () => {
    await run(record());
    const [before] = await items();
    await run(record({ number: '004' }));
    expect(await items()).toMatchObject([{ id: before!.id, number: '004', stem: before!.stem }]);
    await run(record({ ids: [['pokemontcg', 'base1-4']], set: { ...record().set, name: 'Base' } }));
    expect(await items()).toMatchObject([{ number: '004' }]);
  });

  test('a card to which its source gave another id is that card, and is kept up to date', async () => {
    await run(record());
    const [before] = await items();
    const renamed = record({ ids: [['tcgdex', 'base1-004/en']], rarity: 'Holo' });
    for (let n = 0; n < 2; n++)
      expect(await run(renamed)).toMatchObject({ added: 0, known: 1, joined: 0, removed: 0, dropped: {} });
    expect(await items()).toMatchObject([{ id: before!.id, rarity: 'Holo', removed: false }]);
  });

  test('gives equal ids whichever source of an equal set comes first', async () => {
    const other = record({
      ids: [['pokemontcg', 'base1-4']],
      set: { key: 'base1', name: 'Base', code: 'base1', year: 1999 },
    });
    await run(record());
    const [first] = await items();
    await close();
    ({ db, close } = await freshDatabase());
    await run(other);
    const [second] = await items();
    expect(second!.id).toBe(first!.id);
  });

  test('joins another source by number and name, and lets it fill in what is blank', async () => {
    await run(record());
    const other = record({
      ids: [['pokemontcg', 'base1-4']],
      set: { key: 'base1', name: 'Base', code: 'base1', year: 1999 },
      name: 'CHARIZARD',
      imageUrl: 'https://example.com/4.png',
    });
    expect(await run(other)).toMatchObject({ records: 1, added: 0, joined: 1 });
    expect(await items()).toMatchObject([{ name: 'Charizard', image_url: 'https://example.com/4.png' }]);
    expect(await run(other)).toMatchObject({ added: 0, known: 1, joined: 0 });
  });

  test('does not import what it cannot join surely: another name under the number, other words for a variation', async () => {
    await run(record(), record({ ids: [['tcgdex', 'base1-4/en/r']], variation: 'Reverse Holo' }));
    const set = { key: 'base1', name: 'Base', code: 'base1', year: 1999 };
    const report = await run(
      record({ ids: [['pokemontcg', 'a']], set, name: 'Blastoise' }),
      record({ ids: [['pokemontcg', 'b']], set, variation: 'Reverse' }),
    );
    expect(report).toMatchObject({ added: 0, joined: 0, dropped: { name_unsure: 1, variation_unsure: 1 } });
    expect(report.problems).toHaveLength(2);
  });

  test.each([
    ['divided otherwise', 'Farfetchd', { joined: 1 }],
    ['with other signs', 'FARFETCH’D', { joined: 1 }],
    ['another one', 'Farfetch', { dropped: { name_unsure: 1 } }],
    ['of another variation', 'Farfetchd', { dropped: { name_unsure: 1 } }, 'Holo'],
  ])('a name of another source, %s', async (_, name, outcome, variation?: string) => {
    await run(record({ name: "Farfetch'd" }));
    const [before] = await items();
    const set = { key: 'base1', name: 'Base', code: 'base1', year: 1999 };
    const other = record({ ids: [['pokemontcg', 'base1-4']], set, name, variation: variation ?? null });
    expect(await run(other)).toMatchObject({ added: 0, ...outcome });
    expect(await items()).toMatchObject([{ id: before!.id, stem: before!.stem, name: "Farfetch'd" }]);
  });

  test('a source that lists two spellings under one number has two cards', async () => {
    await run(record({ name: 'Mr. X' }), record({ ids: [['tcgdex', 'b']], name: 'MrX' }));
    const set = { key: 'base1', name: 'Base', code: 'base1', year: 1999 };
    const report = await run(record({ ids: [['pokemontcg', 'a']], set, name: 'M-r-X' }));
    expect(await items()).toHaveLength(2);
    expect(report).toMatchObject({ added: 0, joined: 0, dropped: { name_unsure: 1 } });
  });

  test('a source that adds another spelling under its own number has another card, also in a shared set', async () => {
    const set = { key: 'base1', name: 'Base', code: 'base1', year: 1999 };
    await run(record({ name: 'Mr. X' }));
    await run(record({ ids: [['pokemontcg', 'base1-4']], set, name: 'Mr. X' }));
    expect(await run(record({ ids: [['tcgdex', 'new']], name: 'MrX' }))).toMatchObject({ added: 1, dropped: {} });
  });

  test('does not import a set that looks like another source’s unless it is declared equal', async () => {
    await run(record({ set: { key: 'x9', name: 'Secret Set', code: 'SEC', year: 2020 } }));
    const set = { key: 'zz', name: 'Secret set', code: null, year: 2020 };
    const report = await run(
      record({ ids: [['pokemontcg', 'zz']], set }),
      record({ ids: [['pokemontcg', 'zz-2']], set, number: '2' }),
    );
    expect(report).toMatchObject({ added: 0, dropped: { set_unsure: 2 } });
    // Named once, whatever the number of its cards.
    expect(report.problems).toHaveLength(1);
  });

  test('a look-alike that the map pairs with another set is not a reason to reject a set', async () => {
    // tcgdex asia/SV-P and pokemontcg svp fold to one code; the map pairs svp with tcgdex svp.
    await run(
      record({ ids: [['tcgdex', 'a']], set: { key: 'asia/SV-P', name: 'SV-P Promos', code: 'SV-P', year: 2022 } }),
    );
    const svp = { key: 'svp', name: 'Scarlet & Violet Promos', code: 'svp', year: 2023 };
    expect(await run(record({ ids: [['pokemontcg', 'svp-1']], set: svp }))).toMatchObject({ added: 1, dropped: {} });
  });

  test('sets of one name and one code are one set without being mapped', async () => {
    const neon = (source: string) =>
      record({
        ids: [[source, `${source}-1`]],
        game: 'mtg',
        set: { key: `${source} ZZZ`, name: 'Test: Set', code: 'ZZZ', year: 2022 },
      });
    await run(neon('mtgjson'));
    expect(
      await run({ ...neon('scryfall'), set: { key: 'zzz', name: 'Test Set', code: 'zzz', year: 2022 } }),
    ).toMatchObject({ joined: 1 });
  });

  test('joins by an id that two sources share, whatever they call the card', async () => {
    await run(
      record({
        ids: [
          ['tcgdex', 'a'],
          ['shared', 'S-1'],
        ],
      }),
    );
    const report = await run(
      record({
        ids: [
          ['lorcast', 'b'],
          ['shared', 'S-1'],
        ],
        name: 'Glurak',
        set: { key: 'q', name: 'Q', code: null, year: null },
      }),
    );
    expect(report).toMatchObject({ joined: 1, added: 0 });
  });

  test('imports at once of one game, one of them from another source, are as one after the other', async () => {
    const other = record({ ids: [['pokemontcg', 'base1-4']] });
    const reports = await Promise.all([record(), record(), other].map((one) => run(one)));
    expect(reports.map(({ added }) => added).sort()).toEqual([0, 0, 1]);
    expect(await items()).toHaveLength(1);
  });

  test('one source claiming a printing twice is reported, not imported twice', async () => {
    const report = await run(record(), record({ ids: [['tcgdex', 'again']] }));
    expect(report).toMatchObject({ records: 2, added: 1, dropped: { same_identity: 1 } });
    const later = await run(record(), record({ ids: [['tcgdex', 'again']] }));
    expect(later).toMatchObject({ records: 2, known: 1, dropped: { same_identity: 1 } });
  });

  test('another printing under an id of a card that its source lists already does not take its place', async () => {
    const shared = ['shared', 'S-1'] as const;
    const listed = record({ ids: [['tcgdex', 'a'], [...shared]] });
    await run(listed);
    const foil = record({ ids: [['tcgdex', 'b'], [...shared]], variation: 'Foil' });
    expect(await run(foil, listed)).toMatchObject({ known: 1, dropped: { same_identity: 1 } });
  });

  test('marks what a source no longer lists, keeps it, and takes it back when it returns', async () => {
    const second = record({ ids: [['tcgdex', 'base1-5/en']], number: '5', name: 'Clefairy' });
    await run(record(), second);
    expect(await run(record())).toMatchObject({ removed: 1 });
    expect(await items()).toMatchObject([{ removed: false }, { removed: true }]);
    await run(record(), second);
    expect(await items()).toMatchObject([{ removed: false }, { removed: false }]);
  });

  test('a reading with broken records marks nothing as removed', async () => {
    await run(record(), record({ ids: [['tcgdex', 'b']], number: '5', name: 'Clefairy' }));
    const report = await run(record(), { kind: 'broken', where: 'base1.json[1]', message: 'no name' });
    expect(report).toMatchObject({ broken: 1, removed: 0, problems: ['no name'] });
  });

  test('sets of one name get segments of their own, in order of first import', async () => {
    const set = (key: string) => ({ key, name: 'Legend of Blue Eyes', code: null, year: 2002 });
    await run(
      record({ ids: [['ygojson', '1']], game: 'yugioh', set: set('a') }),
      record({ ids: [['ygojson', '2']], game: 'yugioh', set: set('b') }),
    );
    const sets = await db.query<{ segment: string }>('select segment from sets order by id');
    expect(sets.map((row) => row.segment)).toEqual(['legend-of-blue-eyes-2002', 'legend-of-blue-eyes-2002-2']);
  });
});
