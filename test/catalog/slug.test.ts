import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GRADES } from '../../src/catalog/grades.ts';
import { LANGUAGES, type Language } from '../../src/catalog/languages.ts';
import {
  cardHref,
  foldSlug,
  itemSegment,
  itemStem,
  languageToken,
  parseItemSegment,
  setSegment,
  stemBeforeGrade,
} from '../../src/catalog/slug.ts';

// Case of slug-cases.json: number and name as an item holds them, and the segment judged by hand ([language] if not English).
const CASES: [index: number, number: string | null, name: string, segment: string, language?: Language][] = [
  [0, '27', "Farfetch'd", '27-farfetch-d'],
  [1, '57', 'Nidoran ♀', '57-nidoran-female'],
  [2, '55', 'Nidoran ♂', '55-nidoran-male'],
  [3, '6', 'Mr. Mime', '6-mr-mime'],
  [4, '76', 'M Rayquaza-EX', '76-m-rayquaza-ex'],
  [5, '76', 'Pokémon Breeder', '76-pokemon-breeder'],
  [6, '149', 'Flabébé', '149-flabebe'],
  [7, '93', 'Gardevoir ex δ', '93-gardevoir-ex-delta'],
  [8, '17', 'Umbreon ★', '17-umbreon-star'],
  [9, '13', 'Mega Charizard X ex', '13-mega-charizard-x-ex'],
  [10, '2', "Brock's Rhydon", '2-brock-s-rhydon'],
  [11, '6', "Lt. Surge's Electabuzz", '6-lt-surge-s-electabuzz'],
  [12, 'TG12', 'Kricketune V', 'tg12-kricketune-v'],
  [13, 'SWSH045', 'Eternatus VMAX', 'swsh045-eternatus-vmax'],
  [14, '182', 'Anthea & Concordia', '182-anthea-concordia'],
  [15, '183', 'Type: Null', '183-type-null'],
  [16, '15', 'Here Comes Team Rocket!', '15-here-comes-team-rocket'],
  [17, '23', "Professor's Research (Professor Oak)", '23-professor-s-research-professor-oak'],
  [18, '4', 'Charizard', '4-charizard'],
  [19, 'H1', 'Alakazam', 'h1-alakazam'],
  [20, '201', 'Alakazam ex', '201-alakazam-ex'],
  [21, '4', 'Charizard', '4-charizard-french', 'French'],
  [22, '201', 'リザードンex', '201-ex-japanese', 'Japanese'],
  [23, '001', 'ピカチュウ', '001-card-japanese', 'Japanese'],
  [24, '006', 'ドガース', '006-card-japanese', 'Japanese'],
  [25, '128', 'Fire // Ice', '128-fire-ice'],
  [26, '128', 'Fire // Ice', '128-fire-ice'],
  [27, '91', 'Æther Vial', '91-aether-vial'],
  [28, '24', 'El-Hajjâj', '24-el-hajjaj'],
  [29, '2†', 'Army of Allah', '2-dagger-army-of-allah'],
  [30, '1★', 'Karn, the Great Creator', '1-star-karn-the-great-creator'],
  [31, '24', 'Success!', '24-success'],
  [32, '65', '"Rumors of My Death . . ."', '65-rumors-of-my-death'],
  [33, '3a', 'Amateur Auteur', '3a-amateur-auteur'],
  [34, '42', 'The Wandering Emperor', '42-the-wandering-emperor'],
  [35, '206', 'Exquisite Blood', '206-exquisite-blood'],
  [36, '64', 'Approach of the Second Sun', '64-approach-of-the-second-sun'],
  [37, '64', 'Island', '64-island'],
  [38, '4', 'Befriending the Moths // Imperial Moth', '4-befriending-the-moths-imperial-moth'],
  [39, '294', 'Forest', '294-forest'],
  [40, 'RA01-EN001', 'Lava Golem', 'ra01-en001-lava-golem'],
  [41, 'LOB-G001', 'Blue-Eyes White Dragon', 'lob-g001-blue-eyes-white-dragon-german', 'German'],
  [42, 'LOB-DE001', 'Blue-Eyes White Dragon', 'lob-de001-blue-eyes-white-dragon-german', 'German'],
  [43, null, 'Token (Luna and "Ancient Fairy Dragon")', 'token-luna-and-ancient-fairy-dragon'],
  [44, null, 'Winged Dragon, Guardian of the Fortress #1', 'winged-dragon-guardian-of-the-fortress-1'],
  [45, null, 'Number 101: Silent Honor ARK', 'number-101-silent-honor-ark'],
  [46, null, 'Allied Code Talker @Ignister', 'allied-code-talker-ignister'],
  [47, null, 'Live☆Twin Lil-la Sweet', 'live-star-twin-lil-la-sweet'],
  [48, null, 'Ghost Ogre & Snow Rabbit', 'ghost-ogre-snow-rabbit'],
  [49, null, 'Red-Eyes Dark Dragoon', 'red-eyes-dark-dragoon'],
  [50, 'OP05-119', 'Monkey.D.Luffy', 'op05-119-monkey-d-luffy'],
  [51, 'P-061', 'Monkey.D.Luffy', 'p-061-monkey-d-luffy'],
  [52, 'OP16-077', '"Buddha" Sengoku', 'op16-077-buddha-sengoku'],
  [53, 'OP16-036', 'Mr.2.Bon.Kurei(Bentham)', 'op16-036-mr-2-bon-kurei-bentham'],
  [54, 'OP16-019', "Let's Show 'Em What We're Made Of!!", 'op16-019-let-s-show-em-what-we-re-made-of'],
  [55, 'OP07-091', 'Monkey.D.Luffy', 'op07-091-monkey-d-luffy'],
  [56, 'P-029', 'Bartolomeo', 'p-029-bartolomeo'],
  [57, 'P-029', 'Bartolomeo', 'p-029-bartolomeo'],
  [58, 'EB03-038', 'Thanks for the Treat. ♡', 'eb03-038-thanks-for-the-treat-heart'],
  [59, 'ST1-03', 'Agumon', 'st1-03-agumon'],
  [60, 'BT15-021', 'Gomamon (X Antibody)', 'bt15-021-gomamon-x-antibody'],
  [61, 'BT6-089', 'T.K. Takaishi & Kari Kamiya', 'bt6-089-t-k-takaishi-kari-kamiya'],
  [62, 'BT10-101', 'Lónkhē Adistakto', 'bt10-101-lonkhe-adistakto'],
  [63, 'EX5-064', 'Koh & Sayo', 'ex5-064-koh-sayo'],
  [64, 'BT15-096', 'Supreme Connection!', 'bt15-096-supreme-connection'],
  [65, 'BT24-001', 'ギギモン', 'bt24-001-card-japanese', 'Japanese'],
  [66, '039a', "Kai'Sa, Survivor", '039a-kai-sa-survivor'],
  [67, '299*', 'Daughter of the Void', '299-star-daughter-of-the-void'],
  [68, 'R01', 'Fury Rune', 'r01-fury-rune'],
  [69, '109', 'Dr. Mundo, Expert', '109-dr-mundo-expert'],
  [70, 'ST01-001', 'Gundam', 'st01-001-gundam'],
  [71, 'ST08-001', 'Ξ Gundam', 'st08-001-xi-gundam'],
  [72, 'GD01-035', 'Zaku Ⅱ', 'gd01-035-zaku-ii'],
  [73, 'GD03-032', "Zaku (Four Snake Eyes') [YETI] (GQ)", 'gd03-032-zaku-four-snake-eyes-yeti-gq'],
  [74, 'ST05-007', "McGillis' Schwalbe Graze", 'st05-007-mcgillis-schwalbe-graze'],
  [75, 'ST01-010', 'Amuro Ray', 'st01-010-amuro-ray'],
  [76, '115', 'Mickey Mouse - Brave Little Tailor', '115-mickey-mouse-brave-little-tailor'],
  [77, '205', 'Hades - King of Olympus', '205-hades-king-of-olympus'],
  [78, '126', 'Te Kā - The Burning One', '126-te-ka-the-burning-one'],
  [79, '26', 'Control Your Temper!', '26-control-your-temper'],
  [80, '1', 'アグスティン・マドリガル - ドジなパパ', '1-card-japanese', 'Japanese'],
  [81, '1', 'Shohei Ohtani', '1-shohei-ohtani'],
  [82, '6', 'Eury Pérez', '6-eury-perez'],
  [83, '59', 'Lourdes Gurriel Jr.', '59-lourdes-gurriel-jr'],
  [84, '57', 'Michael Jordan', '57-michael-jordan'],
  [85, '1', 'Ken Griffey Jr.', '1-ken-griffey-jr'],
  [86, '352', 'Adrian Gonzalez / Adam Johnson', '352-adrian-gonzalez-adam-johnson'],
  [87, '13', 'Gary Sheffield', '13-gary-sheffield'],
  [88, '1', 'Lou Brock / Carl Yastrzemski', '1-lou-brock-carl-yastrzemski'],
  [89, 'BC25-1', 'Elly De La Cruz', 'bc25-1-elly-de-la-cruz'],
  [90, '280', 'Luka Doncic', '280-luka-doncic'],
  [91, null, 'Heinie Wagner', 'heinie-wagner'],
];

