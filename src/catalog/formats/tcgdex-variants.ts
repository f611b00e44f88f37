import { type ExternalId, statedIds } from '../external-ids.ts';
import { type Language, languageOfCode } from '../languages.ts';
import { cleanText, cleanTexts, isObject, type Json, upperFirst, wordOf } from './text.ts';

/** One printing of a card as tcgdex names it: `{type: 'holo', subtype: 'shadowless', stamp: ['1st-edition'], …}`. */
export type TcgdexVariant = {
  type: string;
  subtype: string | null;
  foil: string | null;
  stamps: string[];
  jumbo: boolean;
  /** Null: in every language the card has. */
  languages: Language[] | null;
  /** Product number on a market place, the only thing that distinguishes some equally described variants. */
  marketId: string | null;
  /** Products on markets. */
  products: ExternalId[];
};

/** A variant with its words; `key` is made of the source's own, so that better words never change an id. */
type NamedVariant = { variation: string | null; key: string };

const PLAIN: TcgdexVariant = {
  type: 'normal',
  subtype: null,
  foil: null,
  stamps: [],
  jumbo: false,
  languages: null,
  marketId: null,
  products: [],
};

/**
 * The variants of a card: a list of objects, an old-style object of booleans, or nothing, which is the plain card alone.
 * An entry that is not understood is reported by its position and left out.
 */
export function readVariants(value: unknown): { variants: TcgdexVariant[]; problems: string[] } {
  if (value === undefined || value === null) return { variants: [PLAIN], problems: [] };
  if (isObject(value)) return { variants: fromBooleans(value), problems: [] };
  if (!Array.isArray(value)) return { variants: [], problems: ['"variants" is neither a list nor an object'] };
  const variants: TcgdexVariant[] = [];
  const problems: string[] = [];
  for (const [at, entry] of value.entries()) {
    const type = isObject(entry) ? cleanText(entry.type) : null;
    if (isObject(entry) && type !== null) variants.push(fromObject(entry, type));
    else problems.push(`variants[${at}] has no type`);
  }
  return { variants: value.length === 0 ? [PLAIN] : variants, problems };
}

function fromObject(entry: Json, type: string): TcgdexVariant {
  const market = isObject(entry.thirdParty) ? entry.thirdParty.cardmarket : null;
  const languages = cleanTexts(entry.languages).map(languageOfLocale);
  return {
    type,
    subtype: cleanText(entry.subtype),
    foil: cleanText(entry.foil),
    stamps: typeof entry.stamp === 'string' ? cleanTexts([entry.stamp]) : cleanTexts(entry.stamp),
    jumbo: entry.size === 'jumbo',
    languages: languages.length === 0 ? null : languages.filter((language) => language !== null),
    marketId: cleanText(market),
    products: productsOf(entry.thirdParty),
  };
}

/** The products that a card or one of its variants names. */
export function productsOf(thirdParty: unknown): ExternalId[] {
  const { tcgplayer, cardmarket, cardtrader } = isObject(thirdParty) ? thirdParty : ({} as Json);
  return statedIds({ tcgplayer, cardmarket, cardtrader });
}

function fromBooleans(flags: Json): TcgdexVariant[] {
  const types = ['normal', 'holo', 'reverse'].filter((type) => flags[type] === true);
  const variants: TcgdexVariant[] = (types.length === 0 ? ['normal'] : types).map((type) => ({ ...PLAIN, type }));
  const base = variants[0]!;
  if (flags.firstEdition === true) variants.push({ ...base, stamps: ['1st-edition'] });
  if (flags.wPromo === true) variants.push({ ...base, stamps: ['w-promo'] });
  if (flags.preRelease === true) variants.push({ ...base, stamps: ['pre-release'] });
  if (flags.jumbo === true) variants.push({ ...base, jumbo: true });
  return variants;
}

/** Language of a tcgdex key; a locale (`es-mx`, `pt-br`) is the language it belongs to. */
export function languageOfLocale(code: string): Language | null {
  return languageOfCode(code) ?? languageOfCode(code.split('-')[0]!);
}

/**
 * Names the variants of one card in one language, in order; null for a variant that repeats an earlier one in all it says.
 */
export function nameVariants(variants: readonly TcgdexVariant[]): (NamedVariant | null)[] {
  const plain = plainOf(variants);
  const marketIdsOf = new Map<string, Set<string | null>>();
  const timesUsed = new Map<string, number>();
  return variants.map((variant) => {
    const source = keyOf(variant);
    const marketIds = marketIdsOf.get(source) ?? new Set();
    if (marketIds.size > 0 && (variant.marketId === null || marketIds.has(variant.marketId))) return null;
    marketIdsOf.set(source, marketIds.add(variant.marketId));
    if (variant === plain) return { variation: null, key: '' };
    const words = wordsOf(variant, plain);
    const times = (timesUsed.get(words) ?? 0) + 1;
    timesUsed.set(words, times);
    return {
      variation: times === 1 ? words : `${words} ${times}`,
      key: marketIds.size === 1 ? source : `${source}+${marketIds.size}`,
    };
  });
}

