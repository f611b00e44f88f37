import { describe, expect, test } from 'vitest';
import { buildMatchIndex } from '../../../src/sales/match/match-index.ts';
import { matchTitle } from '../../../src/sales/match/match-title.ts';
import { readTitle } from '../../../src/sales/match/read-title.ts';

describe('what a title denies', () => {
  test.each([
    ['charizard not 1st edition base', 'charizard   base', []],
    ['charizard non-1st ed. base', 'charizard  . base', []],
    ['charizard no first edition stamp base', 'charizard   base', []],
    ['charizard not a shadowless base', 'charizard   base', []],
    ['charizard without the stamped base', 'charizard   base', []],
    ['charizard w/o staff stamp base', 'charizard   base', []],
    ["charizard isn't reverse holo base", 'charizard   base', []],
    ['charizard not reverse foil base', 'charizard   base', []],
    ['charizard non-holo base', 'charizard  nonholo  base', []],
    ['charizard no holofoil base', 'charizard  nonholo  base', []],
    ['charizard no foil base', 'charizard  nonholo  base', []],
    ['charizard not stamped or holo base', 'charizard  nonholo  base', []],
    ['charizard not holo or stamped base', 'charizard  nonholo  base', []],
    ['charizard not from japanese base', 'charizard   base', ['japanese']],
    ['charizard not japanese/korean nor promo base', 'charizard   base', ['japanese', 'korean']],
    ['charizard never signed base', 'charizard   base', []],
    ['charizard not unlimited, shadowless', 'charizard  , shadowless', []],
    ['charizard non 1st edition and shadowless', 'charizard   and shadowless', []],
    ['charizard not 1st edition not shadowless', 'charizard    ', []],
    ['nothing denied: charizard 1st edition', 'nothing denied: charizard 1st edition', []],
    ['not mint charizard', 'not mint charizard', []],
    ['casino holo', 'casino holo', []],
  ])('%j leaves %j', async (text, left, languages) => {
    const { readDenials } = await import('../../../src/sales/match/denials.ts');
    expect(readDenials(text)).toEqual({ left, languages });
  });
});

test('a denied language takes only the cards in it', () => {
  const card = (language: 'English' | 'Japanese') =>
    ({
      id: language,
      game: 'pokemon',
      setName: 'Jungle',
      setCode: null,
      number: '4',
      name: 'Clefable',
      language,
    }) as const;
  const index = buildMatchIndex(
    [card('English'), card('Japanese')].map((it) => ({ ...it, variation: null, year: null })),
  );
  const match = (title: string) => matchTitle(readTitle(title), index);
  expect(match('Clefable Jungle 4/64 not Japanese PSA 9')).toMatchObject({ matched: true, itemId: 'English' });
  expect(match('Clefable Jungle 4/64 not 1st edition PSA 9')).toMatchObject({ matched: true, itemId: 'English' });
  expect(match('Clefable Jungle 4/64 not English PSA 9')).toMatchObject({ matched: false });
});