describe('hard real names and numbers', () => {
  test('every one of the 92 cases is judged', () => {
    expect(CASES.map(([index]) => index)).toEqual([...Array(92).keys()]);
  });

  test.each(CASES)('case %i: %s %s is %s', (_, number, name, segment, language = 'English') => {
    expect(itemSegment({ stem: itemStem(number, name), language })).toBe(segment);
  });

  test('signs that alone distinguish two cards are kept', () => {
    const pairs = [
      ['Nidoran ♀', 'Nidoran ♂'],
      ['Charizard δ', 'Charizard'],
      ['Charizard ☆ δ', 'Charizard δ'],
      ['Zaku Ⅰ', 'Zaku Ⅱ'],
      ['Ξ Gundam', '∀ Gundam'],
      ['Miracle Sphere α', 'Miracle Sphere β'],
      ['Unown [!]', 'Unown [?]'],
    ];
    for (const [one, other] of pairs) expect(itemStem('1', one!)).not.toBe(itemStem('1', other!));
    expect(itemStem('!', 'Unown')).toBe('exclamation-unown');
    expect(itemStem('?', 'Unown')).toBe('question-unown');
    expect(itemStem('2†', 'Army of Allah')).not.toBe(itemStem('2', 'Army of Allah'));
  });

  test('numbers keep their zeros, a card without number and Latin name is still addressed', () => {
    expect(itemStem('085', 'Pikachu')).toBe('085-pikachu');
    expect(itemStem(null, 'ピカチュウ')).toBe('card');
  });
});

