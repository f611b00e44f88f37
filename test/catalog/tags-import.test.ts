import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importTags } from '../../src/catalog/tags/import-tags.ts';
import { tagsOfItems } from '../../src/catalog/tags/read-tags.ts';
import { readTagFile, zeroShotRows } from '../../src/commands/tag-files.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let folder: string;
let charizard: string;
let luffy: string;
let href: string;

beforeAll(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'mintmark-tags-'));
  const set = await aSet(database.db);
  charizard = await anItem(database.db, { set, number: '4', name: 'Charizard', upstreamItemId: 'inv-4' });
  href = `/card/pokemon/${set.segment}/4-charizard-${charizard.slice(0, 8)}`;
  luffy = await anItem(database.db, {
    set: await aSet(database.db, { game: 'one-piece', name: 'Romance', code: 'op01' }),
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.close();
});

function file(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return path;
}

async function importFile(name: string, lines: readonly unknown[]) {
  const problems: string[] = [];
  const report = await importTags(database.db, readTagFile(file(name, lines)), {
    origin: name,
    onProblem: ({ line, message }) => problems.push(`${line}: ${message}`),
  });
  return { report, problems };
}

const tagsOf = async (id: string) => (await tagsOfItems(database.db, [id])).get(id) ?? [];

describe('import of tags', () => {
  const csv = () => [
    'kind,name,itemId,href,upstreamItemId,slug,aliases,game',
    `mood,Fierce,${charizard},,,,"grimmig|猛",`,
    `mood,Warm & Bright,,${href},,,,`,
    'color,Orange,,,inv-4,orange,,pokemon',
    'mood,Calm,,,,,,',
  ];

  test('gives items tags by catalog id, href and upstream id, and names tags without an item', async () => {
    const { report, problems } = await importFile('moods.csv', csv());
    expect(problems).toEqual([]);
    expect(report).toEqual({ rows: 4, linked: 3, repeated: 0, declared: 1, rejected: 0, newTags: 4, changedTags: 0 });
    expect(await tagsOf(charizard)).toEqual([
      { kind: 'color', slug: 'orange', name: 'Orange' },
      { kind: 'mood', slug: 'fierce', name: 'Fierce' },
      { kind: 'mood', slug: 'warm-bright', name: 'Warm & Bright' },
    ]);
    const [tag] = await database.db.query(
      `select t.aliases, l.origin from tags t join item_tags l on l.tag_id = t.id where slug = 'fierce'`,
    );
    expect(tag).toEqual({ aliases: ['grimmig', '猛'], origin: 'moods.csv' });
  });

  test('again changes nothing', async () => {
    const { report } = await importFile('moods.csv', csv());
    expect(report).toEqual({ rows: 4, linked: 0, repeated: 3, declared: 1, rejected: 0, newTags: 0, changedTags: 0 });
  });

  test('a row without an item changes a tag, and takes it out of use and back', async () => {
    const change = async (row: object) => (await importFile('change.ndjson', [row])).report;
    expect(await change({ kind: 'mood', slug: 'fierce', name: 'Furious', active: false })).toMatchObject({
      changedTags: 1,
    });
    expect((await tagsOf(charizard)).map(({ slug }) => slug)).toEqual(['orange', 'warm-bright']);
    expect(await change({ kind: 'mood', slug: 'fierce', name: 'Furious' })).toMatchObject({ changedTags: 0 });
    expect((await tagsOf(charizard)).map(({ slug }) => slug)).not.toContain('fierce');
    await change({ kind: 'mood', slug: 'fierce', name: 'Fierce', active: true, aliases: ['wild', '猛'] });
    expect((await tagsOf(charizard)).map(({ slug }) => slug)).toContain('fierce');
    const [tag] = await database.db.query(`select aliases from tags where slug = 'fierce'`);
    expect(tag).toEqual({ aliases: ['grimmig', '猛', 'wild'] });
  });

  test('every mistake is reported with its line, and the good rows count', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const { report, problems } = await importFile('bad.ndjson', [
      { kind: 'mood', name: 'Good', itemId: charizard },
      { kind: 'Mood', name: 'Bad' },
      { kind: 'mood' },
      { kind: 'mood', name: 'x'.repeat(121) },
      { kind: 'mood', name: '猛' },
      { kind: 'mood', name: 'Bad', slug: 'Not-Folded' },
      { kind: 'mood', name: 'Bad', slug: 'x'.repeat(121) },
      { kind: 'mood', name: 'Bad', game: 'chess' },
      { kind: 'mood', name: 'Bad', active: 'perhaps' },
      { kind: 'mood', name: 'Bad', aliases: [1] },
      { kind: 'mood', name: 'Bad', itemId: charizard, href },
      { kind: 'mood', name: 'Bad', itemId: unknown },
      { kind: 'mood', name: 'Bad', itemId: 'nothing' },
      { kind: 'mood', name: 'Bad', href: '/card/pokemon/base-base1/4-charizard-00000000' },
      { kind: 'mood', name: 'Bad', upstreamItemId: 'inv-5' },
      { kind: 'mood', name: 'Bad', game: 'pokemon', itemId: luffy },
      { kind: 'mood', name: 'Bad', price: 3 },
      'not json',
      { kind: 'mood', name: 'Good', itemId: luffy },
    ]);
    expect(report).toMatchObject({ rows: 19, linked: 2, rejected: 17, newTags: 1 });
    // Rows are read before their items are looked up.
    const lines = problems.map((problem) => Number(problem.split(':')[0])).sort((a, b) => a - b);
    expect(lines).toEqual(Array.from({ length: 17 }, (_, i) => i + 2));
    expect(await database.db.query(`select 1 from tags where name = 'Bad'`)).toEqual([]);
  });

  test('control characters and halves of a surrogate pair cost their own row only', async () => {
    const { report, problems } = await importFile('odd.ndjson', [
      { kind: 'mood', name: 'Odd \ud83d' },
      { kind: 'mood', name: 'Odd', aliases: ['\udc00'] },
      { kind: 'mood', name: 'Odd', upstreamItemId: 'inv\0' },
      { kind: 'mood', name: 'Odd', href: `${href.replace('/pokemon/', '/\0/')}` },
      { kind: 'mood', name: 'Odd', href: `${href.replace('/pokemon/', '/\ud83d/')}` },
      { kind: 'mood', name: 'Whole', itemId: luffy },
    ]);
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['1', '2', '3', '4', '5']);
    expect(report).toMatchObject({ rows: 6, linked: 1, rejected: 5 });
  });

  test('a file of another form is rejected before its first row', async () => {
    await expect(importFile('a.csv', ['kind,colour', 'mood,red'])).rejects.toThrow('the header lacks name');
    await expect(importFile('a.ndjson', ['[1]'])).rejects.toThrow('line 1: not a JSON object');
    await expect(importFile('a.txt', ['x'])).rejects.toThrow('ends with .csv');
    await expect(importFile('empty.ndjson', [''])).rejects.toThrow('the file is empty');
  });
});

