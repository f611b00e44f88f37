import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rankText } from '../../../src/search/query/rank-text.ts';
import { aSearchSet, aSearchTag, type SmallItem, smallIndex } from './small-index.ts';

const BASE = aSearchSet();
const NEO = aSearchSet({ id: 2, name: 'Neo Genesis', code: 'neo1', year: 2000 });
const EVOLVING = aSearchSet({ id: 3, name: 'Evolving Skies', code: 'swsh7', year: 2021 });
const AWAKENING = aSearchSet({ id: 4, game: 'one-piece', name: 'Awakening of the New Era', code: 'OP-05', year: 2023 });
const LEGEND = aSearchSet({ id: 5, game: 'yugioh', name: 'Legend of Blue Eyes White Dragon', code: 'LOB', year: 2002 });
const PRIZM = aSearchSet({ id: 6, game: 'sports', name: '2018 Panini Prizm', code: null, year: 2018 });

/** Real cards by their facts, those in most demand first. */
const CARDS = {
  charizard: { name: 'Charizard', set: BASE, number: '4' },
  charizardFirst: { name: 'Charizard', set: BASE, number: '4', variation: '1st Edition' },
  charizardJapanese: { name: 'Charizard', printedName: 'リザードン', set: BASE, number: '4', language: 'Japanese' },
  blastoise: { name: 'Blastoise', set: BASE, number: '2', extras: ['Ken Sugimori'] },
  pikachu: { name: 'Pikachu', set: BASE, number: '58', characters: ['Pikachu'] },
  pikachuJapanese: { name: 'Pikachu', printedName: 'ピカチュウ', set: BASE, number: '25', language: 'Japanese' },
  lugia: { name: 'Lugia', set: NEO, number: '9' },
  lugiaFirst: { name: 'Lugia', set: NEO, number: '9', variation: '1st Edition' },
  moonbreon: { name: 'Umbreon VMAX', set: EVOLVING, number: '215', variation: 'Alt Art', rarity: 'Secret Rare' },
  umbreon: { name: 'Umbreon VMAX', set: EVOLVING, number: '95' },
  luffy: { name: 'Monkey.D.Luffy', set: AWAKENING, number: 'OP05-119' },
  luffyManga: { name: 'Monkey.D.Luffy', set: AWAKENING, number: 'OP05-119', variation: 'Manga' },
  sabo: { name: 'Sabo', set: AWAKENING, number: 'OP05-001' },
  dragon: { name: 'Blue-Eyes White Dragon', set: LEGEND, number: 'LOB-001' },
  doncic: { name: 'Luka Doncic', set: PRIZM, number: '280', extras: ['Dallas Mavericks'] },
  doncicSilver: { name: 'Luka Doncic', set: PRIZM, number: '280', variation: 'Silver' },
} satisfies Record<string, SmallItem>;
const KEYS = Object.keys(CARDS) as (keyof typeof CARDS)[];

const SYNONYMS = `pokemon: moonbreon = umbreon vmax evolving skies 215
yugioh: bewd = blue eyes white dragon
*: stand = nothing here | sabo`;
const { index, find } = smallIndex(Object.values(CARDS), {
  synonyms: SYNONYMS,
  tags: [aSearchTag({ kind: 'character', slug: 'charizard', name: 'Charizard', aliases: ['Glurak', 'リザードン'] })],
});
const found = (q: string) => find(q).map((item) => KEYS[item]!);