describe('segments of sets', () => {
  test.each([
    [{ name: 'Base', code: 'base1', year: 1999 }, 'base-base1'],
    [{ name: '151', code: 'SV2a', year: 2023 }, '151-sv2a'],
    [{ name: 'ポケモンカード', code: 'SV-P', year: 2022 }, 'sv-p'],
    [{ name: '1986-87 Fleer Basketball', code: null, year: 1986 }, '1986-87-fleer-basketball'],
    [{ name: 'T206', code: null, year: 1909 }, 't206-1909'],
    [{ name: 'Series 21909', code: null, year: 1909 }, 'series-21909-1909'],
    [{ name: 'Prizm', code: null, year: null }, 'prizm'],
    [{ name: 'プロモ', code: null, year: 2001 }, 'set-2001'],
    [{ name: 'プロモ', code: null, year: null }, 'set'],
    [{ name: 'Promos', code: '特典', year: 2001 }, 'promos-2001'],
  ])('%j is %s', (set, segment) => {
    expect(setSegment(set)).toBe(segment);
  });
});

describe('addresses', () => {
  test('are written as the contract shows them', () => {
    const reshiram = itemStem('16', 'Reshiram & Charizard GX');
    expect(itemSegment({ stem: reshiram, gradeKey: 'psa-10', language: 'Japanese', id8: '6e7fdc9a' })).toBe(
      '16-reshiram-charizard-gx-psa-10-japanese-6e7fdc9a',
    );
    const wattrel = itemStem('232', "Iono's Wattrel");
    expect(itemSegment({ stem: wattrel, gradeKey: 'psa-10', language: 'Japanese', id8: '0db0d045' })).toBe(
      '232-iono-s-wattrel-psa-10-japanese-0db0d045',
    );
    const explorer = itemStem('199', 'Prodigal Explorer');
    const segment = itemSegment({ stem: explorer, gradeKey: 'raw-B', language: 'English', id8: '0ec3d5f3' });
    expect(segment).toBe('199-prodigal-explorer-raw-B-0ec3d5f3');
    expect(cardHref({ game: 'riftbound', setSegment: 'origins-ogn', itemSegment: segment })).toBe(
      '/card/riftbound/origins-ogn/199-prodigal-explorer-raw-B-0ec3d5f3',
    );
  });

  test('the most specific reading comes first and every other one follows', () => {
    expect(parseItemSegment('7-alex-english')).toEqual([
      { stem: '7-alex', gradeKey: null, language: 'English', id8: null },
      { stem: '7-alex-english', gradeKey: null, language: null, id8: null },
    ]);
    expect(parseItemSegment('4-charizard-bgs-10-5-chinese-traditional-00c0ffee')).toEqual([
      { stem: '4-charizard', gradeKey: 'bgs-10-5', language: 'Chinese Traditional', id8: '00c0ffee' },
      { stem: '4-charizard-bgs-10-5', gradeKey: null, language: 'Chinese Traditional', id8: '00c0ffee' },
      { stem: '4-charizard-bgs-10-5-chinese-traditional', gradeKey: null, language: null, id8: '00c0ffee' },
      { stem: '4-charizard-bgs-10-5-chinese-traditional-00c0ffee', gradeKey: null, language: null, id8: null },
    ]);
  });

  test('the letter of a raw grade is read in either case', () => {
    for (const text of ['1-x-raw-a', '1-x-raw-A'])
      expect(parseItemSegment(text)[0]).toMatchObject({ gradeKey: 'raw-A' });
  });

  test.each([
    '',
    '-',
    'a--b',
    '-a',
    'a-',
    '4-charizard/../x',
    "4'; drop table items",
    '４',
    '4\u0000',
    '.'.repeat(1e5),
  ])('text that no address has is not a reading (%#)', (text) => {
    expect(parseItemSegment(text)).toEqual([]);
  });
});