describe('moods by vectors', () => {
  const axis = (k: number, length = 512) => Array.from({ length }, (_, i) => (i === k ? 1 : 0));
  const text = (slug: string, vector: unknown) => ({ kind: 'mood', slug, name: slug, vector });

  async function importVectors(texts: readonly object[], items: readonly object[]) {
    const problems: string[] = [];
    const rows = zeroShotRows(file('texts.ndjson', texts), file('items.ndjson', items));
    const report = await importTags(database.db, rows, {
      origin: 'vectors',
      onProblem: ({ line, message }) => problems.push(`${line}: ${message}`),
    });
    return { report, problems };
  }

  test('give an item the mood of the nearest text, with their origin', async () => {
    const texts = [text('gloomy', axis(0)), text('cheerful', axis(1))];
    const { report } = await importVectors(texts, [{ itemId: luffy, vector: axis(1) }]);
    expect(report).toMatchObject({ rows: 1, linked: 1, newTags: 2 - 1 });
    expect((await tagsOf(luffy)).map(({ slug }) => slug)).toContain('cheerful');
    const [link] = await database.db.query(
      `select origin from item_tags l join tags t on t.id = l.tag_id where slug = 'cheerful'`,
    );
    expect(link).toEqual({ origin: 'vectors' });
  });

  test('an item vector of the wrong length or norm is rejected with its line', async () => {
    const texts = [text('gloomy', axis(0)), text('cheerful', axis(1))];
    const { report, problems } = await importVectors(texts, [
      { itemId: luffy, vector: axis(1, 511) },
      { itemId: luffy, vector: axis(1).map((x) => x * 1.01) },
      { itemId: luffy, vector: axis(1).map((x, i) => (i === 0 ? null : x)) },
      { vector: axis(1) },
      { itemId: charizard, vector: axis(0) },
    ]);
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['1', '2', '3', '4']);
    expect(report).toMatchObject({ rows: 5, linked: 1, rejected: 4 });
  });

  test('a text that cannot be used rejects the file', async () => {
    const items = [{ itemId: luffy, vector: axis(1) }];
    const good = text('gloomy', axis(0));
    await expect(importVectors([good, text('bad', axis(0, 3))], items)).rejects.toThrow('line 2: vector takes 512');
    await expect(importVectors([good, { ...text('a', axis(1)), kind: 'color' }], items)).rejects.toThrow(
      'line 2: kind',
    );
    await expect(importVectors([good, good], items)).rejects.toThrow('occurs twice');
    await expect(importVectors([good], items)).rejects.toThrow('two texts');
  });
});