describe('words in any order, the right printing first', () => {
  test.each([
    ['charizard base set', 'charizard'],
    ['base set charizard', 'charizard'],
    ['charizard 4', 'charizard'],
    ['charizard 4/102', 'charizard'],
    ['charizard 1st edition', 'charizardFirst'],
    ['lugia 1st ed', 'lugiaFirst'],
    ['lugia neo1', 'lugia'],
    ['lugia 2000', 'lugia'],
    ['luffy op05-119', 'luffy'],
    ['luffy op05 119', 'luffy'],
    ['op05119', 'luffy'],
    ['op5-119 manga', 'luffyManga'],
    ['blue eyes white dragon lob-001', 'dragon'],
    ['lob-en001', 'dragon'],
    ['2018 prizm doncic', 'doncic'],
    ['doncic silver prizm', 'doncicSilver'],
    ['umbreon vmax alt art 215', 'moonbreon'],
    ['psa 10 moonbreon', 'moonbreon'],
    ['bewd', 'dragon'],
    ['ken sugimori', 'blastoise'],
    ['dallas mavericks', 'doncic'],
    ['secret rare umbreon', 'moonbreon'],
  ] as const)('%s', (q, key) => {
    expect(found(q)[0]).toBe(key);
  });

  test.each([
    ['charizrd base set', 'charizard'],
    ['chrizard', 'charizard'],
    ['hcarizard', 'charizard'],
    ['blastiose', 'blastoise'],
    ['umberon vmax', 'umbreon'],
    ['pika chu', 'pikachu'],
    ['blueeyes', 'dragon'],
    ['charizard4', 'charizard'],
  ] as const)('misspelt: %s', (q, key) => {
    expect(found(q)[0]).toBe(key);
  });

  test.each([
    ['ch', 'charizard'],
    ['charizar', 'charizard'],
    ['lug', 'lugia'],
    ['neo lug', 'lugia'],
  ] as const)('unfinished: %s', (q, key) => {
    expect(found(q)).toContain(key);
    expect(found(q)[0]).toBe(key);
  });
});

describe('numbers', () => {
  test('an exact number with a name beats everything', () => {
    const decoy = { name: 'Charizard Charizard Four', number: '5' };
    const small = smallIndex([decoy, decoy, { name: 'Blastoise', number: '4' }, { name: 'Charizard', number: '4' }]);
    expect(small.find('charizard 4')[0]).toBe(3);
  });

  test('an exact number with a set beats everything', () => {
    expect(found('evolving skies 95')[0]).toBe('umbreon');
    expect(found('neo genesis 9')[0]).toBe('lugia');
  });

  test('a number alone never beats a name of another set', () => {
    const small = smallIndex([
      { name: 'Pidgey', number: '151' },
      { name: 'Mew', number: '8', set: aSearchSet({ id: 8, name: 'Promos', code: 'promo' }) },
    ]);
    expect(small.find('mew 151')[0]).toBe(1);
    expect(found('lugia 4')[0]).toBe('lugia');
    expect(found('pikachu 215')[0]).toMatch(/^pikachu/);
  });

  test('alone finds the cards that have it', () => {
    expect(found('op05-119').slice(0, 2)).toEqual(['luffy', 'luffyManga']);
    expect(found('215')).toContain('moonbreon');
  });
});

describe('what distinguishes printings', () => {
  test('plain comes before parallel, English before others, unless the query names them', () => {
    expect(found('charizard').slice(0, 3)).toEqual(['charizard', 'charizardFirst', 'charizardJapanese']);
    expect(found('charizard japanese')[0]).toBe('charizardJapanese');
    expect(found('charizard jp')[0]).toBe('charizardJapanese');
    expect(found('doncic')[0]).toBe('doncic');
  });

  test('plain comes first though the parallel is in more demand', () => {
    const small = smallIndex([
      { name: 'Lugia', number: '9', variation: '1st Edition' },
      { name: 'Lugia', number: '9', language: 'German' },
      { name: 'Lugia', number: '9' },
    ]);
    expect(small.find('lugia')[0]).toBe(2);
    expect(small.find('lugia 1st edition')[0]).toBe(0);
    expect(small.find('lugia german')[0]).toBe(1);
  });

  test('printings of one card are together among equals', () => {
    const card = (number: string, language: 'French' | 'German') => ({ name: 'Lugia', number, language });
    const small = smallIndex([
      card('9', 'French'),
      card('10', 'French'),
      card('10', 'German'),
      card('11', 'German'),
      card('9', 'German'),
    ]);
    expect(small.find('lugia')).toEqual([0, 4, 1, 2, 3]);
  });

  test('among equals, the card in most demand is first', () => {
    const small = smallIndex([
      { name: 'Mewtwo', number: '1' },
      { name: 'Mewtwo', number: '2' },
    ]);
    expect(small.find('mewtwo')).toEqual([0, 1]);
  });
});

