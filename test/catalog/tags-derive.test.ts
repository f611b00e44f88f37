import { describe, expect, test } from 'vitest';
import type { Game } from '../../src/catalog/games.ts';
import { tagsOfItem } from '../../src/catalog/tags/derive.ts';
import { aliasesOf } from '../../src/catalog/tags/derive-aliases.ts';
import { NO_ROSTER, rosterOf } from '../../src/catalog/tags/derive-characters.ts';
import type { TagSource } from '../../src/catalog/tags/tag.ts';

function card(game: Game, details: Partial<TagSource> = {}): TagSource {
  return {
    game,
    name: 'Card',
    printed_name: null,
    language: 'English',
    variation: null,
    rarity: null,
    year: null,
    facts: {},
    ...details,
  };
}

function slugs(kind: string, item: TagSource, others: TagSource[] = []): string[] {
  const roster = rosterOf(item.game, [item, ...others]);
  return tagsOfItem(item, roster)
    .filter((tag) => tag.kind === kind)
    .map((tag) => tag.slug);
}

describe('a character', () => {
  test.each<[Game, string, string[]]>([
    ['pokemon', 'Charizard ex', ['charizard']],
    ['pokemon', 'Dark Charizard', ['charizard']],
    ['pokemon', 'Mega Charizard X ex', ['charizard']],
    ['pokemon', 'Alolan Raichu', ['raichu']],
    ['pokemon', "Rocket's Mewtwo", ['mewtwo']],
    ['pokemon', 'Pikachu & Zekrom-GX', ['pikachu', 'zekrom']],
    ['pokemon', 'Nidoran ♀', ['nidoran-female']],
    ['pokemon', 'Professor Oak', []],
  ])('of %s comes from the name "%s" where the catalog lists none', (game, name, expected) => {
    expect(slugs('character', card(game, { name }))).toEqual(expected);
  });

  test('of a trainer card is not the species in its name', () => {
    expect(slugs('character', card('pokemon', { name: 'Pikachu Figurine', facts: { cardKind: 'Trainer' } }))).toEqual(
      [],
    );
  });

  test.each<[Game, string, string[]]>([
    ['digimon', 'WarGreymon (X Antibody)', ['wargreymon']],
    ['digimon', 'Imperialdramon: Fighter Mode', ['imperialdramon']],
    ['digimon', 'Agumon - Bond of Bravery', ['agumon']],
    ['digimon', 'Omnimon X (Anti-body)', ['omnimon']],
    ['digimon', 'Shoutmon X7: Superior Mode', ['shoutmon-x7']],
    ['digimon', 'Tommy, Takuya, & Zoe', ['tommy', 'takuya', 'zoe']],
    ['digimon', 'Koh &amp; Sayo', ['koh', 'sayo']],
    ['lorcana', 'Lilo & Stitch', ['lilo', 'stitch']],
    ['lorcana', 'Fix-It Felix, Jr.', ['fix-it-felix-jr']],
    ['gundam', 'Orga, Crot, and Shani', ['orga', 'crot', 'shani']],
    ['mtg', 'Ran and Shaw', ['ran-and-shaw']],
    ['one-piece', 'Gloriosa (Grandma Nyon)', ['gloriosa']],
    ['sports', 'Ken Griffey, Jr. AS', ['ken-griffey-jr']],
    ['sports', '1980 Passing Leaders', []],
    ['sports', 'Division Series Highlights: Will Clark', []],
  ])('of %s in the words "%s" is one for each, forms folded', (game, character, expected) => {
    expect(slugs('character', card(game, { facts: { characters: [character] } }))).toEqual(expected);
  });

  test.each([
    ["Char's Gelgoog", ['gelgoog']],
    ["Zechs' Leo", ['leo']],
    ["Z'Gok E", ['z-gok-e']],
    ['Guncannon (108) & Guncannon (109)', ['guncannon']],
    ['Unicorn Gundam (Destroy Mode)', ['unicorn-gundam']],
  ])('of a Gundam unit "%s" is the machine', (name, expected) => {
    expect(slugs('character', card('gundam', { name, facts: { cardKind: 'Unit' } }))).toEqual(expected);
  });

  test('of Riftbound is the champion, also by a legend’s title alone', () => {
    const jinx = card('riftbound', { name: 'Jinx - Loose Cannon', facts: { cardKind: 'Legend' } });
    const legend = (name: string) => card('riftbound', { name, facts: { cardKind: 'Legend' } });
    const unit = (name: string) => card('riftbound', { name, facts: { cardKind: 'Unit' } });
    expect(slugs('character', legend('Loose Cannon'), [jinx])).toEqual(['jinx']);
    expect(slugs('character', legend('Loose Cannon - Starter'), [jinx])).toEqual(['jinx']);
    expect(slugs('character', legend('Dark Child - Starter'), [jinx])).toEqual([]);
    expect(slugs('character', unit('Jinx, Rebel'), [jinx])).toEqual(['jinx']);
    expect(slugs('character', unit('Baron Nashor'), [jinx])).toEqual([]);
  });

  test('of One Piece that is short next to a partner is the one whose name that is', () => {
    const named = (character: string) => card('one-piece', { facts: { characters: [character] } });
    const roster = ['Portgas.D.Ace', 'Edward.Newgate', 'Sanji', 'Vinsmoke Sanji', 'Eustass"Captain"Kid'].map(named);
    expect(slugs('character', named('Ace & Newgate'), roster)).toEqual(['portgas-d-ace', 'edward-newgate']);
    expect(slugs('character', named('Kid & Killer'), roster)).toEqual(['eustass-captain-kid', 'killer']);
    expect(slugs('character', named('Vinsmoke Sanji'), roster)).toEqual(['vinsmoke-sanji']);
    expect(slugs('character', named('Roronoa Zoro & Sanji'), roster)).toEqual(['roronoa-zoro', 'sanji']);
  });
});

