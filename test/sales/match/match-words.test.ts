import { describe, expect, test } from 'vitest';

/** Imported in each test: a table that cannot be read is a fault of the test. */
const words = async () => ({
  ...(await import('../../../src/catalog/words/compare.ts')),
  ...(await import('../../../src/catalog/words/named.ts')),
  ...(await import('../../../src/sales/match/words.ts')),
});

describe('a word', () => {
  test.each([
    ['first', '1st'],
    ['ed', 'edition'],
    ['edt', 'edition'],
    ['foil', 'holo'],
    ['holofoil', 'holo'],
    ['holographic', 'holo'],
    ['nonfoil', 'nonholo'],
    ['rev', 'reverse'],
    ['autograph', 'auto'],
    ['autographs', 'auto'],
    ['autographed', 'auto'],
    ['alternate', 'alt'],
    ['alternative', 'alt'],
    ['artwork', 'art'],
    ['univ', 'university'],
    ['coll', 'collection'],
    ['rockets', 'rocket'],
    ['cards', 'card'],
    ['boss', 'boss'],
    ['gas', 'gas'],
    ['gems', 'gem'],
    ['charizard', 'charizard'],
  ])('%s is compared as %s', async (word, canonical) => {
    expect((await words()).canonicalWord(word)).toBe(canonical);
  });

  test.each([
    ["Team Rocket's Mewtwo", ['team', 'rocket', 'mewtwo']],
    ['X-Fractor', ['xfractor']],
    ['x fractor', ['xfractor']],
    ['Non-Holo', ['nonholo']],
    ['non foil', ['nonholo']],
    ['Nonholo', ['nonholo']],
    ['nonholographic', ['nonholo']],
    ['Pre-Release', ['prerelease']],
    ['pre release', ['prerelease']],
    ['Old Border', ['retro', 'border']],
    ['old-frame', ['retro', 'frame']],
    ['Old Maid', ['old', 'maid']],
    ['Bowman U', ['bowman', 'university']],
    ['Bowman Chrome U', ['bowman', 'chrome', 'university']],
    ['Scarlet & Violet', ['sv']],
    ['scarlet and violet', ['sv']],
    ['Scarlet Violet', ['sv']],
    ['S&V', ['sv']],
    ['ScarletViolet SwordShield SunMoon Black&White', ['sv', 'swsh', 'sm', 'bw']],
    ['DiamondPearl HeartGoldSoulSilver Sword Shield', ['dp', 'hgss', 'swsh']],
    ['Sword & Shield', ['swsh']],
    ['Sword and Shield', ['swsh']],
    ['Sun & Moon', ['sm']],
    ['Sun Moon', ['sm']],
    ['Black & White', ['bw']],
    ['Black and White', ['bw']],
    ['Black White', ['black', 'white']],
    ['Diamond & Pearl', ['dp']],
    ['Diamond Pearl', ['dp']],
    ['HeartGold SoulSilver', ['hgss']],
    ['HeartGold & SoulSilver', ['hgss']],
  ])('%j is read as %j', async (text, expected) => {
    expect((await words()).textWords(text)).toEqual(expected);
  });

  test.each([
    ['OP05-119', 'op5119'],
    ['004', '4'],
    ['SWSH066', 'swsh66'],
    ['2†', '2dagger'],
    ['100', '100'],
    ['1001', '1001'],
    ['0', '0'],
    ['5*', '5star'],
    ['5★', '5star'],
  ])('the number %s is compared as %s', async (number, key) => {
    expect((await words()).numberKey(number)).toBe(key);
  });

  test.each([
    ['OP01-003', 'op1-3'],
    ['op01 003', 'op1-3'],
    ['SWSH066', 'swsh66'],
    ['100', '100'],
    ['*', 'star'],
    ['リ', ''],
  ])('the number %s is looked up as %j', async (number, text) => {
    expect((await words()).numberText(number)).toBe(text);
  });
});

describe('a language', () => {
  test.each([
    ['japanese japan jpn jap jp', 'Japanese'],
    ['english eng en', 'English'],
    ['korean korea kor kr', 'Korean'],
    ['french francais', 'French'],
    ['german deutsch', 'German'],
    ['italian italiano', 'Italian'],
    ['spanish espanol', 'Spanish'],
    ['portuguese portugues', 'Portuguese'],
    ['chinese chn', 'Chinese'],
    ['zhs', 'Chinese Simplified'],
    ['zht', 'Chinese Traditional'],
    ['thai thailand', 'Thai'],
    ['indonesian indonesia', 'Indonesian'],
    ['dutch', 'Dutch'],
    ['polish', 'Polish'],
    ['russian', 'Russian'],
  ])('is named by %s: %s', async (all, language) => {
    const { isLanguageWord, languagesIn } = await words();
    for (const word of all.split(' ')) {
      expect(languagesIn(`charizard ${word} base`), word).toEqual([language]);
      expect(isLanguageWord(word), word).toBe(true);
      expect(languagesIn(`x${word} ${word}x`), word).toEqual([]);
    }
  });

  test.each([
    ['simplified chinese', ['Chinese Simplified']],
    ['chinese simplified', ['Chinese Simplified']],
    ['s-chinese', ['Chinese Simplified']],
    ['s chinese', ['Chinese Simplified']],
    ['traditional chinese', ['Chinese Traditional']],
    ['chinese traditional', ['Chinese Traditional']],
    ['t-chinese', ['Chinese Traditional']],
    ['t chinese', ['Chinese Traditional']],
    ['japanese or english', ['Japanese', 'English']],
    ['chinese or japanese', ['Japanese', 'Chinese']],
    ['charizard', []],
  ])('%j names %j', async (text, languages) => {
    expect((await words()).languagesIn(text)).toEqual(languages);
  });
});

