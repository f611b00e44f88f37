import type { ListLine } from './list-lines.ts';

/** A row of an export, by the names of its columns. */
type ExportRow = Readonly<Record<string, string>>;

/** An export of a collection as another program writes it: the columns that identify it, and the line that a row is. */
type ExportFormat = {
  name: string;
  columns: readonly string[];
  /** The column of the quantity. */
  quantity: string;
  /** The line without its quantity. */
  lineOf(row: ExportRow): ListLine;
};

/**
 * Columns as public importers of these files document them and as samples in their tests have them, none from the vendors; looked
 * up in November 2026:
 *
 *   ManaBox    Name, Set code, Set name, Collector number, Foil, Rarity, Quantity, ManaBox ID, Scryfall ID, Purchase price,
 *              Misprint, Altered, Condition, Language, Purchase price currency (the `transmute` converter;
 *              sboulema/ManaBoxImporter)
 *   Moxfield   Count, Tradelist Count, Name, Edition (the set's code), Condition, Language, Foil, Tags, Last Modified,
 *              Collector Number, Alter, Proxy, Purchase Price (tests of several importers agree)
 *   TCGplayer  Quantity, Name, Simple Name, Set, Card Number, Set Code, Printing, Condition, Language, Rarity, Product ID, SKU
 *              (`transmute`; MTGCompanion)
 *   Collectr   Portfolio Name, Category, Set, Product Name, Card Number, Rarity, Variance, Grade, Card Condition, Average
 *              Cost Paid, Quantity, Market Price (…), Price Override, Watchlist, Date Added, Notes (tests of several importers agree)
 *
 * Their ids are of catalogs that we do not have, so a row becomes a title, which the title matcher reads.
 */
const FORMATS: readonly ExportFormat[] = [
  {
    name: 'ManaBox',
    columns: ['Name', 'Set name', 'Collector number', 'Foil', 'Quantity', 'ManaBox ID'],
    quantity: 'Quantity',
    lineOf: (row) => ({
      title: titleOf([
        'mtg',
        row['Set name'],
        row.Name,
        numbered(row['Collector number']),
        finish(row.Foil),
        language(row),
      ]),
      ...ungraded(row.Condition),
    }),
  },
  {
    name: 'Moxfield',
    columns: ['Count', 'Tradelist Count', 'Name', 'Edition', 'Collector Number', 'Foil'],
    quantity: 'Count',
    lineOf: (row) => ({
      title: titleOf([
        'mtg',
        row.Edition,
        row.Name,
        numbered(row['Collector Number']),
        finish(row.Foil),
        language(row),
      ]),
      ...ungraded(row.Condition),
    }),
  },
  {
    name: 'TCGplayer',
    columns: ['Quantity', 'Name', 'Simple Name', 'Set', 'Card Number', 'Printing'],
    quantity: 'Quantity',
    lineOf: (row) => ({
      title: titleOf([row.Set, row.Name, numbered(row['Card Number']), finish(row.Printing), language(row)]),
      ...ungraded(row.Condition),
    }),
  },
  {
    name: 'Collectr',
    columns: ['Category', 'Set', 'Product Name', 'Card Number', 'Variance', 'Grade', 'Quantity'],
    quantity: 'Quantity',
    lineOf: (row) => ({
      title: titleOf([row.Category, row.Set, row['Product Name'], numbered(row['Card Number']), finish(row.Variance)]),
      ...(/^(?:ungraded)?$/i.test(row.Grade!) ? ungraded(row['Card Condition']) : { gradeLabel: row.Grade! }),
    }),
  },
];

/** The format that has these columns; null for none. */
export function exportWith(columns: readonly string[]): ExportFormat | null {
  return FORMATS.find((format) => format.columns.every((column) => columns.includes(column))) ?? null;
}

/** Names of the programs whose exports are read. */
export const EXPORT_NAMES = FORMATS.map(({ name }) => name);

function titleOf(words: readonly (string | undefined)[]): string {
  return words.filter(Boolean).join(' ').slice(0, 400);
}

function numbered(number = ''): string {
  return number === '' ? '' : `#${number}`;
}

/** `normal` says nothing; a foil of ours is called Foil or Holo. */
function finish(text = ''): string {
  return /^(?:normal|false|non-?foil)$/i.test(text) ? '' : text.replace(/holofoil/i, 'Holo');
}

function language({ Language: stated = '' }: ExportRow): string {
  return /^(?:en|english)?$/i.test(stated) ? '' : stated;
}

/** `Near Mint Foil` and `near_mint` are conditions too; one that is not stated is read as near mint. */
function ungraded(condition = ''): Pick<ListLine, 'company' | 'grade'> {
  const grade = condition.replaceAll('_', ' ').replace(/\s*\b(?:reverse )?(?:holo)?foil$/i, '');
  return { company: 'RAW', ...(grade === '' ? {} : { grade }) };
}