describe('another name of a character', () => {
  const pikachu = (language: TagSource['language'], name: string, printedName: string | null = null) =>
    card('pokemon', { language, name, printed_name: printedName, facts: { characters: ['Pikachu'] } });

  test('is what printings in another language call it, not with a suffix or an owner', () => {
    const items = [
      pikachu('Japanese', 'ピカチュウ'),
      pikachu('Japanese', 'ピカチュウex'),
      pikachu('Japanese', 'カスミのピカチュウ'),
      pikachu('Korean', '피카츄'),
      pikachu('French', 'Surfing Pikachu', 'Pikachu surfeur'),
      pikachu('German', 'Pikachu'),
    ];
    expect(aliasesOf(items, NO_ROSTER)).toEqual(new Map([['pikachu', ['ピカチュウ', '피카츄']]]));
    const glurak = card('pokemon', {
      language: 'German',
      name: 'Charizard',
      printed_name: 'Glurak',
      facts: { characters: ['Charizard'] },
    });
    expect(aliasesOf([glurak], NO_ROSTER).get('charizard')).toEqual(['Glurak']);
  });

  test('is for each language the one that most printings have', () => {
    const items = [pikachu('Japanese', 'ピカ'), pikachu('Japanese', 'ピカチュウ'), pikachu('Japanese', 'ピカチュウ')];
    expect(aliasesOf(items, NO_ROSTER).get('pikachu')).toEqual(['ピカチュウ']);
  });

  test('of One Piece is what follows the D., or the last word where nobody else has it', () => {
    const items = ['Monkey.D.Luffy', 'Roronoa Zoro', 'Sanji', 'Vinsmoke Sanji', 'Baby 5'].map((name) =>
      card('one-piece', { facts: { characters: [name] } }),
    );
    expect(aliasesOf(items, rosterOf('one-piece', items))).toEqual(
      new Map([
        ['monkey-d-luffy', ['luffy']],
        ['roronoa-zoro', ['zoro']],
      ]),
    );
  });

  test('of Lorcana is before the dash', () => {
    const genie = card('lorcana', {
      language: 'Italian',
      name: 'Genie - Of the Lamp',
      printed_name: 'Genio - Della Lampada',
      facts: { characters: ['Genie'] },
    });
    expect(aliasesOf([genie], NO_ROSTER).get('genie')).toEqual(['Genio']);
  });
});

