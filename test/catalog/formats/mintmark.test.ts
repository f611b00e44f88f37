import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UnreadableFile } from '../../../src/catalog/formats/files.ts';
import { mintmark } from '../../../src/catalog/formats/mintmark.ts';
import type { CatalogEntry } from '../../../src/catalog/record.ts';
import { folderOfRun } from '../../support/database/run-folder.ts';

const folder = folderOfRun();
let files = 0;

function fileOf(content: string | Buffer): string {
  const path = join(folder, `${++files}.ndjson`);
  writeFileSync(path, content);
  return path;
}

async function readAll(...paths: string[]): Promise<CatalogEntry[]> {
  const entries: CatalogEntry[] = [];
  for await (const entry of mintmark.read(paths)) entries.push(entry);
  return entries;
}

const CHARIZARD = {
  game: 'pokemon',
  set: { key: 'base', name: 'Base Set', code: 'BS', year: 1999 },
  name: 'Charizard',
};

function lineWith(changes: Record<string, unknown>): string {
  return JSON.stringify({ ...CHARIZARD, ...changes });
}

describe('the mintmark format', () => {
  test('a full line keeps every field', async () => {
    const line = lineWith({
      source: 'my-shop',
      id: 'card-1',
      number: '004',
      printedName: 'リザードン',
      language: 'Japanese',
      variation: '1st Edition',
      rarity: 'Rare Holo',
      year: 1996,
      imageUrl: '/demo/art/charizard.svg',
      imageUrlThumb: 'https://example.com/t.png',
      facts: { artist: 'Mitsuhiro Arita', characters: ['Charizard'], types: ['Fire'] },
      ids: { tcgplayer: '42382' },
      externalIds: { cardmarket: ['1', '2'], 'psa-spec': '544028' },
    });
    expect(await readAll(fileOf(`${line}\n`))).toEqual([
      {
        kind: 'record',
        record: {
          game: 'pokemon',
          ids: [
            ['my-shop', 'card-1'],
            ['tcgplayer', '42382'],
          ],
          externalIds: [
            ['cardmarket', '1'],
            ['cardmarket', '2'],
            ['psa-spec', '544028'],
          ],
          set: { key: 'base', name: 'Base Set', code: 'BS', year: 1999 },
          number: '004',
          name: 'Charizard',
          printedName: 'リザードン',
          language: 'Japanese',
          variation: '1st Edition',
          rarity: 'Rare Holo',
          year: 1996,
          imageUrl: '/demo/art/charizard.svg',
          imageUrlThumb: 'https://example.com/t.png',
          facts: { artist: 'Mitsuhiro Arita', characters: ['Charizard'], types: ['Fire'] },
        },
      },
    ]);
  });

  test('without an id, printings that differ in one identity field have different ids', async () => {
    const lines = [
      {},
      { variation: 'Shadowless' },
      { number: '4' },
      { language: 'French' },
      { name: 'Dark Charizard' },
    ];
    const entries = await readAll(fileOf(lines.map(lineWith).join('\n')));
    const ids = entries.map((entry) => (entry.kind === 'record' ? entry.record.ids[0]!.join(' ') : entry.kind));
    expect(new Set(ids).size).toBe(5);
    expect(entries[0]).toMatchObject({ record: { language: 'English', variation: null, year: 1999, facts: {} } });
  });

  test.each([
    ['an unknown key', { colour: 'red' }, /^colour: unknown key/],
    ['an unknown key of the set', { set: { key: 'a', name: 'A', series: 'x' } }, /^set\.series: unknown key/],
    ['an unknown fact', { facts: { species: 'x' } }, /^facts\.species: unknown key/],
    ['a game outside the nine', { game: 'chess' }, /^game: "chess"/],
    ['a language outside the list', { language: 'Klingon' }, /^language: "Klingon"/],
    ['a number that is not text', { number: 4 }, /^number: must be a text/],
    ['an empty name', { name: '  ' }, /^name: is empty/],
    ['a missing name', { name: null }, /^name: missing/],
    ['a missing set', { set: undefined }, /^set: must be an object/],
    ['a set without key', { set: { name: 'A' } }, /^set\.key: missing/],
    ['control characters', { name: 'a\u0000b' }, /^name: has control characters/],
    ['a text that is too long', { rarity: 'x'.repeat(301) }, /^rarity: longer than 300/],
    ['a year that is not a year', { year: 19999 }, /^year: must be a whole number/],
    ['a fractional year', { set: { key: 'a', name: 'A', year: 1999.5 } }, /^set\.year/],
    ['an address of another scheme', { imageUrl: 'javascript:alert(1)' }, /^imageUrl/],
    ['an address without host', { imageUrl: '//evil.example' }, /^imageUrl/],
    ['an address with half a surrogate pair', { imageUrl: 'https://a.example/\ud83d' }, /^imageUrl/],
    ['a host with control characters', { imageUrl: 'https://a\0.example/' }, /^imageUrl/],
    ['a source with signs', { source: 'My Shop' }, /^source/],
    ['external ids in a list', { externalIds: ['1'] }, /^externalIds: must be an object/],
    ['an external id that is a number', { externalIds: { tcgplayer: 1 } }, /^externalIds.tcgplayer: must be a text/],
    ['an external id of 201 characters', { externalIds: { tcgplayer: '1'.repeat(201) } }, /longer than 200/],
    ['31 external ids', { externalIds: { a: Array.from({ length: 31 }, (_, n) => `${n}`) } }, /more than 30/],
    ['the space of an external id in words', { externalIds: { 'PSA spec': '1' } }, /^externalIds: "PSA spec"/],
    ['its own source among the other ids', { ids: { mintmark: 'x' } }, /^ids: "mintmark"/],
    ['a value that is not a list', { facts: { types: 'Fire' } }, /^facts\.types/],
  ])('%s is rejected with its line', async (_, changes, message) => {
    const path = fileOf(`${lineWith({})}\n\n${lineWith(changes)}\n${lineWith({ number: '5' })}\n`);
    const entries = await readAll(path);
    expect(entries.map((entry) => entry.kind)).toEqual(['record', 'broken', 'record']);
    expect(entries[1]).toMatchObject({ message: expect.stringMatching(message), where: `${path} line 3` });
  });

  test('a line that is not JSON, not UTF-8 or too long is reported and the rest is read', async () => {
    const path = fileOf(
      Buffer.concat([
        Buffer.from(`${lineWith({})}\n{"game":\n`),
        Buffer.from([0x22, 0xff, 0xfe, 0x0a]),
        Buffer.from(`"${'x'.repeat(2 ** 20 + 1)}"\n[1]\n${lineWith({ number: '9' })}`),
      ]),
    );
    const entries = await readAll(path);
    expect(entries.map((entry) => entry.kind)).toEqual(['record', 'broken', 'broken', 'broken', 'broken', 'record']);
    expect(entries.slice(1, 5).map((entry) => (entry.kind === 'broken' ? entry.where : ''))).toEqual(
      [2, 3, 4, 5].map((line) => `${path} line ${line}`),
    );
  });

  test.each([
    ['an empty file', ''],
    ['a CSV file', 'game,set,name\npokemon,base,Charizard\n'],
    ['a binary file', Buffer.from([0, 255, 10, 0, 1, 2])],
    ['a JSON array', '[\n{"game":"pokemon"}\n]\n'],
  ])('%s alone is rejected; with a good file it is one report', async (_, content) => {
    const path = fileOf(content);
    await expect(readAll(path)).rejects.toThrow(UnreadableFile);
    const entries = await readAll(path, fileOf(lineWith({})));
    expect(entries.map((entry) => entry.kind).sort()).toEqual(['broken', 'record']);
  });

  test('a path that does not exist is rejected', async () => {
    await expect(readAll(join(folder, 'absent.ndjson'))).rejects.toThrow(/no such file/);
  });
});
