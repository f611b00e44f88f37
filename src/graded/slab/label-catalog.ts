import { pokedexNumber } from '../../catalog/formats/pokemon-species.ts';
import type { Game } from '../../catalog/games.ts';
import type { MatchItem } from '../../sales/match/match-index.ts';

/** Numbers that open with the code of their set, which labels print with the set's name: `OP05-119`, `LOB-EN001`. */
const CODED_NUMBER = /^[A-Z]+\d*-([A-Z]{0,2})(\d{2,4})$/;
const CODED_GAMES: readonly Game[] = ['one-piece', 'yugioh', 'digimon', 'gundam'];

/** An item in each way that labels number it: PSA prints `#119` for OP05-119, and `#AE052` for an Asian-English card. */
export function labelledItems(item: MatchItem): MatchItem[] {
  const labelled = asLabelled(item);
  const [, region = '', digits] = (CODED_GAMES.includes(item.game) && CODED_NUMBER.exec(item.number ?? '')) || [];
  if (digits === undefined) return [labelled];
  const isUsual = item.language !== 'English' || region === '' || region === 'EN';
  return [labelled, { ...labelled, number: isUsual ? digits : region + digits }];
}

/** An item with the set name, number and names that labels have, where they differ from the catalog. */
function asLabelled(item: MatchItem): MatchItem {
  if (item.game !== 'pokemon') return item;
  const set = SETS[item.setCode ?? ''];
  return {
    ...item,
    setAliases: [...(item.setAliases ?? []), ...(set?.names ?? [])],
    number: set?.number === undefined ? item.number : set.number(item),
    characters: charactersOf(item),
    // Promos are dated by the era in catalogs, by the card on labels.
    year: /promo/i.test(item.rarity ?? '') ? null : item.year,
    variation: item.variation?.replace(/^1999-2000 (?=Copyright$)/, '') ?? null,
  };
}

type LabelledSet = {
  /** Its names on labels. */
  names?: readonly string[];
  /** An item's number on labels; null where it has none. */
  number?: (item: MatchItem) => string | null;
};

/** By the codes of tcgdex and pokemontcg. */
const SETS: Readonly<Record<string, LabelledSet>> = {
  // The first Japanese set has no numbers: its labels have the Pokédex number.
  PMCG1: {
    names: ['Japanese Basic'],
    number: ({ characters = [] }) =>
      (characters.length === 1 ? String(pokedexNumber(characters[0]!) ?? '') : '') || null,
  },
  SV2a: { names: ['Pokemon Card 151'] },
  'SV-P': { names: ['SV-P Promo'] },
  M2: { names: ['Inferno X'] },
  VS1: { names: ['Japanese VS'] },
  // "Base II" on labels; codes of both sources.
  base4: { names: ['Base II'] },
  // Reprints that keep the number of the card they repeat.
  cel25cc: { number: ({ number }) => CLASSIC_NUMBERS[Number(number?.replace(/\D/g, '')) - 1] ?? null },
};

/** Printed numbers of the Celebrations Classic Collection, which catalogs count CC001 to CC025. */
const CLASSIC_NUMBERS = '2 4 15 73 8 15 15 24 20 66 9 86 88 93 17 15 109 145 107 113 114 54 97 76 60'.split(' ');

/** Parts of a Japanese name that make it another card, and the word for each on labels. */
const FORMS: readonly [printed: RegExp, word: string][] = [
  [/アローラ/, 'Alolan'],
  [/ガラル/, 'Galarian'],
  [/ヒスイ/, 'Hisuian'],
  [/パルデア/, 'Paldean'],
  [/^メガ/, 'Mega'],
  [/^わるい/, 'Dark'],
  [/^やさしい/, 'Light'],
  [/^ひかる/, 'Shining'],
  [/かがやく/, 'Radiant'],
  [/^ロケット団の/, "Team Rocket's"],
];

/** English names of the characters on a card whose name is not Latin, with the words that make it another card. */
function charactersOf({ name, characters = [] }: MatchItem): string[] {
  if (characters.length === 0) return [];
  return [...FORMS.filter(([printed]) => printed.test(name)).map(([, word]) => word), ...characters];
}
