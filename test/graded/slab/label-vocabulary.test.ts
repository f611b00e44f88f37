import { describe, expect, test } from 'vitest';
import { labelBook } from '../../../src/graded/slab/label-book.ts';
import { labelledItems } from '../../../src/graded/slab/label-catalog.ts';
import type { MatchItem } from '../../../src/sales/match/match-index.ts';

type Card = Partial<MatchItem> & Pick<MatchItem, 'setName' | 'setCode' | 'number' | 'name'>;

function card(id: string, details: Card): MatchItem {
  return { id, game: 'pokemon', language: 'English', variation: null, rarity: null, year: null, ...details };
}

const base = { setName: 'Base Set', setCode: 'base1', year: 1999 };
const second = { setName: 'Base Set 2', setCode: 'base4', year: 2000 };
const evolutions = { setName: 'Evolutions', setCode: 'xy12', year: 2016 };
const era = { game: 'one-piece', setName: 'Awakening of the New Era', setCode: 'OP05', year: 2023 } as const;
const dawn = { game: 'one-piece', setName: 'Romance Dawn', setCode: 'OP01', year: 2022 } as const;
const best = { game: 'one-piece', setName: 'One Piece The Best', setCode: 'PRB01', year: 2024 } as const;
const lob = { game: 'yugioh', setName: 'Legend of Blue Eyes White Dragon', setCode: 'LOB' } as const;
const art = {
  game: 'yugioh',
  setName: 'Quarter Century Art Collection',
  setCode: 'QCAC',
  year: 2025,
  language: 'Japanese',
} as const;

const book = labelBook(
  [
    card('nidoking', { ...base, number: '11', name: 'Nidoking' }),
    card('nidoking-2', { ...second, number: '11', name: 'Nidoking' }),
    card('mew', { ...evolutions, number: '53', name: 'Mew', rarity: 'Rare Holo' }),
    card('lugia', { setName: 'Neo Revelation', setCode: 'neo3', number: '20', name: 'Lugia', year: 2001 }),
    card('luffy', { ...era, number: 'OP05-119', name: 'Monkey.D.Luffy' }),
    card('luffy-alt', { ...era, number: 'OP05-119', name: 'Monkey.D.Luffy', variation: 'Alternate Art' }),
    card('zoro', { ...dawn, number: 'OP01-001', name: 'Roronoa Zoro' }),
    card('best-zoro', { ...best, number: 'OP01-025', name: 'Roronoa Zoro' }),
    card('dragon', { ...lob, number: 'LOB-001', name: 'Blue-Eyes White Dragon', year: 2002 }),
    card('dragon-1st', {
      ...lob,
      number: 'LOB-001',
      name: 'Blue-Eyes White Dragon',
      variation: '1st Edition',
      year: 2002,
    }),
    card('dragon-asia', { ...lob, number: 'LOB-AE001', name: 'Blue-Eyes White Dragon', year: 2002 }),
    card('dragon-2004', { ...lob, number: 'LOB-EN001', name: 'Blue-Eyes White Dragon', year: 2004 }),
    card('rose', { ...art, number: 'QCAC-JP003', name: 'Black Rose Dragon', variation: 'Secret Rare' }),
    card('rose-25', {
      ...art,
      number: 'QCAC-JP003',
      name: 'Black Rose Dragon',
      variation: 'Quarter Century Secret Rare',
    }),
    card('jumpluff', {
      setName: 'ポケモンカード★VS',
      setCode: 'VS1',
      number: '060',
      name: 'ワタッコ',
      characters: ['Jumpluff'],
      language: 'Japanese',
      year: 2001,
    }),
  ].flatMap(labelledItems),
);

