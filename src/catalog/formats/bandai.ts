import type { CatalogEntry, CatalogFormat, SourceSet } from '../record.ts';
import { isSharedPromoId } from './bandai-promos.ts';
import { isBrokenFile, type JsonFile, readJsonFiles, readListsBeside } from './json-files.ts';
import { namePrintings, type Printing, printingRecord, productCode, readPrintings } from './one-piece-printings.ts';
import { cleanText, isObject, objects } from './text.ts';

/** Bandai's official English One Piece card list as vegapull saves it: a file a product, with names in packs.json. */
export const bandai: CatalogFormat = {
  name: 'bandai',
  game: 'one-piece',
  about: 'official One Piece card list (vegapull): OP-01.json and so on, with packs.json beside',
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
    if (key !== null && name !== null) products.set(key, { key, name, code: codeOf(key), year: null });
  }
  return products;
}

/** `OP-05` is printed so; the two lists of promotion cards have words for a key, no code. */
function codeOf(key: string): string | null {
  return productCode(key) === null ? null : key;
}

function isSideFile(value: unknown): boolean {
  if (isObject(value)) return 'packCount' in value;
  const first = objects(value)[0];
  return first !== undefined && 'code' in first && !('id' in first);
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
    const { id, product, where } = printing;
    // A list of promotion cards does not say what a card came in: without knowing it, it may be imported twice.
    if (ids.has(id)) yield { kind: 'dropped', reason: 'same_printing', where };
    else if (codeOf(product) === null && !isSharedPromoId(id))
      yield { kind: 'dropped', reason: 'product_unknown', where };
    else known.push(printing);
    ids.add(id);
  }
  for (const printing of namePrintings(known)) {
    const { id, product } = printing;
    const code = codeOf(product);
    const shared = code === null ? id : printing.sharedId;
    const set = products.get(product) ?? { key: product, name: product, code, year: null };
    yield {
      kind: 'record',
      record: printingRecord(
        printing,
        shared === null
          ? [['bandai', id]]
          : [
              ['bandai', id],
              ['op-card', shared],
            ],
        set,
      ),
    };
  }
}
