import { describe, expect, test } from 'vitest';

/** Imported in each test: a pattern that cannot be read is a fault of the test. */
async function read(title: string) {
  const { readTitle } = await import('../../../src/sales/match/read-title.ts');
  return readTitle(title);
}

describe('the numbers of a title, those that are marked with "!"', () => {
  test.each([
    ['Charizard 4/102', '4!', 'charizard'],
    ['Charizard 4 / 102', '4!', 'charizard'],
    ['Charizard 004/102', '4!', 'charizard'],
    ['Charizard #4', '4!', 'charizard'],
    ['Charizard # 004', '4!', 'charizard'],
    ["Charizard #'d 12", '12!', 'charizard'],
    ['Charizard #d 12', '12!', 'charizard'],
    ['Charizard #d  12', '12!', 'charizard'],
    ['#4/102 Charizard', '4!', 'charizard'],
    ['# 4/102 Charizard', '4!', 'charizard'],
    ['#d 4/102 Charizard', '4!', 'charizard'],
    ["#'d 4/102 Charizard", '4!', 'charizard'],
    ['Charizard #SWSH066', 'swsh66!', 'charizard'],
    ['Charizard #OP05-119', 'op5119!', 'charizard'],
    ['Charizard #2020', '2020!', 'charizard'],
    ['Charizard no. 12', '12!', 'charizard'],
    ['Charizard no 12', '12!', 'charizard'],
    ['Charizard no12', '12!', 'charizard'],
    ['Charizard no 1234', '1234', 'charizard no 1234'],
    ['Nino 12', '12', 'nino 12'],
    ['SV41/SV94 Charizard', 'sv41!', 'charizard'],
    ['189/S-P Pikachu', '189! 189sp!', 'pikachu'],
    ['189/SM-P Pikachu', '189! 189smp!', 'pikachu'],
    ['Charizard 24 165', '24!', 'charizard'],
    ['Charizard 24 1650', '24 1650', 'charizard 24 1650'],
    ['Charizard $24 165', '165', 'charizard 24 165'],
    ['Charizard 4/102 24 165', '4!', 'charizard 24 165'],
    ['SV41 SV94 Charizard', 'sv41!', 'charizard'],
    ['SV41 TG94 Charizard', 'sv41! tg94!', 'sv41 tg94 charizard'],
    ['OP05-119 Luffy', 'op5119! 119', 'op05 119 luffy'],
    ['OP05-119a Luffy', 'op5119a!', 'op05 119a luffy'],
    ['SV4 Charizard', 'sv4!', 'sv4 charizard'],
    ['H12 Charizard', 'h12!', 'h12 charizard'],
    ['25th 12x x25 Charizard', '', '25th 12x x25 charizard'],
    ['CPA-EP Judge', 'cpaep!', 'cpa ep judge'],
    ['SWSH066 Charizard', 'swsh66!', 'swsh066 charizard'],
    ['12a Charizard', '12a!', '12a charizard'],
    ['1st 2nd 3rd 4th a1 Charizard', '', '1st 2nd 3rd 4th a1 charizard'],
    ['Charizard 4 5 6', '4 5 6', 'charizard 4 5 6'],
    ['#4 Charizard 17', '4!', 'charizard 17'],
    ['Charizard 17 #17', '17!', 'charizard 17'],
    ['Charizard 12345', '', 'charizard 12345'],
    ['Charizard $40 4.5 50%', '', 'charizard 40 4 5 50'],
    ['Charizard 4.5/102', '', 'charizard 4 5 102'],
    ["Charizard '99", '99', 'charizard 99'],
    ['Charizard ’99', '99', 'charizard 99'],
    ['Charizard – 5', '5', 'charizard 5'],
    ['2018–19 Prizm Luka', '', 'prizm luka'],
    ['2018 - 19 Prizm Luka', '', 'prizm luka'],
    ['Topps # /50 Judge', '', 'topp judge'],
    ['Charizard “Zed”5', '5', 'charizard zed 5'],
    ['Charizard🔥5', '5', 'charizard 5'],
    ['Charizard 🔥 “5”', '5', 'charizard 5'],
    ['Flabébé 5', '5', 'flabebe 5'],
    ['Charizard Topps 4 165', '4 165', 'charizard topp 4 165'],
    ['Red Sox Black Star 5', '5', 'black star 5'],
    ['', '', ''],
  ])('%j: %s', async (title, numbers, words) => {
    const reading = await read(title);
    expect(reading.numbers.map(({ key, strong }) => key + (strong ? '!' : '')).join(' ')).toBe(numbers);
    expect(reading.words.join(' ')).toBe(words);
  });

  test('are twelve at most, of a title of 400 letters and 64 words', async () => {
    const counted = Array.from({ length: 80 }, (_, i) => 1000 + i).join(', ');
    const reading = await read(`x ${counted}`);
    expect(reading.numbers).toHaveLength(12);
    expect(reading.words).toHaveLength(64);
    expect((await read(`${'a'.repeat(399)}bcd`)).words).toEqual([`${'a'.repeat(399)}b`]);
  });
});