describe('a game word in the query', () => {
  test('scopes it', () => {
    const same = { name: 'Dragon', number: '1' };
    const small = smallIndex([
      { ...same, set: LEGEND },
      { ...same, set: BASE },
      { ...same, set: AWAKENING },
    ]);
    expect(small.find('dragon')).toEqual([0, 1, 2]);
    expect(small.find('dragon pokemon')).toEqual([1]);
    expect(small.find('one piece dragon')).toEqual([2]);
    expect(small.find('yu-gi-oh dragon')).toEqual([0]);
    expect(small.find('mtg dragon')).toEqual([]);
  });

  test('alone finds cards of the game', () => {
    expect(new Set(found('yugioh'))).toEqual(new Set(['dragon']));
    expect(new Set(found('one piece'))).toEqual(new Set(['luffy', 'luffyManga', 'sabo']));
  });
});

describe('other scripts', () => {
  test.each([
    ['ピカチュウ', 'pikachuJapanese'],
    ['ﾋﾟｶﾁｭｳ', 'pikachuJapanese'],
    ['ピカチュ', 'pikachuJapanese'],
    ['リザードン', 'charizardJapanese'],
    ['リザードン 4', 'charizardJapanese'],
  ] as const)('%s finds the card that is printed so first', (q, key) => {
    expect(found(q)[0]).toBe(key);
  });

  test('a name in another language finds the printings in English too', () => {
    expect(found('リザードン')).toContain('charizard');
    expect(found('glurak')[0]).toBe('charizard');
  });

  test('one sign is enough', () => {
    expect(found('ピ')[0]).toBe('pikachuJapanese');
  });
});

describe('synonyms', () => {
  test('the meaning of a rule ranks above the words themselves, which stay', () => {
    const small = smallIndex([{ name: 'Zard' }, { name: 'Charizard' }], { synonyms: 'pokemon: zard = charizard' });
    expect(small.find('zard')).toEqual([1, 0]);
  });

  test('every expansion is read', () => {
    expect(found('stand')).toContain('sabo');
  });

  test('a rule of a game reads the query as one about it', () => {
    const small = smallIndex([{ name: 'Zard', set: LEGEND }, { name: 'Charizard' }], {
      synonyms: 'pokemon: zard = charizard',
    });
    expect(small.find('zard')[0]).toBe(1);
    expect(small.find('yugioh zard')).toEqual([0]);
  });
});

describe('only what is allowed is found', () => {
  const crowd = Array.from({ length: 9000 }, (_, at) => ({ name: `Dragon ${at}`, number: String(at) }));
  const big = smallIndex(crowd);

  test('however far down the list it is', () => {
    const found = (q: string, among: number[]) => big.find(q, among).sort((a, b) => a - b);
    expect(found('dragon', [0, 8500, 8999])).toEqual([0, 8500, 8999]);
    expect(found('dragon', [8500, 8999])).toEqual([8500, 8999]);
    expect(found('1999', [8500, 8999]).length).toBeLessThanOrEqual(2);
    expect(found('pokemon', [8500, 8999])).toEqual([8500, 8999]);
    expect(found('dragon', [])).toEqual([]);
  });

  test('at most 300, each once', () => {
    const items = big.find('dragon');
    expect(items).toHaveLength(300);
    expect(new Set(items).size).toBe(300);
  });
});

test('no text is a fault: at most 300 items of the index, each once, and the same again', () => {
  const piece = fc.constantFrom(
    ...[
      'charizard',
      'chariz',
      'lugia',
      '1st',
      'ed',
      'psa 10',
      'op05-119',
      '4/102',
      'one piece',
      'ピカ',
      'リザードン',
      '龍',
    ],
    ...[
      'moonbreon',
      'stand',
      'blueeyes',
      'pika',
      'chu',
      '2018',
      'jp',
      'chinese',
      '♀',
      '-',
      '/',
      '#',
      'a',
      'the',
      '\ud800',
    ],
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' ')),
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(text, (q) => {
      const items = rankText(index, q);
      expect(items.length).toBeLessThanOrEqual(300);
      expect(new Set(items).size).toBe(items.length);
      for (const item of items) expect(Number.isInteger(item) && item >= 0 && item < index.size).toBe(true);
      expect(rankText(index, q)).toEqual(items);
    }),
    { numRuns: 500 },
  );
});
