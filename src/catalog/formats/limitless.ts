import type { CatalogEntry, CatalogFormat, SourceSet } from '../record.ts';
import { isBrokenFile, type JsonFile, readJsonFiles, readListsBeside } from './json-files.ts';
import { namePrintings, type Printing, printingRecord, productCode, readPrintings } from './one-piece-printings.ts';
import { cleanText, isObject, objects, yearOf } from './text.ts';

/** The One Piece list of Limitless: a file a product, with names and release dates in packs.json. */
export const limitless: CatalogFormat = {
  name: 'limitless',
  game: 'one-piece',
  about: 'Limitless One Piece list: cards/*.json, one a product, with packs.json beside',
  async *read(paths) {
    const products = await readProducts(paths);
    const ids = new Set<string>();
    for await (const file of readJsonFiles(paths)) {
      if (isBrokenFile(file)) yield file;
      else if (!isSideFile(file.value)) yield* readFile(file, products, ids);
    }
  },
};

async function readProducts(paths: readonly string[]): Promise<Map<string, SourceSet>> {
  const products = new Map<string, SourceSet>();
  for (const pack of await readListsBeside(paths, ['packs.json', '../packs.json'])) {
    const key = cleanText(pack.code);
    const name = cleanText(pack.name);
    if (key === null || name === null) continue;
    products.set(key, { key, name, code: productCode(key), year: yearOf(pack.releaseDate) });
  }
  return products;
}

/** The lists of products and the summary of prices hold no cards. */
function isSideFile(value: unknown): boolean {
  if (isObject(value)) return isObject(value.cards) && 'updatedAt' in value;
  const first = objects(value)[0];
  return first !== undefined && 'slug' in first && 'code' in first;
}

function* readFile(
  { name: file, value }: JsonFile,
  products: Map<string, SourceSet>,
  ids: Set<string>,
): Generator<CatalogEntry> {
  if (!Array.isArray(value)) {
    yield { kind: 'broken', message: 'not a list of cards', where: file };
    return;
  }
  const { printings, broken } = readPrintings(value, file);
  yield* broken;
  const known: Printing[] = [];
  for (const printing of printings) {
    if (ids.has(printing.id)) yield { kind: 'dropped', reason: 'same_printing', where: printing.where };
    else known.push(printing);
    ids.add(printing.id);
  }
  for (const printing of namePrintings(known)) {
    const { product } = printing;
    const code = productCode(product);
    const set = products.get(product) ?? { key: product, name: code ?? product.replaceAll('-', ' '), code, year: null };
    const shared = code === null ? printing.id : printing.sharedId;
    yield {
      kind: 'record',
      record: printingRecord(
        printing,
        shared === null
          ? [['limitless', printing.id]]
          : [
              ['limitless', printing.id],
              ['op-card', shared],
            ],
        set,
      ),
    };
  }
}
