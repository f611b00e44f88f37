import { channel } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BYTES_READ_CHANNEL } from '../../../src/catalog/formats/files.ts';
import { lorcanaData } from '../../../src/catalog/formats/lorcana-data.ts';
import { pokemontcg } from '../../../src/catalog/formats/pokemontcg.ts';
import { CATALOG_FORMATS } from '../../../src/commands/catalog-formats.ts';
import { testData } from '../../support/test-data.ts';
import { folderOf, placesOf, readAll, readFiles } from './reading.ts';

const card = { id: 'base9-4', name: 'Charizard', number: '4' };
const sets = [{ id: 'base9', name: 'Base Nine', releaseDate: '1999/02/03' }];

test('a companion that is named is used, in whichever folder it is, and is not a file of cards', async () => {
  const cards = await folderOf({ 'base9.json': [card] });
  const companion = join(await folderOf({ 'sets-en.json': sets }), 'sets-en.json');
  const { records, dropped, broken } = await readAll(pokemontcg, cards, companion);
  expect(records.map(({ set }) => set.name)).toEqual(['Base Nine']);
  expect([dropped, broken]).toEqual([{}, []]);
});

test('a companion that is named replaces the one next to the cards', async () => {
  const cards = await folderOf({ 'base9.json': [card], 'sets-en.json': [{ ...sets[0], name: 'Other' }] });
  const companion = join(await folderOf({ 'sets-en.json': sets }), 'sets-en.json');
  const { records } = await readAll(pokemontcg, join(cards, 'base9.json'), companion);
  expect(records.map(({ set }) => set.name)).toEqual(['Base Nine']);
});

test('a damaged companion is reported once, and the cards are read', async () => {
  const folder = await folderOf({ 'cards/en/base9.json': [card], 'sets/en.json': '[{"id"' });
  for (const path of [folder, join(folder, 'cards')]) {
    const { records, broken } = await readAll(pokemontcg, path);
    expect([records.length, placesOf(broken)]).toEqual([1, ['en.json']]);
  }
});

test('a file of another format is dropped, a damaged one broken, with a message that leaves the name to the place', async () => {
  const files = { 'a.json': [card], 'b.json': [{ other: 1 }], 'c.json': [], 'd.json': '[{"id":', 'e.json': '\u0000' };
  const { records, dropped, broken } = await readFiles(pokemontcg, files);
  expect([records.length, dropped, placesOf(broken)]).toEqual([1, { other_format: 2 }, ['d.json', 'e.json']]);
  for (const { message, where } of broken) {
    expect(message).toMatch(/^not JSON/);
    expect(where).toMatch(/^[\\/].*[\\/][de]\.json$/);
  }
});

test('where no file is of the format, the error names the damaged file or else the path', async () => {
  const folder = await folderOf({ 'a.json': [{ other: 1 }] });
  await expect(readAll(pokemontcg, folder)).rejects.toThrow(`${folder}: no file of this format`);
  await expect(readFiles(pokemontcg, { 'a.json': '[' })).rejects.toThrow(/a\.json: not JSON/);
});

test('every byte of the files read is reported to the progress callback', async () => {
  const yml = '- {variants: [{set: tfc, id: 1}], languages: {en: {name: Elsa}}}\n';
  let bytes = 0;
  const count = (read: unknown) => {
    bytes += read as number;
  };
  channel(BYTES_READ_CHANNEL).subscribe(count);
  await readFiles(lorcanaData, { 'a.yml': yml, 'b.json': '[{}]' });
  channel(BYTES_READ_CHANNEL).unsubscribe(count);
  expect(bytes).toBe(yml.length + 4);
});

const catalog = testData('catalog');
describe.skipIf(catalog === null)('the folder of a whole game', () => {
  const formats = CATALOG_FORMATS.filter(({ game }) => game !== 'any');
  test.each(formats.map((format) => [format.name, format] as const))(
    '%s is read without a broken file',
    async (_, format) => {
      const { records, broken } = await readAll(format, join(catalog!, format.game));
      expect(broken).toEqual([]);
      expect(records.length).toBeGreaterThan(200);
    },
  );
});
