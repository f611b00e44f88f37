import { type FoundFacts, someOf } from './source-files.ts';
import { cleanText, cleanTexts, type Json, upperFirst, wordOf } from './text.ts';

/** Words of Yu-Gi-Oh! collectors for what YGOJSON writes as codes. */

/** Rarities, lowest first: of several rarities of one number the lowest is the plain card. */
const RARITIES: Record<string, string> = {
  common: 'Common',
  shortprint: 'Short Print',
  rare: 'Rare',
  super: 'Super Rare',
  ultra: 'Ultra Rare',
  secret: 'Secret Rare',
  ultimate: 'Ultimate Rare',
  gold: 'Gold Rare',
  goldsecret: 'Gold Secret Rare',
  premiumgold: 'Premium Gold Rare',
  platinum: 'Platinum Rare',
  platinumsecret: 'Platinum Secret Rare',
  prismaticsecret: 'Prismatic Secret Rare',
  ultrasecret: 'Ultra Secret Rare',
  extrasecret: 'Extra Secret Rare',
  commonparallel: 'Normal Parallel Rare',
  parallel: 'Parallel Rare',
  rareparallel: 'Rare Parallel Rare',
  superparallel: 'Super Parallel Rare',
  ultraparallel: 'Ultra Parallel Rare',
  secretparallel: 'Secret Parallel Rare',
  extrasecretparallel: 'Extra Secret Parallel Rare',
  ghostparallel: 'Holographic Parallel Rare',
  dtpc: 'Duel Terminal Normal Parallel Rare',
  dtpsp: 'Duel Terminal Normal Rare Parallel Rare',
  dtrpr: 'Duel Terminal Rare Parallel Rare',
  dtspr: 'Duel Terminal Super Parallel Rare',
  dtupr: 'Duel Terminal Ultra Parallel Rare',
  dtscpr: 'Duel Terminal Secret Parallel Rare',
  starfoil: 'Starfoil Rare',
  mosaic: 'Mosaic Rare',
  shatterfoil: 'Shatterfoil Rare',
  kccommon: 'Kaiba Corporation Common',
  kcrare: 'Kaiba Corporation Rare',
  kcsuper: 'Kaiba Corporation Super Rare',
  kcultra: 'Kaiba Corporation Ultra Rare',
  kcsecret: 'Kaiba Corporation Secret Rare',
  millenium: 'Millennium Rare',
  milleniumsuper: 'Millennium Super Rare',
  milleniumultra: 'Millennium Ultra Rare',
  milleniumsecret: 'Millennium Secret Rare',
  milleniumgold: 'Millennium Gold Rare',
  collectors: "Collector's Rare",
  pharaohs: "Pharaoh's Rare",
  ghost: 'Ghost Rare',
  goldghost: 'Ghost/Gold Rare',
  '20thsecret': '20th Secret Rare',
  '25thsecret': 'Quarter Century Secret Rare',
  starlight: 'Starlight Rare',
  '10000secret': '10000 Secret Rare',
};
const RARITY_ORDER = Object.keys(RARITIES);

const EDITIONS: Record<string, string> = {
  unlimited: 'Unlimited',
  '1st': '1st Edition',
  limited: 'Limited Edition',
};
const EDITION_ORDER = Object.keys(EDITIONS);

/** A rarity in words; one that is not in the table as written, `SUPERSTAR` → `Superstar Rare`. */
export function rarityWords(code: string): string {
  return wordOf(RARITIES, code) ?? `${titled(code)} Rare`;
}

export function editionWords(code: string): string {
  return wordOf(EDITIONS, code) ?? `${titled(code)} Edition`;
}

/** Position of a rarity in the order of plainness; none before all, unknown ones after all. */
export function rarityRank(code: string | null): number {
  return rank(RARITY_ORDER, code);
}

/** Position of an edition in the order of plainness: none, unlimited, 1st, limited, others. */
export function editionRank(code: string | null): number {
  return rank(EDITION_ORDER, code);
}

function rank(order: readonly string[], code: string | null): number {
  if (code === null) return -1;
  const at = order.indexOf(code);
  return at === -1 ? order.length : at;
}

function titled(word: string): string {
  return upperFirst(word.toLowerCase());
}

const RACES: Record<string, string> = {
  beastwarrior: 'Beast-Warrior',
  creatorgod: 'Creator God',
  divinebeast: 'Divine-Beast',
  seaserpent: 'Sea Serpent',
  wingedbeast: 'Winged Beast',
};
const KINDS: Record<string, string> = { quickplay: 'Quick-Play', normal: '' };

/** `Fusion Monster`, `Quick-Play Spell`, `Trap`; a monster's type and attribute (`Warrior`, `WIND`). */
export function ygoFacts(card: Json): FoundFacts {
  const kind = cleanText(card.cardType);
  const before = [...cleanTexts(card.monsterCardTypes), ...cleanTexts([card.subcategory])];
  const words = [...before.map((word) => wordOf(KINDS, word) ?? titled(word)), titled(kind ?? '')].filter(Boolean);
  const race = cleanText(card.type);
  const attribute = cleanText(card.attribute);
  const types = [race === null ? null : (wordOf(RACES, race) ?? titled(race)), attribute?.toUpperCase() ?? null];
  return { cardKind: kind === null ? null : words.join(' '), types: someOf(types.filter((type) => type !== null)) };
}
