import type { Game } from '../games.ts';
import { capitalized } from './derive-words.ts';
import type { TagSource } from './tag.ts';

/** Names that are not the words of their slug. */
const NAMES: Record<string, string> = {
  'ace-spec': 'ACE SPEC',
  'collectors-rare': "Collector's Rare",
  'die-cut': 'Die-Cut',
  'no-rarity': 'No Rarity Symbol',
  'one-of-one': '1/1',
  'poke-ball': 'Poké Ball',
  sp: 'SP',
};

/**
 * How a printing is made, in words a collector searches by: slugs with the rules that derive them from the catalog, read
 * in `variation; rarity; card kind`, lower case.
 */
const RULES: Record<Game, readonly (readonly [slug: string, rule: RegExp])[]> = {
  pokemon: [
    ['1st-edition', /1st edition/],
    ['shadowless', /shadowless/],
    ['reverse-holo', /reverse holo/],
    // A holo rare printed as reverse holo, or without foil, is not a holo.
    ['holo', /^(?!.*(?:reverse|non-)\s?holo).*holo/],
    ['cosmos-holo', /cosmos/],
    ['cracked-ice', /cracked ice/],
    ['poke-ball', /poké ball reverse/],
    ['master-ball', /master ball reverse/],
    ['gold', /\bgold\b/],
    ['metal', /\bmetal;/],
    ['rainbow', /rainbow/],
    ['secret', /secret/],
    ['full-art', /full art|illustration rare/],
    ['shiny', /\bshiny/],
    ['ace-spec', /ace spec/],
    ['promo', /promo/],
    ['prerelease', /prerelease/],
    ['jumbo', /jumbo/],
    ['stamped', /stamp/],
    ['error', /error/],
    ['red-cheeks', /red cheeks/],
    ['no-rarity', /no rarity symbol/],
  ],
  'one-piece': [
    ['alt-art', /alternate art/],
    ['full-art', /full art/],
    ['manga', /manga art/],
    ['parallel', /parallel/],
    ['foil', /foil/],
    ['sp', /special card/],
    ['treasure-rare', /treasure rare/],
    ['secret', /secret rare/],
    ['numbered', /serial card/],
    ['promo', /promo/],
  ],
  sports: [
    ['refractor', /fractors?\b/],
    ['superfractor', /superfractor/],
    ['prizm', /prizm/],
    ['autograph', /autograph|\bauto\b|signature/],
    ['relic', /relic|jersey|swatch|patch\b|memorabilia/],
    ['rookie', /\brc$/],
    ['numbered', /\/\d/],
    ['one-of-one', /(?<!\d)1\/1\b/],
    ['printing-plate', /printing plate/],
    ['gold', /\bgold\b/],
    ['foil', /\bfoil/],
    ['die-cut', /die-cut/],
    ['variation', /\bvariation\b/],
    ['short-print', /\bsp;/],
  ],
  lorcana: [
    ['enchanted', /enchanted/],
    ['epic', /epic/],
    ['iconic', /iconic/],
    ['promo', /promo/],
  ],
  digimon: [
    ['parallel', /parallel/],
    ['secret', /; sec;/],
    ['promo', /; p;/],
  ],
  riftbound: [
    ['alt-art', /alternate art/],
    ['overnumbered', /overnumbered/],
    ['signature', /signature/],
    ['metal', /^metal/],
    ['showcase', /showcase/],
    ['promo', /promo/],
  ],
  mtg: [
    ['etched-foil', /etched foil/],
    ['foil', /foil/],
  ],
  yugioh: [
    ['1st-edition', /1st edition/],
    ['quarter-century', /quarter century/],
    ['platinum-secret-rare', /platinum secret/],
    ['secret', /secret rare/],
    ['ultimate-rare', /ultimate rare/],
    ['ghost-rare', /ghost rare/],
    ['collectors-rare', /collector's rare/],
    ['gold', /\bgold rare/],
    ['short-print', /short print/],
  ],
  gundam: [
    ['parallel', /\+;/],
    ['beta', /edition beta/],
    ['promo', /; p;/],
  ],
};

/** The treatments of an item, in the order of its game's table. */
export function treatmentsOf({ game, variation, rarity, facts }: TagSource): { slug: string; name: string }[] {
  const text = `${variation ?? ''}; ${rarity ?? ''}; ${facts.cardKind ?? ''}`.toLowerCase();
  return RULES[game]
    .filter(([, rule]) => rule.test(text))
    .map(([slug]) => ({ slug, name: NAMES[slug] ?? capitalized(slug.replaceAll('-', ' ')) }));
}
