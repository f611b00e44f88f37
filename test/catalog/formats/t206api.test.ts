import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UnreadableFile } from '../../../src/catalog/formats/files.ts';
import { t206api } from '../../../src/catalog/formats/t206api.ts';
import { testData } from '../../support/test-data.ts';
import { confusedIn, folderOf, placesOf, readAll, readFiles, readReal, variationsOf } from './reading.ts';

const HEAD = 'first_name,last_name,pose,team_name,hof,portrait,horizontal,lipset_number';
const FILES = {
  'card.csv': `${HEAD}\nAnn,Player,Batting,Oslo,FALSE,FALSE,FALSE,\nBo,Other,,Bergen,FALSE,FALSE,FALSE,`,
  'card_teams.csv': 'first_name,last_name,pose,city,league\nAnn,Player,Batting,Oslo,National\nBo,Other,,Bergen,Minor',
  'variation.csv': 'first_name,last_name,pose,description\nAnn,Player,Batting,No "O" on cap',
};

describe('t206api', () => {
  test('pose and misprint are the variation; there is no number; the tables meet', async () => {
    const { records, broken } = await readFiles(t206api, FILES);
    expect(broken).toEqual([]);
    expect(variationsOf(records)).toEqual(['Batting', 'Batting: No "O" on cap', null]);
    expect(records[0]).toMatchObject({
      set: { name: '1909-11 T206', code: 'T206', year: 1909 },
      number: null,
      name: 'Ann Player',
      facts: { characters: ['Ann Player'], team: 'Oslo (National)' },
    });
    expect(records[2]!.facts.team).toBe('Bergen');
  });

  test('a card listed twice is dropped, a bad line and an absent table are reported', async () => {
    const folder = await folderOf({
      'card.csv': `${FILES['card.csv']}\nBo,Other,,Bergen,FALSE,FALSE,FALSE,\nonly,two`,
    });
    const read = await readAll(t206api, folder);
    expect(read.dropped).toEqual({ repeat: 1 });
    expect(placesOf(read.broken)).toEqual(['card.csv line 5', 'card_teams.csv', 'variation.csv']);
    expect(read.records).toHaveLength(2);
  });

  test('wrong columns, nothing there and an empty file are rejected', async () => {
    for (const files of [{ 'card.csv': 'a,b\n1,2' }, {}, { 'card.csv': '' }])
      await expect(readFiles(t206api, files)).rejects.toThrow(UnreadableFile);
  });
});

const folder = testData('catalog', 'sports', 't206api');
describe.skipIf(folder === null)('t206api, the real tables', () => {
  test('every card and every variation is one printing', async () => {
    const lines = (file: string) => readFileSync(join(folder!, file), 'utf8').trimEnd().split('\n').length - 1;
    const read = await readReal(t206api, folder!);
    expect(read.broken).toEqual([]);
    expect(read.dropped).toEqual({});
    expect(read.records).toHaveLength(lines('card.csv') + lines('variation.csv'));
    expect(confusedIn(read.records)).toEqual([]);
    expect(read.records.filter((record) => record.name === 'Honus Wagner')).toHaveLength(1);
    expect(variationsOf(read.records.filter((record) => record.name === 'Joe Tinker'))).toContain(
      'Portrait: "Tinker" missing',
    );
  });
});
