import { describe, expect, test } from 'vitest';
import { buildMatchIndex, type MatchItem } from '../../../src/sales/match/match-index.ts';
import { matchTitle } from '../../../src/sales/match/match-title.ts';
import { readTitle } from '../../../src/sales/match/read-title.ts';
import { pokemon } from './match-cards.ts';

function answer(title: string, cards: readonly MatchItem[]) {
  return matchTitle(readTitle(title), buildMatchIndex(cards));
}

/** The card of a few that a title means, or why none; whatever their order. */
function meant(title: string, ...cards: MatchItem[]): string {
  const [one, other] = [cards, cards.toReversed()].map((all) => {
    const found = answer(title, all);
    return found.matched ? found.itemId : found.reason;
  });
  expect(other).toBe(one);
  return one!;
}

const clefable = (id: string, more: Partial<MatchItem> = {}) => pokemon(id, 'Jungle', '4', 'Clefable', more);

describe('of several cards that fit, the title means', () => {
  test('the one that accounts for more of its words, and none where each accounts for another', () => {
    const plain = clefable('plain', { setCode: 'J1' });
    const zed = clefable('zed', { setCode: 'J2', variation: 'Zed' });
    const yak = clefable('yak', { setCode: 'J3', variation: 'Yak' });
    expect(meant('Jungle Clefable Zed 4/64', plain, zed)).toBe('zed');
    expect(meant('Jungle Clefable Zed 4/64', plain, zed, yak)).toBe('zed');
    expect(meant('Jungle Clefable Zed Yak 4/64', zed, yak)).toBe('ambiguous');
    expect(meant('Jungle Clefable 4/64', plain, zed)).toBe('plain');
  });

  test('the one of which it leaves less unsaid', () => {
    const said = clefable('said', { setCode: 'J1', variation: 'Zed' });
    const unsaid = clefable('unsaid', { setCode: 'J2', variation: 'Zed Edition' });
    expect(meant('Jungle Clefable Zed 4/64', said, unsaid)).toBe('said');
    expect(meant('Jungle Clefable Zed Edition 4/64', said, unsaid)).toBe('unsaid');
  });

  test('the variation whose word it says twice, where the set has it too', () => {
    const cards = [null, 'Zed'].map((variation) =>
      pokemon(variation ?? 'plain', 'Zed Flame', '4', 'Clefable', { variation }),
    );
    expect(meant('Zed Flame Zed Clefable 4/64', ...cards)).toBe('Zed');
    expect(meant('Zed Flame Clefable 4/64', ...cards)).toBe('ambiguous');
  });

  test('the one of the nearer year', () => {
    const cards = [1999, 2000].map((year) => clefable(String(year), { setCode: `J${year - 1998}`, year }));
    expect(meant('1998 Jungle Clefable 4/64', ...cards)).toBe('1999');
    expect(meant('1999 Jungle Clefable 4/64', ...cards)).toBe('1999');
    expect(meant('2000 Jungle Clefable 4/64', ...cards)).toBe('2000');
    expect(meant('Jungle Clefable 4/64', ...cards)).toBe('ambiguous');
  });

  test('none where they are equal: each is named once, in the order of the catalog', () => {
    const cards = ['a', 'b'].map((id) => clefable(id));
    expect(answer('Jungle Clefable 4/64 #4', cards)).toEqual({
      matched: false,
      reason: 'ambiguous',
      candidates: ['a', 'b'],
    });
    expect(answer('Jungle Clefable 4/64 4', cards.slice(0, 1))).toMatchObject({ itemId: 'a' });
    expect(answer('Jungle Clefable 5/64', cards)).toEqual({ matched: false, reason: 'card_unknown', candidates: [] });
    expect(answer('Jungle Clefable 4/64 slab', cards)).toEqual({
      matched: false,
      reason: 'grade_unread',
      candidates: [],
    });
  });
});

