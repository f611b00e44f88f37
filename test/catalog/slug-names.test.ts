import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/catalog/languages.ts';
import { itemSegment, itemStem } from '../../src/catalog/slug.ts';

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