describe('a game', () => {
  test.each<[string, string | null]>([
    ['magic the gathering', 'mtg'],
    ['mtg', 'mtg'],
    ['yu gi oh', 'yugioh'],
    ['yugi oh', 'yugioh'],
    ['yu gioh', 'yugioh'],
    ['yugioh', 'yugioh'],
    ['ygo', 'yugioh'],
    ['one piece', 'one-piece'],
    ['opcg', 'one-piece'],
    ['poke mon', 'pokemon'],
    ['pokemon', 'pokemon'],
    ['ptcg', 'pokemon'],
    ['digimon', 'digimon'],
    ['lorcana', 'lorcana'],
    ['riftbound', 'riftbound'],
    ['gundam', 'gundam'],
    ['sports card', 'sports'],
    ...['topps', 'bowman', 'panini', 'donruss', 'prizm', 'fleer', 'upper deck', 'skybox', 'hoops'].map(
      (maker): [string, string] => [maker, 'sports'],
    ),
    ...['nba', 'nfl', 'mlb', 'nhl', 'wnba', 'ufc'].map((league): [string, string] => [league, 'sports']),
    ['topps pokemon', 'pokemon'],
    ['charizard', null],
    ['xpokemonx', null],
    ['xtoppsx', null],
  ])('%j is of %s', async (text, game) => {
    expect((await words()).gameIn(`a ${text} card`)).toBe(game);
  });
});

describe('a mark, which makes it another printing', () => {
  test.each([
    ['pokemon', ['1st', 'shadowless', 'reverse', 'promo', 'stamp'], ['holo', 'refractor', 'alt', 'gold', 'retro']],
    ['sports', ['refractor', 'gold', 'prizm', 'holo', 'mini'], ['1st', 'shadowless', 'rookie']],
    ['mtg', ['holo', 'retro', 'etched', 'borderless'], ['gold', 'alt']],
    ['lorcana', ['holo', 'enchanted'], ['alt', 'retro']],
    ['riftbound', ['holo', 'alt', 'overnumbered', 'signature'], ['retro']],
    ['one-piece', ['alt', 'sp', 'manga', 'wanted'], ['holo']],
    ['digimon', ['alt'], ['holo', 'sp']],
    ['gundam', ['alt'], ['holo', 'sp']],
    ['yugioh', ['ultra', 'secret', 'starlight', 'quarter', 'platinum'], ['alt', 'rare']],
  ] as const)('of %s', async (game, marks, others) => {
    const { isMark } = await words();
    for (const word of marks) expect(isMark(word, game), word).toBe(true);
    for (const word of others) expect(isMark(word, game), word).toBe(false);
  });
});

test('only Pokémon have words that make a name another card', async () => {
  const { isNameModifier } = await words();
  for (const word of ['dark', 'light', 'mega', 'vmax', 'gx', 'ex', 'alolan', 'legend']) {
    expect(isNameModifier(word, 'pokemon'), word).toBe(true);
    expect(isNameModifier(word, 'yugioh'), word).toBe(false);
  }
  expect(isNameModifier('charizard', 'pokemon')).toBe(false);
});

test('words that say nothing, generic words of sets, words of products and of eras are known', async () => {
  const { ERA_WORDS, GENERIC_SET_WORDS, isNoise, isProductWord } = await words();
  for (const word of ['the', 'rookie', 'psa', 'rare', 'short']) expect(isNoise(word), word).toBe(true);
  for (const word of ['charizard', 'shadowless', '']) expect(isNoise(word), word).toBe(false);
  for (const word of ['premium', 'promo', 'prerelease']) expect(isProductWord(word), word).toBe(true);
  expect(isProductWord('staff')).toBe(false);
  expect([...ERA_WORDS]).toEqual(['sv', 'swsh', 'sm', 'xy', 'bw', 'dp', 'hgss']);
  for (const word of ['the', 'panini', 'soccer', 'pack']) expect(GENERIC_SET_WORDS.has(word), word).toBe(true);
  for (const word of ['jungle', '']) expect(GENERIC_SET_WORDS.has(word), word).toBe(false);
});

test('teams and phrases whose words are not a parallel are known as a whole', async () => {
  const { HARMLESS_PHRASES } = await words();
  const left = (text: string) => text.replace(HARMLESS_PHRASES, '');
  for (const phrase of [
    'red sox',
    'blue jay',
    'blue jays',
    'blackhawks',
    'black hawks',
    'red bull',
    'red wing',
    'red wings',
    'reds',
    'black star',
  ])
    expect(left(`x ${phrase} y`), phrase).toBe('x  y');
  for (const text of ['red soxer', 'infrared sox', 'red', 'blue']) expect(left(text), text).toBe(text);
});