describe('a plain card with a sibling that differs by rarity', () => {
  const golem = (id: string, more: Partial<MatchItem> = {}): MatchItem => ({
    ...pokemon(id, 'Rarity Collection', 'RA01-EN001', 'Lava Golem', more),
    game: 'yugioh',
  });
  const plain = golem('plain', { rarity: 'Super Rare' });
  const secret = { variation: 'Secret Rare', rarity: 'Secret Rare' };
  const title = 'Yu-Gi-Oh Rarity Collection RA01-EN001 Lava Golem';

  test('is meant only where the title says its own rarity in full', () => {
    const sibling = golem('secret', secret);
    expect(meant(`${title} Super Rare`, plain, sibling)).toBe('plain');
    expect(meant(`${title} Secret Rare`, plain, sibling)).toBe('secret');
    expect(meant(title, plain, sibling)).toBe('ambiguous');
    expect(meant(`${title} Rare`, plain, sibling)).toBe('ambiguous');
    expect(meant(`${title} Super`, plain, sibling)).toBe('ambiguous');
    expect(meant(`${title} Rare`, golem('plain'), sibling)).toBe('ambiguous');
  });

  test.each<[rarity: string | null, variation: string, itemId: string]>([
    ['Special Card', 'Special Card 2', 'ambiguous'],
    ['Special Card', 'Special Card', 'ambiguous'],
    [null, '2', 'ambiguous'],
    ['Special Card', 'Special Card Gold', 'plain'],
    ['Special Card', 'Special 2', 'plain'],
    ['Special Card', 'Card Stamp 2', 'plain'],
    [null, 'Stamp 2', 'plain'],
  ])('of rarity %s next to %s: %s', (rarity, variation, itemId) => {
    expect(meant(title, golem('plain', { rarity }), golem('other', { variation }))).toBe(itemId);
    expect(meant(title, golem('plain', { rarity }), golem('other', { variation, language: 'German' }))).toBe('plain');
  });

  test('is meant where the other is of another set, name or language, or differs by more than rarity', () => {
    expect(meant(title, plain, golem('other', { ...secret, setName: 'Other Box' }))).toBe('plain');
    expect(meant(title, plain, golem('other', { ...secret, name: 'Dark Magician' }))).toBe('plain');
    expect(meant(title, plain, golem('other', { ...secret, language: 'German' }))).toBe('plain');
    expect(meant(title, plain, golem('other', { variation: 'Zed' }))).toBe('plain');
  });
});

describe('a word for which titles are rejected', () => {
  test('may be of the name of the card, in the plural too', () => {
    expect(meant('Jungle Magnet 4/64', pokemon('card', 'Jungle', '4', 'Magnet'))).toBe('card');
    expect(meant('Jungle Magnets 4/64', pokemon('card', 'Jungle', '4', 'Magnet'))).toBe('card');
    expect(meant('Jungle Posters 4/64', pokemon('card', 'Jungle', '4', 'Poster'))).toBe('card');
    expect(meant('Jungle Fan Art 4/64', pokemon('card', 'Jungle', '4', 'Fan Art'))).toBe('card');
    expect(meant('Jungle Fan Art 4/64', pokemon('card', 'Jungle', '4', 'Fan'))).toBe('not_card');
    expect(meant('Jungle Magnet Clefable 4/64', clefable('card'))).toBe('not_card');
    expect(meant('Jungle Clefable Magnet 4/64', clefable('card', { variation: 'Magnet' }))).toBe('card');
  });
});

