import { groupBy } from '../../lib/group-by.ts';
import { type FoundFacts, someOf } from './source-files.ts';
import { cleanText, cleanTexts, imageAddress, type Json, upperFirst } from './text.ts';

/** A printing as both One Piece card lists give it: an id such as `OP05-119_p2`, the product it came in, its words. */
export type Printing = {
  id: string;
  /** `OP05-119` of `OP05-119_p2`. */
  number: string;
  /** `p2`, `r1`, `c1`, `p2_r1`, or empty for the id alone. */
  suffix: string;
  product: string;
  name: string;
  /** Printed rarity in full words, null when the list has a style in its place. */
  rarity: string | null;
  /** How the list describes this printing's looks: `Alternate Art`, `Special Card`, or nothing. */
  style: string | null;
  image: string | null;
  facts: FoundFacts;
};

/** A printing with what distinguishes it from the others of its number in the same product. */
type NamedPrinting = Printing & {
  variation: string | null;
  /** Id under which the other list has this printing too; null where the product does not show it. */
  sharedId: string | null;
};

const PRINTED_RARITIES = ['Leader', 'Common', 'Uncommon', 'Rare', 'Super Rare', 'Secret Rare', 'Promo'];
/** Rarities that are a style as well: they exist besides the same number's usual rarity. */
const SPECIAL_RARITIES = ['Special Card', 'Treasure Rare'];

/** The printing that a card of either list is, or what is wrong with it. */
export function readPrinting(card: Json): Printing | string {
  const id = cleanText(card.id);
  const name = cleanText(card.name);
  const product = cleanText(card.set);
  if (id === null || name === null || product === null) return 'a card without id, name or set';
  const parts = /^([A-Z]+\d*-\d+)(?:_([a-z]\d+(?:_[a-z]\d+)*))?$/.exec(id);
  if (parts === null) return `"${id.slice(0, 40)}" is not a card id`;
  const words = rarityWords(card.rarity);
  const printed = words !== null && (PRINTED_RARITIES.includes(words) || SPECIAL_RARITIES.includes(words));
  const category = cleanText(card.category);
  return {
    id,
    number: parts[1]!,
    suffix: parts[2] ?? '',
    product,
    name,
    rarity: printed ? words : null,
    style: words === null || PRINTED_RARITIES.includes(words) ? null : words,
    image: imageAddress(card.image),
    facts: {
      characters: category === 'Character' || category === 'Leader' ? [name] : null,
      types: someOf(cleanTexts(card.types)),
      colors: someOf(cleanTexts(card.colors)),
      cardKind: category,
    },
  };
}

/** `SuperRare`, `Special` and a key that was left untranslated, `card.style.panda`, in the words of collectors. */
function rarityWords(value: unknown): string | null {
  const text = cleanText(value);
  if (text === null) return null;
  if (text === 'Special') return 'Special Card';
  const key = /^card\.style\.([a-z]+)$/.exec(text)?.[1];
  if (key !== undefined) return upperFirst(key);
  return text.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
}

/**
 * Names the printings of one product. The plain one of a number is the card itself where the product has its own number,
 * and else the reprint, then the card itself, then the first parallel: a product that has one printing has it plain.
 */
export function namePrintings(printings: readonly Printing[]): NamedPrinting[] {
  const groups = groupBy(printings, ({ product, number, name }) => `${product} ${number} ${name}`);
  const named = new Map<Printing, NamedPrinting>();
  for (const group of groups.values()) {
    const plain = group.reduce((best, one) => (plainRank(one) < plainRank(best) ? one : best));
    const baseRarity = PRINTED_RARITIES.find((rarity) => rarity === plain.rarity) ?? null;
    const used = new Map<string, number>(plain.style === null ? [] : [[plain.style, 1]]);
    for (const one of [...group].sort((a, b) => plainRank(a) - plainRank(b))) {
      let variation = one === plain ? null : variationWords(one);
      if (variation !== null) {
        const times = (used.get(variation) ?? 0) + 1;
        used.set(variation, times);
        if (times > 1) variation = `${variation} ${times}`;
      }
      const rarity = one.rarity ?? (one === plain ? one.style : baseRarity);
      named.set(one, { ...one, rarity, variation, sharedId: sharedParallelId(one, group) });
    }
  }
  return printings.map((printing) => named.get(printing)!);
}

function plainRank({ suffix, number, product }: Printing): number {
  const digits = Number(/\d+/.exec(suffix)?.[0] ?? 0);
  if (suffix === '') return isOwnNumber(number, product) ? 0 : 200;
  if (/^r\d+$/.test(suffix)) return 100 + digits;
  return (suffix.startsWith('p') ? 300 : 500) + digits + (suffix.includes('_') ? 0.5 : 0);
}

/** `OP14-EB04` has the numbers of both. */
function isOwnNumber(number: string, product: string): boolean {
  return product
    .replace(/-(?=\d)/g, '')
    .split('-')
    .includes(number.split('-')[0]!);
}

function variationWords({ suffix, style }: Printing): string {
  if (style !== null) return style;
  if (suffix === '') return 'Original Print';
  const [, letter, digits] = /^([a-z])(\d+)/.exec(suffix)!;
  if (letter === 'r') return digits === '1' ? 'Reprint' : `Reprint ${digits}`;
  if (letter === 'p') return digits === '1' ? 'Parallel' : `Parallel ${digits}`;
  return `Parallel ${suffix.toUpperCase()}`;
}

/** Code that both lists print for a product (`OP14` for `OP14` and `OP14-EB04`); null for promotion products. */
export function productCode(product: string): string | null {
  const parts = /^(OP|ST|EB|PRB)-?(\d+)(?:-EB\d+)?$/.exec(product);
  return parts === null ? null : `${parts[1]}${parts[2]}`;
}

/**
 * The lists number parallels each by itself, so a bare id can mean two printings. Within a product of the same code it is
 * one where both have the same parallels of the number, or as many printings of which one is a parallel.
 */
function sharedParallelId(printing: Printing, group: readonly Printing[]): string | null {
  const code = productCode(printing.product);
  if (code === null || !/^p\d+$/.test(printing.suffix)) return null;
  const parallels = group.map(({ suffix }) => suffix).filter((suffix) => /^p\d+$/.test(suffix));
  const which = parallels.length === 1 ? `of ${group.length}` : `${parallels.sort().join('+')} ${printing.suffix}`;
  return `${code} ${printing.number} ${which}`;
}