describe('a treatment', () => {
  test.each<[Game, string | null, string | null, string[]]>([
    ['pokemon', null, 'Holo Rare', ['holo']],
    ['pokemon', 'Reverse Holo', 'Holo Rare', ['reverse-holo']],
    ['pokemon', 'Set Logo Stamp Non-Holo', 'Holo Rare', ['stamped']],
    ['pokemon', '1st Edition', 'Rare Holo', ['1st-edition', 'holo']],
    ['pokemon', 'Master Ball Reverse Holo', 'Common', ['reverse-holo', 'master-ball']],
    ['pokemon', null, 'Special illustration rare', ['full-art']],
    ['pokemon', null, 'Rare', []],
    ['one-piece', 'Manga Art', 'Secret Rare', ['manga', 'secret']],
    ['one-piece', 'Alternate Art 2', 'Leader', ['alt-art']],
    ['sports', 'Gold Refractor /50', null, ['refractor', 'numbered', 'gold']],
    ['sports', 'Superfractor 1/1', null, ['refractor', 'superfractor', 'numbered', 'one-of-one']],
    ['sports', 'Choice Red Prizm /11', null, ['prizm', 'numbered']],
    ['lorcana', 'Enchanted', 'Enchanted', ['enchanted']],
    ['digimon', 'Parallel 1', 'P', ['parallel', 'promo']],
    ['digimon', null, 'SEC', ['secret']],
    ['riftbound', 'Overnumbered', 'Showcase', ['overnumbered', 'showcase']],
    ['mtg', 'Etched Foil', 'Rare', ['etched-foil', 'foil']],
    ['yugioh', 'Ultimate Rare 1st Edition', 'Ultimate Rare', ['1st-edition', 'ultimate-rare']],
    ['gundam', 'LR++', 'LR++', ['parallel']],
    ['gundam', null, 'P', ['promo']],
  ])('of %s comes from variation %s and rarity %s', (game, variation, rarity, expected) => {
    expect(slugs('treatment', card(game, { variation, rarity }))).toEqual(expected);
  });
});

describe('derived tags', () => {
  test('belong to the game, or are global where they mean the same in every game', () => {
    const item = card('pokemon', {
      name: 'Charizard',
      year: 1999,
      rarity: 'Rare Holo',
      facts: { characters: ['Charizard'], types: ['Fire'], colors: ['red'], artist: 'Mitsuhiro Arita', team: 'Rocket' },
    });
    expect(tagsOfItem(item, NO_ROSTER)).toEqual([
      { kind: 'character', slug: 'charizard', name: 'Charizard', game: 'pokemon' },
      { kind: 'type', slug: 'fire', name: 'Fire', game: 'pokemon' },
      { kind: 'color-identity', slug: 'red', name: 'Red', game: 'pokemon' },
      { kind: 'rarity', slug: 'holo-rare', name: 'Holo Rare', game: 'pokemon' },
      { kind: 'team', slug: 'rocket', name: 'Rocket', game: 'pokemon' },
      { kind: 'artist', slug: 'mitsuhiro-arita', name: 'Mitsuhiro Arita', game: null },
      { kind: 'year', slug: '1999', name: '1999', game: null },
      { kind: 'treatment', slug: 'holo', name: 'Holo', game: null },
    ]);
  });

  test('name two artists of one picture, and a child without the age', () => {
    const of = (artist: string) => slugs('artist', card('mtg', { facts: { artist } }));
    expect(of('Zoltan Boros & Gabor Szikszai')).toEqual(['zoltan-boros', 'gabor-szikszai']);
    expect(of('Jeremy Adams / Jaime Puga')).toEqual(['jeremy-adams', 'jaime-puga']);
    expect(of('Kira, age 5½')).toEqual(['kira']);
  });

  test('keep a plus of a rarity and spell codes out', () => {
    expect(slugs('rarity', card('gundam', { rarity: 'LR++' }))).toEqual(['legend-rare-plus-plus']);
    expect(slugs('rarity', card('digimon', { rarity: 'SEC' }))).toEqual(['secret-rare']);
    expect(slugs('rarity', card('pokemon', { rarity: 'Double rare' }))).toEqual(['double-rare']);
    expect(slugs('type', card('lorcana', { facts: { types: ['seven_dwarfs'] } }))).toEqual(['seven-dwarfs']);
  });

  test('leave out a name that folds to nothing or is too long', () => {
    expect(slugs('artist', card('pokemon', { facts: { artist: '青木' } }))).toEqual([]);
    expect(slugs('artist', card('pokemon', { facts: { artist: 'a'.repeat(121) } }))).toEqual([]);
  });
});
