import type { CatalogEntry, SourceSet } from '../record.ts';
import { recordEntry } from './source-files.ts';
import { cleanText, type Json, variationOfWords, wordOf, yearOf } from './text.ts';

/** A printing as both Gundam sources, made from the publisher's list, describe it. */
type GundamPrinting = {
  source: string;
  /** The publisher's id, `ST01-001_p4`: unique, and equal in both sources. */
  productId: string;
  number: string;
  name: string;
  setCode: string;
  /** The list it is in: the product's name, or `Edition Beta`, `Promotion card`, `Other Product Card`. */
  listName: string;
  /** The product or event that brings it. */
  whereToGet: string;
  rarity: string | null;
  kind: string | null;
  color: string | null;
  traits: string[];
  image: string | null;
};

/** Names of sets and years of products, from the companion files. */
export type GundamProducts = { setOf: (code: string) => SourceSet; yearIn: (text: string) => number | null };

const LISTS_OF_MANY = ['Edition Beta', 'Promotion card', 'Other Product Card', 'Basic Cards'];
const BARE_CODES: Record<string, string> = {
  EXB: 'EX Bases',
  EXBP: 'EX Base Promos',
  EXR: 'EX Resources',
  EXRP: 'EX Resource Promos',
  R: 'Resources',
  RP: 'Resource Promos',
  T: 'Tokens',
};

/** Reads `products.json` and an index of sets (`{set_code, set_name}`). */
export function gundamProducts(products: readonly Json[], setIndex: readonly Json[]): GundamProducts {
  const names = new Map<string, string>();
  const years = new Map<string, number | null>();
  for (const product of products) {
    const name = cleanText(product.name);
    const code = cleanText(product.set_code) ?? /\[([A-Z\d-]+)\]/.exec(name ?? '')?.[1];
    if (name === null) continue;
    const year = yearOf(product.release_date);
    if (/Edition Beta$/.test(name)) years.set('Edition Beta', year);
    if (code === undefined) continue;
    names.set(code, name.replace(/\s*\[[^\]]*\].*$/, ''));
    years.set(code, year);
  }
  for (const set of setIndex) {
    const [code, name] = [cleanText(set.set_code), cleanText(set.set_name)];
    if (code !== null && name !== null && !LISTS_OF_MANY.includes(name)) names.set(code, name);
  }
  return {
    setOf: (code) => ({
      key: code,
      name: wordOf(BARE_CODES, code) ?? names.get(code) ?? code,
      code,
      year: years.get(code) ?? null,
    }),
    yearIn: (text) => {
      const code = /\[([A-Z\d-]+)\]/.exec(text)?.[1];
      return years.get(code ?? text) ?? null;
    },
  };
}

/**
 * One printing as a record. The set is the source's set_code, though a number may carry another set's code. Plain is
 * the printing with the bare number, and in a later set's product the one of ordinary rarity; others state where they
 * come from and the rarity's plus signs (`LR++`).
 */
export function gundamRecord(printing: GundamPrinting, { setOf, yearIn }: GundamProducts): CatalogEntry {
  const { source, productId, number, name, setCode, listName, whereToGet, rarity, kind, color } = printing;
  const short = rarity?.replace(/\s+/g, '') ?? null;
  const ofMany = LISTS_OF_MANY.includes(listName);
  const origin =
    listName === 'Edition Beta' ? listName : whereToGet.replace(/^-$/, listName).replace(/\s*\[[^\]]*\]$/, '');
  const variation =
    productId === number
      ? null
      : variationOfWords(
          ofMany ? origin : /Bonus Pack$/.test(whereToGet) ? 'Bonus Pack' : null,
          short?.includes('+') ? short : null,
        );
  return recordEntry({
    game: 'gundam',
    ids: [
      [source, productId],
      ['gundam-gcg', productId],
    ],
    set: setOf(setCode),
    number,
    name,
    variation,
    rarity: short,
    year: listName === 'Edition Beta' ? yearIn(listName) : yearIn(whereToGet),
    imageUrl: printing.image,
    facts: {
      characters: kind === 'PILOT' ? [name] : null,
      types: printing.traits,
      colors: color === null ? null : [color],
      cardKind: kind === null ? null : titleCase(kind),
    },
  });
}

/** `EX BASE` is `EX Base`, `UNIT TOKEN` is `Unit Token`. */
function titleCase(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => (word === 'EX' ? word : word[0] + word.slice(1).toLowerCase()));
}

/** A text other than the dash, which means that there is no value. */
export function statedText(value: unknown): string | null {
  const text = cleanText(value);
  return text === '-' ? null : text;
}
