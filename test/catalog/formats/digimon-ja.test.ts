import { describe, expect, test } from 'vitest';
import { digimonJa } from '../../../src/catalog/formats/digimon-ja.ts';
import { testData } from '../../support/test-data.ts';
import { confusedIn, folderOf, jsonIn, readAll, readFiles, readReal, total } from './reading.ts';

const folder = testData('catalog', 'digimon', 'ja-official');

const card = (card_no: string, card_name: string, more: object = {}) => ({
  card_no,
  card_name,
  card_type: 'デジモン',
  color: '赤',
  rarity: 'SR',
  image_url: 'https://x.test/1.png?02',
  pack_id: '1',
  ...more,
});

test('the number is cut from the name, also from a parallel, whose number carries a mark', async () => {
  const cards = [
    card('BT5-019', 'BT5-019シャウトモン'),
    card('BT5-019_P1', 'BT5-019シャウトモン', { image_url: 'https://x.test/noimage.png' }),
    card('BT3-103', 'BT3-103', { card_type: '' }),
    card('BT24-TOKEN', 'BT24-TOKEN石化'),
  ];
  const { records, dropped } = await readFiles(digimonJa, { 'BT-05.json': cards });
  expect(records.map(({ ids, name, variation, imageUrl }) => [ids[1]![1], name, variation, imageUrl])).toEqual([
    ['BT5-019/Japanese', 'シャウトモン', null, 'https://x.test/1.png?02'],
    ['BT5-019-p1/Japanese', 'シャウトモン', 'Parallel 1', null],
    ['BT24-TOKEN/Japanese', '石化', null, 'https://x.test/1.png?02'],
  ]);
  expect(records[0]!.facts).toEqual({ colors: ['Red'], cardKind: 'Digimon' });
  expect(dropped).toEqual({ no_details: 1 });
});

test('English names come from the companion file', async () => {
  const files = {
    'ja/BT-05.json': [card('BT5-019_P1', 'BT5-019シャウトモン')],
    'aegis-cards.json': [{ cardId: 'BT5-019', nameEn: 'Shoutmon' }],
  };
  const { records } = await readAll(digimonJa, `${await folderOf(files)}/ja`);
  expect(records[0]).toMatchObject({
    name: 'Shoutmon',
    printedName: 'シャウトモン',
    facts: { characters: ['Shoutmon'] },
  });
});

describe.skipIf(folder === null)('the real files', () => {
  test('every row is one record, distinguished, or dropped for having no details', async () => {
    const { records, dropped, broken } = await readReal(digimonJa, folder!);
    const rows = jsonIn(folder!, /^BT-/).flat();
    expect(records.length + total(dropped)).toBe(rows.length);
    expect([dropped, broken]).toEqual([{ no_details: 102 }, []]);
    expect(confusedIn(records)).toEqual([]);
  });
});