/**
 * The plain printing: unstamped, of standard size and without a special foil or print run, first of normal then holo; a
 * card that has no such printing takes the one with fewest marks, so that each card has exactly one.
 */
function plainOf(variants: readonly TcgdexVariant[]): TcgdexVariant | undefined {
  const types = ['normal', 'holo', 'reverse'];
  const rank = (variant: TcgdexVariant) => {
    const type = types.indexOf(variant.type);
    const run = variant.subtype === null || variant.subtype === 'unlimited' ? 0 : 1;
    const marks = variant.stamps.length + run + (variant.foil === null ? 0 : 1) + (variant.jumbo ? 4 : 0);
    return marks * 10 + (type === -1 ? 9 : type);
  };
  return variants.reduce<TcgdexVariant | undefined>(
    (best, variant) => (best === undefined || rank(variant) < rank(best) ? variant : best),
    undefined,
  );
}

function keyOf(variant: TcgdexVariant): string {
  const { type, subtype, foil, stamps, jumbo } = variant;
  return [type, subtype, foil, ...stamps, jumbo ? 'jumbo' : null].filter((part) => part !== null).join('+');
}

function wordsOf(variant: TcgdexVariant, plain: TcgdexVariant | undefined): string {
  const firstEdition = variant.stamps.includes('1st-edition');
  const words = [
    firstEdition ? '1st Edition' : '',
    subtypeWords(variant.subtype, firstEdition),
    ...variant.stamps.filter((stamp) => stamp !== '1st-edition').map(stampWords),
    finishWords(variant, plain),
    variant.jumbo ? 'Jumbo' : '',
  ].filter((word) => word !== '');
  return words.length > 0 ? words.join(' ') : titleWords(variant.subtype ?? variant.type);
}

function finishWords({ type, foil }: TcgdexVariant, plain: TcgdexVariant | undefined): string {
  const foilWords = foil === null ? '' : `${wordOf(FOILS, foil) ?? titleWords(foil)} `;
  if (type === 'reverse') return `${foilWords}Reverse Holo`;
  if (type === 'normal') return foil === null ? (plain?.type === 'holo' ? 'Non-Holo' : '') : foilWords.trim();
  if (type === 'holo' && foil === null && plain?.type === 'holo') return '';
  return `${foilWords}${titleWords(type)}`;
}

/** A shadowless 1st Edition is called 1st Edition: there is no other. */
function subtypeWords(subtype: string | null, firstEdition: boolean): string {
  if (subtype === null || subtype === 'unlimited') return '';
  if (firstEdition) return subtypeWords(subtype.replace(/^shadowless-?/, '') || null, false);
  return wordOf(SUBTYPES, subtype) ?? titleWords(subtype);
}

function stampWords(stamp: string): string {
  const words = wordOf(STAMPS, stamp) ?? titleWords(stamp);
  return /error$|inverted$/.test(stamp) || stamp in UNSTAMPED ? words : `${words} Stamp`;
}

const FOILS: Record<string, string> = {
  pokeball: 'Poké Ball',
  greatball: 'Great Ball',
  ultraball: 'Ultra Ball',
  masterball: 'Master Ball',
  loveball: 'Love Ball',
  friendball: 'Friend Ball',
  quickball: 'Quick Ball',
  duskball: 'Dusk Ball',
};

const SUBTYPES: Record<string, string> = {
  'no-rarity': 'No Rarity Symbol',
  'missing-expansion-symbol': 'No Set Symbol',
  'red-cheek': 'Red Cheeks',
  'shadowless-red-cheek': 'Shadowless Red Cheeks',
  'missing-hp': 'Missing HP',
  'nintedo-error': 'Nintedo Error',
  'no-e-reader': 'No e-Reader',
};

const STAMPS: Record<string, string> = {
  gamestop: 'GameStop',
  'eb-games': 'EB Games',
  'w-promo': 'W',
  wotc: 'WotC',
  'pre-release': 'Prerelease',
  pokeball: 'Poké Ball',
  mcdonalds: "McDonald's",
  'poke-ball-league': 'Poké Ball League',
};

/** Stamps whose words name the printing by themselves. */
const UNSTAMPED: Record<string, true> = { staff: true, 'pre-release': true };

function titleWords(slug: string): string {
  return slug
    .split('-')
    .map((word) => wordOf(TITLE_WORDS, word) ?? upperFirst(word))
    .join(' ')
    .replace('1999 2000', '1999-2000')
    .replace('1995 1998', '1995-1998');
}

const TITLE_WORDS: Record<string, string> = { pokemon: 'Pokémon', poke: 'Poké', pokeday: 'Pokémon Day', ny: 'NY' };
