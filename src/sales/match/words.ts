import { GAMES, type Game } from '../../catalog/games.ts';
import { canonicalWord } from '../../catalog/words/compare.ts';

/** What a word in a title may mean. */

/** Words of a set's name that sellers leave out: they do not count as naming the set. */
export const GENERIC_SET_WORDS = new Set(
  `the of and a an from in to set card trading game tcg series collection panini baseball football basketball hockey
  soccer pokemon japanese english promo edition sm xy swsh sv bw dp hgss ex s
  product box pack`.split(/\s+/),
);

/** Words that do not identify the printing, though some set's name has them too. */
const NOISE_WORDS = new Set(
  `the of and a an from in to with for is on at by no card cards trading game tcg pokemon japanese english set base rookie
  rc rare holo full art gem mint ultra secret special super star black collection box pack series edition unlimited new
  illustration hyper shiny amazing common uncommon year hot hof mvp case hit ssp sp pop low high psa bgs cgc graded
  slab seller us usa free ship look invest team tag draft pick player vintage oversized wotc print hidden one piece
  baseball football basketball hockey soccer panini prospect auto color match short`.split(/\s+/),
);

export function isNoise(word: string): boolean {
  return NOISE_WORDS.has(word);
}

/** Words that make it another printing whenever they are not the item's own: editions, stamps, errors, finishes. */
const MARKED_ELSEWHERE = `1st shadowless reverse stamped staff prerelease error misprint miscut jumbo oversize cosmo cracked
  mirror signed etched borderless showcase extended parallel manga preerrata nonholo sealed proof sample
  playtest textless serialized surge galaxy confetti auto promo premium stamp
  symbol cheek deck cosmic`;

/** In sports a parallel is a color or a pattern, and a sub-brand is another release. */
const MARKED_SPORTS = `reverse error signed sealed proof sample auto relic patch jersey memorabilia refractor xfractor
  superfractor prizm gold silver red blue green orange purple black pink aqua yellow teal bronze white neon magenta sepia
  copper platinum ruby emerald sapphire wave raywave shimmer lava speckle sparkle ice mojo disco scope velocity hyper
  shock lazer laser cracked atomic geometric diamond nebula pandora checkerboard camo tiger zebra elephant snakeskin
  dragon mosaic genesis holo foil mini parallel variation negative logo rainbow vinyl finite choice break pulsar
  nucleus tectonic reactive glitter grass flash marble die cut acetate canvas black tie dye fluorescent prism
  chrome optic update draft heritage finest sterling museum tribute inception university now cosmic bowman topps donruss
  select contenders hoop mega stadium allen ginter fleer score leaf uppers deck`;

/** What distinguishes printings of one number in one game only: foils, other art, and in Yu-Gi-Oh! the rarities. */
const MARKED_IN: Partial<Record<Game, string>> = {
  sports: MARKED_SPORTS,
  mtg: `${MARKED_ELSEWHERE} holo retro`,
  lorcana: `${MARKED_ELSEWHERE} holo enchanted`,
  riftbound: `${MARKED_ELSEWHERE} holo alt overnumbered signature`,
  'one-piece': `${MARKED_ELSEWHERE} alt sp manga wanted`,
  digimon: `${MARKED_ELSEWHERE} alt`,
  gundam: `${MARKED_ELSEWHERE} alt`,
  yugioh: `${MARKED_ELSEWHERE} super ultra secret ultimate ghost starlight collector quarter century prismatic platinum gold
    starfoil shatterfoil mosaic`,
};

const MARKS = new Map(
  GAMES.map((game) => [game, new Set((MARKED_IN[game] ?? MARKED_ELSEWHERE).split(/\s+/).map(canonicalWord))]),
);

/** True when the word distinguishes printings of one card, so that an item without it is another printing. */
export function isMark(word: string, game: Game): boolean {
  return MARKS.get(game)!.has(word);
}

/** A promo comes in a product: these words and the names of sets then say which, not which printing. */
const PRODUCT_WORDS = new Set(['premium', 'promo', 'prerelease']);

export function isProductWord(word: string): boolean {
  return PRODUCT_WORDS.has(word);
}

/** Words that make it another card when they are not in the item's name. */
const NAME_MODIFIERS = new Set(
  `dark light shining mega m galarian alolan hisuian paldean vmax vstar v gx ex break radiant primal prime lvx legend`.split(
    /\s+/,
  ),
);

export function isNameModifier(word: string, game: Game): boolean {
  return game === 'pokemon' && NAME_MODIFIERS.has(word);
}

/** Teams and phrases whose colors and words are not a parallel. */
export const HARMLESS_PHRASES =
  /\b(?:red sox|white sox|blue jays?|red wings?|blue jackets|golden knights|golden state|red bulls?|black ?hawks|reds|browns|blues|new york|san francisco|color match|black star|not psa|us seller|near mint)\b/g;