describe('a label whose words are all accounted for names its card', () => {
  test.each([
    ['1999 POKEMON GAME #11 NIDOKING-HOLO NM-MT 8', 'nidoking'],
    ['2000 POKEMON GAME BASE II #11 NIDOKING-HOLO', 'nidoking-2'],
    ['2000 POKEMON GAME BASE Il #11 NIDOKING-HOLO', 'nidoking-2'],
    ['2000 POKEMON GAME BASE ll #11 NIDOKING-HOLO', 'nidoking-2'],
    ['2000 POKEMON GAME BASE 1l #11 NIDOKING-HOLO', 'nidoking-2'],
    ['2000 POKEMON GAME BASE 11 #11 NIDOKING-HOLO', 'nidoking-2'],
    ['2016 POKEMON EVOLUTIONS #53 MEW-HOLO', 'mew'],
    ['2017 POKEMON EVOLUTIONS #53 MEW-HOLO', 'mew'],
    ['2023 ONE PIECE #119 MONKEY.D.LUFFY OP05-AWAKENING OF THE NEW ERA', 'luffy'],
    ['2023 ONE PIECE OP05 EN-AWAKENING OF THE NEW ERA #119 MONKEY D. LUFFY ALTERNATE ART', 'luffy-alt'],
    ['2022 ONE PIECE OP01-ROMANCE DAWN #001 RORONOA ZORO GEM MT 10 PSA 86429728', 'zoro'],
    ['2002 YU-GI-OH! LOB-LEGEND OF BLUE EYES WHITE DRAGON #001 BLUE-EYES WHITE DRAGON', 'dragon'],
    ['2002 YU-GI-OH! LOB-LEGEND OF BLUE EYES WHITE DRAGON #001 BLUE-EYES WHITE DRAGON 1ST EDITION', 'dragon-1st'],
    ['2004 YU-GI-OH! LOB-LEGEND OF BLUE EYES WHITE DRAGON #001 BLUE-EYES WHITE DRAGON', 'dragon-2004'],
    ['2002 YU-GI-OH! LOB-LEGEND OF BLUE EYES WHITE DRAGON #AE001 BLUE-EYES WHITE DRAGON', 'dragon-asia'],
    ['2025 YU-GI-OH! JAPANESE QCAC-QUARTER CENTURY ART COLLECTION #003 BLACK ROSE DRAGON SECRET RARE', 'rose'],
    [
      '2025 YU-GI-OH! JAPANESE QCAC-QUARTER CENTURY ART COLLECTION #003 BLACK ROSE DRAGON QUARTER CENTURY SECRET RARE',
      'rose-25',
    ],
    ['2001 POKEMON JAPANESE VS #060 JUMPLUFF', 'jumpluff'],
  ])('%s: %s', (label, itemId) => {
    expect(book.match(label)).toEqual({ itemId, reason: null });
    expect(book.match(label, 'photo')).toEqual({ itemId, reason: null });
  });
});

describe('a word that nothing explains names no card', () => {
  test.each<[string, string[]]>([
    ['2016 POKEMON EVOLUTIONS-2ND PL.PM.LG. #53 MEW-HOLO', ['2nd', 'pl', 'pm', 'lg']],
    ['2016 POKEMON EVOLUTIONS #53 MEW-HOLO TOYS R US', ['toy']],
    ['1999 POKEMON GAME #11 NIDOKING-HOLO GREY BACK', ['grey', 'back']],
    ['2023 ONE PIECE OP05-AWAKENING OF THE NEW ERA #119 MONKEY.D.LUFFY TREASURE CUP', ['treasure', 'cup']],
    ['2002 YU-GI-OH! LOB-LEGEND OF BLUE EYES WHITE DRAGON ASIAN #001 BLUE-EYES WHITE DRAGON', ['asian']],
  ])('%s: %j', (label, words) => {
    expect(book.match(label)).toEqual({ itemId: null, reason: 'words_unexplained', words });
  });

  test('a letter may be misread in a photo, not in a record', () => {
    const label = '2023 ONE PIECE OP05-AWAKENING OF THE NEW ERA #119 MONKEY.D.LUFFY AWAKENINC';
    expect(book.match(label, 'photo').itemId).toBe('luffy');
    expect(book.match(label)).toMatchObject({ reason: 'words_unexplained', words: ['awakeninc'] });
    // Short words are other words.
    const short = '2023 ONE PIECE OP05-AWAKENING OF THE NEW ERA #119 MONKEY.D.LUFFY EDA';
    expect(book.match(short, 'photo')).toMatchObject({ words: ['eda'] });
  });
});

describe('the year of a label', () => {
  test.each([
    ['2018 POKEMON EVOLUTIONS #53 MEW-HOLO', 'year_differs'],
    ['2014 POKEMON EVOLUTIONS #53 MEW-HOLO', 'year_differs'],
  ])('%s is %s', (label, reason) => {
    expect(book.match(label)).toEqual({ itemId: null, reason });
  });

  test('must be read in a photo', () => {
    const label = 'POKEMON EVOLUTIONS #53 MEW-HOLO';
    expect(book.match(label).itemId).toBe('mew');
    expect(book.match(label, 'photo')).toEqual({ itemId: null, reason: 'illegible' });
  });
});