describe('a segment that ends in what looks like a grade', () => {
  test.each([
    'psa',
    'graded',
    'raw-A',
    'raw-a',
    'sgc-10',
    'psa-9-5',
    'bvg-10-black-label',
    'cgc-10-gem-mint',
    'cgc-10-pristine',
    'cgc-10-perfect',
    'SGC-10-japanese-6e7fdc9a',
    'tag-9-chinese-traditional',
    'ace-10-6e7fdc9a',
  ])('of %s has the stem before it', (grade) => {
    expect(stemBeforeGrade(`4-charizard-${grade}`)).toBe('4-charizard');
    expect(stemBeforeGrade(`4-deadbeef-charizard-${grade}`)).toBe('4-deadbeef-charizard');
  });

  test.each(['', '-psa-100', '-psa-mint', '-psa-9x', '-psax', '-xpsa', '-abc', '-6e7fdc9a'])(
    '%j is not a grade',
    (end) => {
      expect(stemBeforeGrade(`4-charizard${end}`)).toBeNull();
    },
  );

  test('needs a stem', () => {
    expect(stemBeforeGrade('psa-10')).toBeNull();
  });
});

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(fc.constantFrom('PSA 10', 'raw-A', 'English', 'Chinese Traditional', 'deadbeef', '-', 'x', '♀', 'Ⅱ', '5'), {
      maxLength: 8,
    })
    .map((words) => words.join(' ')),
);
const anyItem = fc.record({
  number: fc.option(hostileText, { nil: null }),
  name: hostileText,
  language: fc.constantFrom(...LANGUAGES),
  id8: fc.option(fc.stringMatching(/^[0-9a-f]{8}$/), { nil: null }),
  gradeKey: fc.option(fc.constantFrom(...GRADES.map((row) => row.key)), { nil: null }),
});

describe('for any name', () => {
  test('a fold has only lower-case ASCII words and folding it again changes nothing', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const folded = foldSlug(text);
        expect(folded).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
        expect(foldSlug(folded)).toBe(folded);
      }),
      { numRuns: 2000 },
    );
  });

  test('one of at most four readings of a written segment is the item', () => {
    fc.assert(
      fc.property(anyItem, ({ number, name, language, id8, gradeKey }) => {
        const stem = itemStem(number, name);
        const segment = itemSegment({ stem, language, id8, gradeKey });
        expect(segment).toMatch(/^[a-z0-9-]+(?:raw-[A-D][a-z0-9-]*)?$/);
        const readings = parseItemSegment(segment);
        expect(readings.length).toBeLessThanOrEqual(4);
        const written = { stem, gradeKey, language: language === 'English' ? null : language, id8 };
        expect(readings).toContainEqual(written);
      }),
      { numRuns: 3000 },
    );
  });

  test('no text makes the parser throw or answer more than four readings', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(parseItemSegment(text).length).toBeLessThanOrEqual(4);
      }),
    );
  });

  test('language tokens are the folds of the names', () => {
    expect(LANGUAGES.map(languageToken)).toContain('chinese-traditional');
    expect(new Set(LANGUAGES.map(languageToken)).size).toBe(LANGUAGES.length);
  });
});

describe('a name or code of any length', () => {
  const words = 'really long card name '.repeat(40);
  test.each([
    ['many words', words],
    ['one word', 'x'.repeat(900)],
    ['signs that fold to words', '♀'.repeat(300)],
  ])('of %s gives segments that fit into a path, and find the card again', (_, name) => {
    const stem = itemStem('299', name);
    const written = itemSegment({ stem, language: 'Chinese Traditional', id8: '12345678', gradeKey: 'bgs-10-5' });
    expect(written.length).toBeLessThanOrEqual(400);
    expect(parseItemSegment(written).map((reading) => reading.stem)).toContain(stem);
    expect(setSegment({ name, code: name, year: null }).length).toBeLessThanOrEqual(400);
  });

  test('is cut after a whole word, and only where it is too long', () => {
    const longest = `${'a'.repeat(200)}-${'b'.repeat(39)}`;
    expect(itemStem(null, longest)).toBe(longest);
    expect(itemStem(null, `${longest}b`)).toBe('a'.repeat(200));
    expect(itemStem('1', words)).toMatch(/-(really|long|card|name)$/);
    expect(itemStem('1', 'Our Market Research Shows That Players Like Really Long Card Names')).toBe(
      '1-our-market-research-shows-that-players-like-really-long-card-names',
    );
  });
});
