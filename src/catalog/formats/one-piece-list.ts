import type { CatalogEntry, CatalogFormat, CatalogRecord, SourceSet } from '../record.ts';
import { namePrintings, type Printing, readPrinting } from './one-piece-printings.ts';
import { broken, dropped, objectsIn, readSource, recordEntry, type SourceFile } from './source-files.ts';
import { cleanText, isObject, objects, yearOf } from './text.ts';

/** Where the two One Piece card lists differ; both have a file of cards for each product, next to packs.json. */
type OnePieceList = {
  source: string;
  /** True for a product's key as this list writes it (`OP-05`, `OP05`): it distinguishes its files from the other's. */
  isProduct: (key: string) => boolean;
  /** The code printed for a product, or null. */
  codeOf: (product: string) => string | null;
  /** What a product that packs.json does not have is called. */
  nameOf: (product: string) => string;
  /** True for a printing that may be one of the other list, with no way to decide. */
  isUnsure: (id: string, product: string) => boolean;
  aside: readonly string[];
};

/** Reads the files of a One Piece card list. */
export function readOnePieceList(paths: readonly string[], list: OnePieceList): ReturnType<CatalogFormat['read']> {
  return readSource(paths, {
    companions: ['packs.json'],
    aside: list.aside,
    open: ([packs]) => {
      const products = new Map<string, SourceSet>();
      for (const pack of objectsIn(packs!)) {
        const [key, name] = [cleanText(pack.code), cleanText(pack.name)];
        if (key !== null && name !== null)
          products.set(key, { key, name, code: list.codeOf(key), year: yearOf(pack.releaseDate) });
      }
      const ids = new Set<string>();
      return (file) =>
        objects(file.value).some(({ id, set }) => id !== undefined && list.isProduct(cleanText(set) ?? ''))
          ? readProduct(file, list, products, ids)
          : null;
    },
  });
}

function* readProduct(
  { path, value }: SourceFile,
  list: OnePieceList,
  products: Map<string, SourceSet>,
  ids: Set<string>,
): Generator<CatalogEntry> {
  const known: Printing[] = [];
  for (const [at, card] of (value as unknown[]).entries()) {
    const where = `${path}[${at}]`;
    const printing = isObject(card) ? readPrinting(card) : 'not an object';
    if (typeof printing === 'string') {
      yield broken(printing, where);
      continue;
    }
    const { id, product } = printing;
    if (ids.has(id)) yield dropped('same_printing', where);
    else if (list.isUnsure(id, product)) yield dropped('product_unknown', where);
    else known.push(printing);
    ids.add(id);
  }
  for (const printing of namePrintings(known)) {
    const { id, product, number, name, variation, rarity, image, facts } = printing;
    const code = list.codeOf(product);
    const shared = code === null ? id : printing.sharedId;
    const set = products.get(product) ?? { key: product, name: list.nameOf(product), code, year: null };
    const ids: CatalogRecord['ids'] = [[list.source, id]];
    if (shared !== null) ids.push(['op-card', shared]);
    yield recordEntry({ game: 'one-piece', ids, set, number, name, variation, rarity, imageUrl: image, facts });
  }
}