describe('the print runs and years of a title', () => {
  test.each([
    ['Topps 13/25 Judge', [25], []],
    ['Topps 13 / 25 Judge', [25], []],
    ['Topps /499 Judge', [499], []],
    ['Topps #/50 Judge', [50], []],
    ['Topps / 5 Judge', [5], []],
    ['Topps 13/25 13/25 Judge', [25], []],
    ['Charizard 4/102', [], []],
    ['Charizard 4/102 /500', [500], []],
    ['2018-19 Prizm Luka', [], [2018]],
    ['2018-2019 Prizm Luka', [], [2018]],
    ['2020/21 Prizm Luka', [], [2020]],
    ['1999/00 Topps Chrome', [], [1999]],
    ['2020/25 Topps Judge', [25], []],
    ['1020/21 Topps Judge', [21], []],
    ['2020/210 Topps Judge', [210], []],
    ['2020/021 Topps Judge', [21], []],
    ['A2020/21 Topps Judge', [21], []],
    ['2020A/21 Topps Judge', [21], []],
    ['1999 2000 Charizard', [], [1999, 2000]],
    ['1899 Charizard', [], []],
    ['#1999 12000 2000.5 Charizard', [], []],
  ])('%j', async (title, runs, years) => {
    const reading = await read(title);
    expect(reading.runs).toEqual(runs);
    expect(reading.years).toEqual(years);
  });
});

describe('a title', () => {
  test('of two numbers of one set is a lot', async () => {
    const lot = { reason: 'lot', word: 'several numbers' };
    expect((await read('Charizard 4/102 5/102')).rejection).toEqual(lot);
    expect((await read('Charizard 4/102 004/102')).rejection).toBeNull();
    expect((await read('Charizard 4/102 5/64')).rejection).toBeNull();
    expect((await read('Topps 13/25 14/25 Judge')).rejection).toBeNull();
    expect((await read('Proxy Charizard 4/102 5/102')).rejection).toMatchObject({ reason: 'not_card' });
  });

  test('is kept as printed where it has other than ASCII letters', async () => {
    expect((await read('ﾘｻﾞｰﾄﾞﾝ 4/102')).printed).toBe('リザードン 4/102');
    expect((await read('Charizard 4/102')).printed).toBe('');
  });

  test('states its game, its languages, those it denies, and itself', async () => {
    expect(await read('Pokemon Charizard Japanese not Korean')).toMatchObject({
      title: 'Pokemon Charizard Japanese not Korean',
      game: 'pokemon',
      languages: ['Japanese'],
      deniedLanguages: ['korean'],
    });
    expect((await read('POKÉMON Charizard')).game).toBe('pokemon');
  });
});

describe('a title is rejected for the word', () => {
  test.each([
    ...['lot', 'lots', 'bundle', 'playset', 'sequential', 'seq', 'complete set', 'choose', 'you pick', 'u pick'],
    ...['pick your', 'pick a', 'pick the', 'set of 3', 'pair', '2 cards', '20 cards', '30 card'],
    ...['x2', '9x', 'both cards', 'collection of', 'set of two', 'set of cards'],
    ...['konvolut', 'kartenkonvolut', 'sammlung', 'kartensammlung', '20 karten'],
  ])('%s, as a lot', async (word) => {
    expect((await read(`Charizard ${word} base`)).rejection).toEqual({ reason: 'lot', word });
  });

  test.each(['Glurak aus meiner Sammlung', 'Glurak aus Sammlungsauflösung', 'Base Set of 1999', 'Base Set Charizard'])(
    '%s: not as a lot',
    async (title) => {
      expect((await read(title)).rejection).toBeNull();
    },
  );

  test.each([
    ...['proxy', 'proxies', 'custom', 'orica', 'fan art', 'fanart', 'digital', 'reprint', 'replica', 'bootleg', 'fake'],
    ...[
      'counterfeit',
      'gold plated',
      'metal card',
      'aceo',
      'code card',
      'online code',
      'empty',
      'case only',
      'no card',
    ],
    ...['booster box', 'booster pack', 'sealed', 'mystery pack', 'mystery cubes', 'pack chance', 'chance at'],
    ...[
      'chance to win',
      'repack',
      'repacked',
      'grab bag',
      'raffle',
      'razz',
      'random pulls',
      'break spot',
      'breaker slots',
    ],
    ...['display case', 'phone stand', 'storage box', 'card stand', 'slab protectors', 'frame for', 'acrylic frame'],
    ...['magnet', 'decal', 'key chain', 'keyring', 'poster', 't-shirt', 'tshirt', 'play mat', 'playmat', 'mouse pad'],
    ...['mug', 'sticker'],
  ])('%s, as no card', async (word) => {
    expect((await read(`Charizard ${word} base`)).rejection).toEqual({ reason: 'not_card', word });
  });

  test.each([
    ['Charizard in acrylic case', 'what it is sold in'],
    ['Charizard with a display case', 'what it is sold in'],
    ['Charizard incl. storage box', 'what it is sold in'],
    ['Poster Collection Charizard', 'a name of a set'],
    ['Playmat Set Charizard', 'a name of a set'],
    ['Topps sticker Judge', 'sports have cards called so'],
    ['Judge on sticker auto', 'an autograph'],
    ['Slot Charizard', 'another word'],
    ['Charizard 1x', 'one card'],
  ])('%s is not: %s', async (title) => {
    expect((await read(title)).rejection).toBeNull();
  });

  test('sticker in sports only where it is one of a grade', async () => {
    for (const word of ['psa 10 sticker', 'psa gem mint 10 stickers', 'mint sticker', 'custom sticker'])
      expect((await read(`Topps Judge ${word}`)).rejection, word).toMatchObject({ reason: 'not_card' });
  });
});
