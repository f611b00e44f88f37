/**
 * Sixty-two questions that people ask, each with the calls of tools that answer it and the answer that the demo's data give: its
 * catalog file, the values that its sales are simulated around, its simulated grader. Written from those, not from answers.
 */

/** What the answer has to be. Cards are named by their ids in the demo catalog. */
export type Expected =
  /** Words that leave one printing. */
  | { one: string }
  /** Words that fit these printings and no other; every one of them, up to ten. */
  | { several: RegExp }
  | { none: true }
  /** A price at a grade: of this card, and near what its sales were simulated around. */
  | { priced: string; company: string; grade: string; label: string }
  /** No price, because of what these words say. */
  | { noPrice: string; because: RegExp }
  | { everyGradeOf: string }
  /** So many days up to the close, and as many sales as the ledger counts. */
  | { historyOf: string; gradeKey: string; days: number; points: number }
  | { madeOf: string; gradeKey: string }
  | { receiptOf: string; gradeKey: string }
  /** What the simulated grader says of the cert. */
  | { slab: 'priced' | 'deactivated' | 'not_ingested' }
  | { lines: readonly (string | { several: RegExp } | { not: RegExp })[] }
  | { indexOf: string }
  | { everyIndex: true }
  | { accuracyBy: 'all' | 'game' };

export type Question = { ask: string; tool: string; sent: Record<string, unknown>; expected: Expected };

const find = (ask: string, words: string, expected: Expected, game?: string): Question => ({
  ask,
  tool: 'find_card',
  sent: { words, ...(game ? { game } : {}) },
  expected,
});
const price = (ask: string, card: string, grade: string | undefined, expected: Expected): Question => ({
  ask,
  tool: 'price',
  sent: { card, ...(grade ? { grade } : {}) },
  expected,
});
const slab = (cert: string, expected: 'priced' | 'deactivated' | 'not_ingested'): Question => ({
  ask: `What is the slab ${cert}?`,
  tool: 'slab',
  sent: { cert },
  expected: { slab: expected },
});

const BASE_CHARIZARDS = /^pokemon\/base1\/4\/charizard(\/|$)/;