describe('a card', () => {
  test('without a number is meant by its whole name and its set', () => {
    const card = { ...pokemon('card', 'Jungle', '4', 'Old Sea Map'), number: null };
    expect(meant('Jungle Old Sea Map PSA 9', card)).toBe('card');
    expect(meant('Jungle Old Sea Map 7/64 PSA 9', card)).toBe('card');
    expect(meant('Jungle Old Map PSA 9', card)).toBe('card_unknown');
    expect(meant('Old Sea Map PSA 9', card)).toBe('set_unknown');
  });

  test('of one game is never meant by a title about another', () => {
    expect(meant('Pokemon Jungle Clefable 4/64', clefable('card'))).toBe('card');
    expect(meant('Yugioh Jungle Clefable 4/64', clefable('card'))).toBe('card_unknown');
  });

  test('is known without its set by a number that opens with the code of the set', () => {
    const luffy = (setCode: string | null, number: string, setName = 'Awakening') => ({
      ...pokemon('luffy', setName, number, 'Luffy', { setCode }),
      game: 'one-piece' as const,
    });
    expect(meant('Luffy OP05-119', luffy('OP05', 'OP05-119'))).toBe('luffy');
    expect(meant('Luffy OP05-119', luffy('OP-05', 'OP05-119'))).toBe('luffy');
    expect(meant('Luffy OP05-119', luffy('OP06', 'OP05-119'))).toBe('set_unknown');
    expect(meant('Luffy SWSH066', luffy(null, 'SWSH066', 'SWSH Star'))).toBe('luffy');
    expect(meant('Luffy SWSH066', luffy(null, 'SWSH066', 'Star'))).toBe('set_unknown');
    expect(meant('Luffy H066', luffy(null, 'H066', 'H Star'))).toBe('set_unknown');
  });

  test('is not meant by words of another card, another printing or another set', () => {
    const others = [pokemon('muk', 'Fossil', '5', 'Muk'), pokemon('ditto', 'Fossil', '6', 'Ditto')];
    expect(meant('Jungle Clefable 4/64', clefable('card'), ...others)).toBe('card');
    expect(meant('Jungle Clefable Muk 4/64', clefable('card'), ...others)).toBe('card_unknown');
    expect(meant('Jungle Clefable Shadowless 4/64', clefable('card'), ...others)).toBe('variation_unknown');
    expect(meant('Jungle Clefable Fossil 4/64', clefable('card'), ...others)).toBe('set_unknown');
    expect(meant('Jungle Clefable VMAX 4/64', clefable('card'), ...others)).toBe('card_unknown');
    expect(meant('Jungle Clefable Zed 4/64', clefable('card'), clefable('zed', { variation: 'Zed' }))).toBe('zed');
    expect(
      meant(
        'Jungle Clefable Zed 5/64',
        pokemon('five', 'Jungle', '5', 'Clefable'),
        clefable('z', { variation: 'Zed' }),
      ),
    ).toBe('variation_unknown');
  });

  test('that is a promo may be named with the set and the product that it came with', () => {
    const promo = pokemon('promo', 'SWSH Black Star Promos', 'SWSH066', 'Charizard');
    const fossil = pokemon('muk', 'Fossil', '5', 'Weezing');
    expect(meant('SWSH Black Star Promos SWSH066 Charizard Fossil Premium', promo, fossil)).toBe('promo');
    expect(meant('Jungle Clefable Premium 4/64', clefable('card'), fossil)).toBe('variation_unknown');
  });

  test('of a set is not meant by the next set of the name', () => {
    for (const next of ['2', '9', 'II', 'III', 'IV'])
      expect(meant(`Jungle ${next} Clefable 4/64`, clefable('card')), next).toBe('set_unknown');
    expect(meant('2 Jungle Clefable 4/64', clefable('card'))).toBe('card');
    expect(meant('Jungle 2 Clefable 4/64', pokemon('two', 'Jungle 2', '4', 'Clefable'))).toBe('two');
    expect(meant('Jungle 4 Clefable', clefable('card'))).toBe('card');
  });

  test('of 1st Edition may be called shadowless, one without holo "non-holo"', () => {
    const first = clefable('first', { variation: '1st Edition', rarity: 'Rare' });
    expect(meant('Jungle Clefable 1st Edition Shadowless 4/64', first)).toBe('first');
    expect(meant('Jungle Clefable non-holo 4/64', clefable('card', { rarity: 'Rare' }))).toBe('card');
    expect(meant('Jungle Clefable non-holo 4/64', clefable('card', { rarity: 'Rare Holo' }))).toBe('variation_unknown');
    expect(meant('Jungle Clefable non-holo 4/64', clefable('card'))).toBe('variation_unknown');
    expect(meant('Jungle Clefable non-holo holo 4/64', clefable('card', { rarity: 'Rare', variation: 'Holo' }))).toBe(
      'variation_unknown',
    );
  });
});
