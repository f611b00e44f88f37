import { readJson, UnreadableFile } from '../../catalog/formats/files.ts';
import { type Json, objects } from '../../catalog/formats/text.ts';
import { isUnreadable, type UnreadableField } from '../row-fields.ts';
import { parseSale, type RawSale, type Sale } from '../sale.ts';

/** One row of a file: a sale, or a row that is not a sale, with the reason. Lines count from 1 (records of a JSON array too). */
export type SaleEntry = {
  line: number;
  /** Place of the file among those of its import, from 1; absent for a row of no file. */
  file?: number;
  /** The import that reported the row, where an earlier one did; it waited in between. */
  originImportId?: number;
  /** The decision on which a recorded sale is on the card that the row names by its id. */
  decisionId?: number;
  /** An earlier line of the file that states the same sale, which counts once. */
  sameAsLine?: number;
} & ({ sale: Sale } | { sale: null; unreadable: UnreadableField; raw: string });

/** A kind of sales file that can be imported. */
export type SalesFormat = {
  /** The word an operator types: `mintmark import sales <name> <path…>`. */
  name: string;
  /** One line for `--help`: what files it reads. */
  about: string;
  /** How names of its files end, where a folder is given. */
  extensions: readonly string[];
  /** Reads one file. Throws UnreadableFile, before the first row, when it is not a file of this format. */
  read(path: string): AsyncIterable<SaleEntry>;
};

/** The entry of a row: parsed, or unreadable with the reason. */
export function entryOf(raw: RawSale | UnreadableField, line: number, text: () => string): SaleEntry {
  const result = isUnreadable(raw) ? raw : parseSale(raw);
  if (isUnreadable(result)) return { line, sale: null, unreadable: result, raw: text() };
  return { line, sale: result };
}

/** The objects of a JSON array. Throws UnreadableFile when the first lacks one of `keys`: `what` lists those of the format. */
export async function readObjectArray(path: string, keys: readonly string[], what: string): Promise<Json[]> {
  const rows = objects(await readJson(path));
  if (rows.length === 0 || !keys.every((key) => key in rows[0]!))
    throw new UnreadableFile(`${path}: not a JSON array of ${what}`);
  return rows;
}

/** A format of files that are one JSON array each; `keys` identify it. */
export function jsonSales(
  { name, about, keys, what }: { name: string; about: string; keys: readonly string[]; what: string },
  rawOf: (row: Json) => RawSale,
): SalesFormat {
  return {
    name,
    about,
    extensions: ['.json'],
    async *read(path) {
      for (const [index, row] of (await readObjectArray(path, keys, what)).entries())
        yield entryOf(rawOf(row), index + 1, () => JSON.stringify(row));
    },
  };
}