export const QUESTIONS: readonly Question[] = [
  // Words that leave one printing.
  find('First edition English Base Set Charizard?', 'Charizard Base Set 1st Edition English', {
    one: 'pokemon/base1/4/charizard/1st-edition',
  }),
  find('Shadowless Charizard?', 'shadowless charizard', { one: 'pokemon/base1/4/charizard/shadowless' }),
  find('Unlimited English Charizard?', 'Charizard 4/102 Base Set unlimited English', {
    one: 'pokemon/base1/4/charizard',
  }),
  find('German first edition Charizard?', 'Charizard Base Set German 1st edition', {
    one: 'pokemon/base1/4/charizard/german/1st-edition',
  }),
  find('Japanese Charizard without a rarity symbol?', 'charizard expansion pack no rarity symbol', {
    one: 'pokemon/expansion-pack/charizard/japanese/no-rarity-symbol',
  }),
  find('The green portrait of Ty Cobb?', 'T206 Ty Cobb green portrait', {
    one: 'sports/1909-11-t206/ty-cobb/green-portrait',
  }),
  find('Jordan’s 1986 Fleer rookie, not the sticker?', 'Michael Jordan 1986 Fleer 57', {
    one: 'sports/1986-fleer-basketball/57/michael-jordan',
  }),
  find('The manga art of Luffy from OP05 in English?', 'Luffy OP05-119 manga art English', {
    one: 'one-piece/OP05/op05-119/monkey-d-luffy/manga-art',
  }),
  find('Black Lotus of Unlimited Edition?', 'Black Lotus Unlimited Edition', { one: 'mtg/2ed/black-lotus' }),
  find('Italian Moat?', 'Moat Legends Italian', { one: 'mtg/leg/moat/italian' }),
  find('The ghost rare of Stardust Dragon?', 'Stardust Dragon TDGS-EN040 ghost rare', {
    one: 'yugioh/TDGS/tdgs-en040/stardust-dragon/ghost-rare',
  }),
  find('Kobe’s refractor?', 'Kobe Bryant 1996-97 Topps Chrome refractor', {
    one: 'sports/1996-topps-chrome-basketball/138/kobe-bryant/refractor',
  }),
  find('The signature Nine-Tailed Fox?', 'Nine-Tailed Fox signature', {
    one: 'riftbound/OGN/303-star/nine-tailed-fox/signature',
  }),
  find('Chinese Kai’Sa?', "Kai'Sa Survivor Origins 039 Chinese", {
    one: 'riftbound/OGN/039/kai-sa-survivor/chinese-simplified',
  }),
  find('Honus Wagner?', 'Honus Wagner T206', { one: 'sports/1909-11-t206/honus-wagner' }),
  find('Pikachu of the Grey Felt Hat?', 'Pikachu with Grey Felt Hat', {
    one: 'pokemon/svp/085/pikachu-with-grey-felt-hat',
  }),
  // Words that several printings fit.
  find('Base Set Charizard?', 'Charizard 4 Base Set', { several: BASE_CHARIZARDS }),
  find('First edition Charizard of the Base Set?', 'Charizard Base Set 1st Edition', {
    several: /^pokemon\/base1\/4\/charizard\/(1st-edition|french\/1st-edition|german\/1st-edition)$/,
  }),
  find('Black Lotus?', 'black lotus', { several: /^mtg\/(lea|leb|2ed)\/black-lotus$/ }),
  find('Luffy OP05-119?', 'Luffy OP05-119', { several: /^one-piece\/OP05\/op05-119\/monkey-d-luffy(\/|$)/ }),
  find('Ty Cobb T206?', 'Ty Cobb T206', { several: /^sports\/1909-11-t206\/ty-cobb\// }),
  find('Babe Ruth of 1933 Goudey?', 'Babe Ruth 1933 Goudey', { several: /^sports\/1933-goudey\/(53|144)\/babe-ruth$/ }),
  find('Gretzky’s rookie of 1979?', 'Wayne Gretzky 1979-80', {
    several: /^sports\/1979-(opc|topps)-hockey\/18\/wayne-gretzky$/,
  }),
  find('Charizard?', 'Charizard', { several: /^pokemon\/.*charizard/ }),
  find('Stardust Dragon?', 'Stardust Dragon', { several: /^yugioh\/TDGS\/tdgs-en040\/stardust-dragon(\/|$)/ }),
  find('Wing Gundam Zero?', 'Wing Gundam Zero GD01-024', {
    several: /^gundam\/GD01\/gd01-024\/wing-gundam-zero(\/|$)/,
  }),
  find('Freedom Gundam of Newtype Rising?', 'Freedom Gundam Newtype Rising', {
    several: /^gundam\/GD01\/gd01-065\/freedom-gundam(\/|$)/,
  }),
  // Words that no card of the demo fits: nothing near is passed off as the card.
  find('Pikachu Illustrator?', 'Pikachu Illustrator', { none: true }),
  find('A Shadowless Gyarados, which the catalog does not have?', 'Gyarados Base Set Shadowless', { none: true }),
  find('A Spanish Charizard?', 'Charizard Base Set Spanish', { none: true }),
  find('Number 5 of a Charizard that is number 4?', 'Charizard 5 Base Set', { none: true }),
  find('A name that no card has?', 'Zorblax the Unheard', { none: true }),
  find('Black Lotus, among Pokémon?', 'Black Lotus', { none: true }, 'pokemon'),
  // Prices, graded and ungraded.
  price('Unlimited Charizard in PSA 10?', 'Charizard 4 Base Set unlimited English', 'PSA 10', {
    priced: 'pokemon/base1/4/charizard',
    ...{ company: 'PSA', grade: '10', label: 'PSA 10' },
  }),
  price('First edition Charizard in PSA 9?', 'Charizard Base Set 1st Edition English', 'psa-9', {
    priced: 'pokemon/base1/4/charizard/1st-edition',
    ...{ company: 'PSA', grade: '9', label: 'PSA 9' },
  }),
  price('Jordan’s rookie in PSA 8?', 'Michael Jordan 1986 Fleer 57', 'PSA 8', {
    priced: 'sports/1986-fleer-basketball/57/michael-jordan',
    ...{ company: 'PSA', grade: '8', label: 'PSA 8' },
  }),
  price('A raw Jordan?', 'Michael Jordan 1986 Fleer 57', 'raw', {
    priced: 'sports/1986-fleer-basketball/57/michael-jordan',
    ...{ company: 'RAW', grade: 'A', label: 'Raw A' },
  }),
  price('Umbreon VMAX of Evolving Skies in PSA 10?', 'Umbreon VMAX Evolving Skies 215 psa 10', undefined, {
    priced: 'pokemon/swsh7/215/umbreon-vmax',
    ...{ company: 'PSA', grade: '10', label: 'PSA 10' },
  }),
  price('The English 151 Charizard ex, number 199, ungraded?', 'Charizard ex 151 199', 'Raw A', {
    priced: 'pokemon/sv3-5/199/charizard-ex',
    ...{ company: 'RAW', grade: 'A', label: 'Raw A' },
  }),
  price('A Pikachu ex of Surging Sparks in PSA 9?', 'Pikachu ex Surging Sparks 238', 'PSA 9', {
    priced: 'pokemon/sv8/238/pikachu-ex',
    ...{ company: 'PSA', grade: '9', label: 'PSA 9' },
  }),
  price('Every grade of the Lugia of Neo Genesis, unlimited?', 'Lugia Neo Genesis unlimited', undefined, {
    everyGradeOf: 'pokemon/neo1/9/lugia',
  }),
  price('A Charizard of the Base Set in PSA 10?', 'Charizard Base Set', 'PSA 10', { several: BASE_CHARIZARDS }),
  price('A Charizard in a slab of SGC?', 'Charizard 4 Base Set unlimited English', 'SGC 10', {
    noPrice: 'pokemon/base1/4/charizard',
    because: /company/i,
  }),
  price('A Honus Wagner in PSA 10, which nobody sold?', 'Honus Wagner T206', 'PSA 10', {
    noPrice: 'sports/1909-11-t206/honus-wagner',
    because: /no price at PSA 10/,
  }),
  price('A card that there is not?', 'Pikachu Illustrator', 'PSA 10', { none: true }),
  // History, what a price is made of, receipts.
  {
    ask: 'Unlimited Charizard in PSA 10 over 30 days?',
    tool: 'price_history',
    sent: { card: 'Charizard 4 Base Set unlimited English', grade: 'PSA 10', days: 30 },
    expected: { historyOf: 'pokemon/base1/4/charizard', gradeKey: 'psa-10', days: 30, points: 30 },
  },
  {
    ask: 'Jordan’s rookie, raw, over a year?',
    tool: 'price_history',
    sent: { card: 'Michael Jordan 1986 Fleer 57', grade: 'raw', days: 365 },
    expected: { historyOf: 'sports/1986-fleer-basketball/57/michael-jordan', gradeKey: 'raw-A', days: 365, points: 53 },
  },
  {
    ask: 'What is the price of the unlimited Charizard in PSA 10 made of?',
    tool: 'explain_price',
    sent: { card: 'Charizard 4 Base Set unlimited English', grade: 'PSA 10' },
    expected: { madeOf: 'pokemon/base1/4/charizard', gradeKey: 'psa-10' },
  },
  {
    ask: 'And of a first edition one, where several fit?',
    tool: 'explain_price',
    sent: { card: 'Charizard Base Set 1st Edition', grade: 'PSA 10' },
    expected: { several: /^pokemon\/base1\/4\/charizard\/(1st-edition|french\/1st-edition|german\/1st-edition)$/ },
  },
  {
    ask: 'Prove the price of Jordan’s rookie in PSA 8.',
    tool: 'receipt',
    sent: { card: 'Michael Jordan 1986 Fleer 57', grade: 'PSA 8' },
    expected: { receiptOf: 'sports/1986-fleer-basketball/57/michael-jordan', gradeKey: 'psa-8' },
  },
  // Slabs, as the simulated grader knows them: numbers in 13 are voided, in 99 unknown.
  slab('PSA 90000012', 'priced'),
  slab('90000020', 'priced'),
  slab('CGC 90000045', 'priced'),
  slab('PSA 90000013', 'deactivated'),
  slab('BGS 90000113', 'deactivated'),
  slab('PSA 90000099', 'not_ingested'),
  // Lists.
  {
    ask: 'What are these three cards worth together?',
    tool: 'list_worth',
    sent: {
      lines: [
        { title: 'Charizard 4/102 Base Set 1st Edition PSA 9', quantity: 1 },
        { title: 'Michael Jordan 1986 Fleer #57 PSA 8', quantity: 2 },
        { title: 'Umbreon VMAX 215/203 Evolving Skies PSA 10' },
      ],
    },
    expected: {
      lines: [
        'pokemon/base1/4/charizard/1st-edition',
        'sports/1986-fleer-basketball/57/michael-jordan',
        'pokemon/swsh7/215/umbreon-vmax',
      ],
    },
  },
  {
    ask: 'And this box, of which I do not know everything?',
    tool: 'list_worth',
    sent: {
      lines: [
        { title: 'Dragonite 4/62 Fossil 1st Edition PSA 9' },
        { title: 'Charizard Base Set' },
        { title: 'lot of 20 pokemon cards' },
        { title: 'Zorblax the Unheard 7/99' },
      ],
    },
    expected: {
      lines: [
        'pokemon/base3/4/dragonite/1st-edition',
        { several: /^pokemon\/.*charizard/ },
        { not: /several cards/ },
        { not: /./ },
      ],
    },
  },
  // Indices and accuracy.
  { ask: 'Where is the Pokémon index?', tool: 'index', sent: { index: 'pokemon' }, expected: { indexOf: 'pokemon' } },
  { ask: 'And of sports?', tool: 'index', sent: { index: 'sports' }, expected: { indexOf: 'sports' } },
  { ask: 'All indices?', tool: 'index', sent: {}, expected: { everyIndex: true } },
  { ask: 'How accurate are prices?', tool: 'accuracy', sent: {}, expected: { accuracyBy: 'all' } },
  {
    ask: 'How accurate by game?',
    tool: 'accuracy',
    sent: { groupBy: 'game' },
    expected: { accuracyBy: 'game' },
  },
];
