import { describe, expect, test } from 'vitest';
import { aegis } from '../../../src/catalog/formats/aegis.ts';
import { apitcgDigimon } from '../../../src/catalog/formats/apitcg-digimon.ts';
import { testData } from '../../support/test-data.ts';
import { confusedIn, jsonIn, placesOf, readAll, readFiles, readReal, total } from './reading.ts';

const folder = testData('catalog', 'digimon', 'apitcg');

const card = (id: string, image = `${id.replace('-p', '_P')}.png`, more: object = {}) => ({
  id,
  code: id,
  name: '\n  Agumon ',
  colors: ['Red'],
  images: { small: `https://x.test/${image}`, large: `https://x.test/${image}` },
  cardType: 'Digi-Egg ',
  type: 'Reptile/Royal Knight',
  notes: '',
  ...more,
});

test('parallels are counted as the publisher counts them, whatever the case of the id', async () => {
  const cards = [card('BT1-001'), card('BT1-001-p1'), card('bt1-001-P2')];
  const { records } = await readFiles(apitcgDigimon, { 'bt01.json': cards });
  expect(records.map(({ ids, number, variation }) => [ids[1]![1], number, variation])).toEqual([
    ['BT1-001/English', 'BT1-001', null],
    ['BT1-001-p1/English', 'BT1-001', 'Parallel 1'],
    ['BT1-001-p2/English', 'BT1-001', 'Parallel 2'],
  ]);
  expect(records[0]).toMatchObject({
    name: 'Agumon',
    facts: { types: ['Reptile', 'Royal Knight'], cardKind: 'Digi-Egg' },
  });
});

test('of a repeated id the image shows which parallel it is; the same image is a repeat', async () => {
  const cards = [card('BT1-084'), card('BT1-084', 'BT1-084_P5.png'), card('BT1-084'), card('BT1-085', 'BT9-001.png')];
  const { records, dropped } = await readFiles(apitcgDigimon, { 'bt01.json': cards });
  expect(records.map(({ number, variation }) => [number, variation])).toEqual([
    ['BT1-084', null],
    ['BT1-084', 'Parallel 5'],
    ['BT1-085', null],
  ]);
  expect(dropped).toEqual({ repeat: 1 });
});

test('broken records and files are reported by file and position', async () => {
  const files = { 'a.json': [card('?'), null, card('BT1-001')], 'b.json': '[{]' };
  const { records, broken } = await readFiles(apitcgDigimon, files);
  expect(records).toHaveLength(1);
  expect(placesOf(broken)).toEqual(['a.json[0]', 'a.json[1]', 'b.json']);
});

describe.skipIf(folder === null)('the real files', () => {
  test('every card is one record, distinguished, or dropped as a repeat', async () => {
    const { records, dropped, broken } = await readReal(apitcgDigimon, folder!);
    expect([dropped, broken]).toEqual([{ repeat: 7 }, []]);
    expect(records.length + total(dropped)).toBe(jsonIn(folder!).flat().length);
    expect(confusedIn(records)).toEqual([]);
  });

  test('every plain printing but three meets one of aegis', async () => {
    const others = await readAll(aegis, testData('catalog', 'digimon', 'aegis-cards.json')!);
    const known = new Set(others.records.map(({ ids }) => ids[1]![1]));
    const { records } = await readAll(apitcgDigimon, folder!);
    const alone = records.filter(({ ids, variation }) => variation === null && !known.has(ids[1]![1]));
    expect(alone.map(({ number }) => number)).toEqual(['RB1-004', 'RB1-006', 'RB1-007']);
  });
});
