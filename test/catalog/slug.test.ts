import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GRADES } from '../../src/catalog/grades.ts';
import { LANGUAGES } from '../../src/catalog/languages.ts';
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
