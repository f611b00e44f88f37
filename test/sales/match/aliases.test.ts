import { describe, expect, test } from 'vitest';
import type { Game } from '../../../src/catalog/games.ts';
import { textWords } from '../../../src/catalog/words/compare.ts';
import { says, type TitleAlias } from '../../../src/sales/match/aliases.ts';
import { buildMatchIndex } from '../../../src/sales/match/match-index.ts';
import { matchTitle } from '../../../src/sales/match/match-title.ts';
import { readTitle } from '../../../src/sales/match/read-title.ts';
import { pokemon } from './match-cards.ts';

const CATALOG = [
  pokemon('skies', 'Evolving Skies', '215', 'Umbreon VMAX'),
  pokemon('skies-rayquaza', 'Evolving Skies', '218', 'Rayquaza VMAX'),
  pokemon('storm', 'Evolving Storm', '215', 'Umbreon VMAX'),
  pokemon('base', 'Base Set', '4', 'Charizard'),
  pokemon('coded', 'SV2a', '6', 'Charizard ex', { setCode: 'SV2a' }),
  { ...pokemon('other', 'Evolving Skies', '215', 'Umbreon VMAX'), id: 'lorcana', game: 'lorcana' as const },
];
const alias = (said: string, meant: string, game: Game = 'pokemon', decision = 1): TitleAlias => ({
  decision,
  game,
  said: textWords(said),
  meant: textWords(meant),
});
const skies = alias('evo skies', 'Evolving Skies');
const moonbreon = alias('moonbreon', 'Umbreon VMAX');

function meaning(title: string, aliases: TitleAlias[]): string {
  const match = matchTitle(readTitle(title), buildMatchIndex(CATALOG, aliases));
  return match.matched ? match.itemId : match.reason;
}

describe('aliases of titles', () => {
  test.each<[string, TitleAlias[], string]>([
    ['Pokemon Umbreon VMAX 215/203 Evo Skies PSA 10', [], 'set_unknown'],
    ['Pokemon Umbreon VMAX 215/203 Evo Skies PSA 10', [skies], 'skies'],
    ['Pokemon EVO-SKIES Rayquaza VMAX #218 PSA 9', [skies], 'skies-rayquaza'],
    // All the words, in a row.
    ['Pokemon Umbreon VMAX 215/203 Evo PSA 10', [skies], 'set_unknown'],
    ['Pokemon Umbreon VMAX 215/203 Skies Evo PSA 10', [skies], 'set_unknown'],
    ['Pokemon Umbreon VMAX 215/203 Evo Blue Skies PSA 10', [skies], 'set_unknown'],
    // A card, and both.
    ['Pokemon Moonbreon 215/203 Evolving Skies PSA 10', [], 'card_unknown'],
    ['Pokemon Moonbreon 215/203 Evolving Skies PSA 10', [moonbreon], 'skies'],
    ['Pokemon Moonbreon 215/203 Evo Skies PSA 10', [moonbreon, skies], 'skies'],
    // The rest of the title must fit as before.
    ['Pokemon Moonbreon 216/203 Evolving Skies PSA 10', [moonbreon], 'card_unknown'],
    ['Pokemon Moonbreon 215/203 Evolving Skies 1st Edition PSA 10', [moonbreon], 'variation_unknown'],
    ['Pokemon Moonbreon Lot 215/203 Evolving Skies PSA 10', [moonbreon], 'lot'],
    // A set that is called by its code.
    ['Pokemon Charizard ex #006 Kanto PSA 10', [alias('kanto', 'SV2a')], 'coded'],
    // The longest counts.
    ['Pokemon Umbreon VMAX 215/203 Evo Skies PSA 10', [alias('evo', 'Evolving Storm'), skies], 'skies'],
  ])('%s, with %j: %s', (title, aliases, expected) => {
    expect(meaning(title, aliases)).toBe(expected);
  });

  test('are of their game, which a title without a game is of', () => {
    expect(meaning('Lorcana Umbreon VMAX 215/203 Evo Skies PSA 10', [skies])).toBe('set_unknown');
    expect(meaning('Umbreon VMAX 215/203 Evo Skies PSA 10', [skies])).toBe('skies');
  });

  test('of two games in a title without a game mean nothing', () => {
    const ofLorcana = alias('moonbreon', 'Umbreon VMAX', 'lorcana');
    expect(meaning('Moonbreon 215/203 Evo Skies PSA 10', [ofLorcana, skies])).toBe('card_unknown');
  });

  test.each<[string, number | null]>([
    ['Pokemon Umbreon VMAX 215/203 Evolving Skies PSA 10', null],
    ['Pokemon Umbreon VMAX 215/203 Evo Skies PSA 10', 7],
    ['Pokemon Moonbreon 215/203 Evolving Skies PSA 10', 5],
    ['Pokemon Moonbreon 215/203 Evo Skies PSA 10', 7],
  ])('%s is matched by decision %s', (title, decision) => {
    const taught = [
      alias('moonbreon', 'Umbreon VMAX', 'pokemon', 5),
      alias('evo skies', 'Evolving Skies', 'pokemon', 7),
    ];
    expect(matchTitle(readTitle(title), buildMatchIndex(CATALOG, taught))).toMatchObject({ aliasDecision: decision });
  });

  test.each<[string, boolean]>([
    ['Umbreon VMAX Evo Skies PSA 10', true],
    ['Pokemon Umbreon VMAX EVO-SKIES PSA 10', true],
    ['Lorcana Umbreon VMAX Evo Skies PSA 10', false],
    ['Pokemon Umbreon VMAX Skies Evo PSA 10', false],
    ['Pokemon Umbreon VMAX PSA 10 Evo', false],
  ])('%s says "evo skies": %s', (title, said) => {
    expect(says(readTitle(title), skies)).toBe(said);
  });

  test('change no title that means a card without them', () => {
    const wrong = alias('skies', 'Storm');
    expect(meaning('Pokemon Umbreon VMAX 215/203 Evolving Skies PSA 10', [wrong])).toBe('skies');
  });
});
