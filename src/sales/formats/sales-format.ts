import type { UnreadableField } from '../row-fields.ts';
import { isUnreadable } from '../row-fields.ts';
import type { RawSale, Sale } from '../sale.ts';
import { parseSale } from '../sale.ts';

/** One row of a file: a sale, or a row that is not a sale, with the reason. Lines count from 1 (records of a JSON array too). */
export type SaleEntry = {
  line: number;
  /** Bytes of the file read so far. */
  endByte: number;
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

/** The entry of a row whose columns were found: parsed, or unreadable with the reason. */
export function entryOf(raw: RawSale, line: number, endByte: number, text: () => string): SaleEntry {
  const result = parseSale(raw);
  if (isUnreadable(result)) return { line, endByte, sale: null, unreadable: result, raw: text() };
  return { line, endByte, sale: result };
}
