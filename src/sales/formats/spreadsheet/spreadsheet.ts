import { LISTING_FIELDS, type RawListing } from '../../crawl/listing.ts';
import { NO_DAY, show, type UnreadableField, unreadable } from '../../row-fields.ts';
import { type RawSale, SALE_FIELDS, type Sale } from '../../sale.ts';
import { type ListingsFormat, listingEntryOf } from '../listings.ts';
import { numbered } from '../numbered.ts';
import { entryOf, type SaleEntry, type SalesFormat } from '../sales-format.ts';
import { isDay, type Layout, layoutOf, type SpreadsheetOptions } from './column-layout.ts';
import { type CsvRecord, readRecords } from './records.ts';
import { isNoDay, isoDay, plainPrice } from './values.ts';

export type LayoutFound = (path: string, layout: Layout<string>) => void;

const NAME = 'csv';
const ABOUT = 'CSV as spreadsheets and shops save it: any delimiter, encoding, column names, number and date style';
const EXTENSIONS = ['.csv', '.tsv', '.txt'];

const NOTHING_STATED: SpreadsheetOptions = { map: new Map(), set: new Map(), decimal: null, days: null, dollar: null };

/**
 * Sales in a CSV file as people have them. `onLayout` gets how each file is read before its first row; `known` are the fields
 * that columns are read as; `isLeftOut` is called with a reader of each row's columns, by their field.
 */
export function spreadsheetSales(
  options = NOTHING_STATED,
  onLayout?: LayoutFound,
  known: readonly (typeof SALE_FIELDS)[number][] = SALE_FIELDS,
  isLeftOut?: IsLeftOut,
): SalesFormat {
  return {
    name: NAME,
    about: ABOUT,
    extensions: EXTENSIONS,
    async *read(path) {
      const required = ['price', 'sold_at', 'source'] as const;
      const layout = await layoutOf(path, known, required, options);
      onLayout?.(path, layout);
      const entries = salesIn(path, layout, required, options, isLeftOut);
      // An order may have several cards, and several copies of one. In a column named sale_id a later row corrects.
      yield* layout.fields.includes('sale_id') && !layout.renamed.some(([field]) => field === 'sale_id')
        ? entries
        : numbered(entries, copyOf);
    },
  };
}

async function* salesIn(...row: Parameters<typeof readRows>): AsyncGenerator<SaleEntry> {
  for await (const { record, fields } of readRows(...row))
    yield entryOf(fields as RawSale | UnreadableField, record.line, () => record.raw);
}

function copyOf({ item, company, grade, priceMinor }: Sale): string {
  return JSON.stringify([item.value, company, grade, priceMinor]);
}

/** Listings in a CSV file as people have them. */
export function spreadsheetListings(options = NOTHING_STATED, onLayout?: LayoutFound): ListingsFormat {
  return {
    name: NAME,
    about: ABOUT,
    extensions: EXTENSIONS,
    async *read(path, today) {
      const required = ['price', 'source', 'listing_id'] as const;
      const layout = await layoutOf(path, LISTING_FIELDS, required, options);
      onLayout?.(path, layout);
      for await (const { record, fields } of readRows(path, layout, required, options))
        yield listingEntryOf(fields as RawListing | UnreadableField, today, record.line, record.raw);
    },
  };
}

/** True for a row that is not a sale, such as the sum of others; `textOf` reads its column of a field. */
type IsLeftOut = (textOf: (field: (typeof SALE_FIELDS)[number]) => string) => boolean;

type Fields = { [field: string]: string };

async function* readRows(
  path: string,
  layout: Layout<string>,
  required: readonly string[],
  options: SpreadsheetOptions,
  isLeftOut?: IsLeftOut,
): AsyncGenerator<{ record: CsvRecord; fields: Fields | UnreadableField }> {
  for await (const record of readRecords(path, layout.encoding, layout.delimiter)) {
    const { line, values } = record;
    if (line <= layout.headerLine || values.every((text) => text.trim() === '')) continue;
    // Some exports end with lines about themselves, such as the number of records.
    if (values.every((text, at) => text.trim() === '' || !required.includes(layout.fields[at] ?? ''))) continue;
    if (isLeftOut?.((field) => values[layout.fields.indexOf(field)]?.trim() ?? '')) continue;
    if (values.length > layout.fields.length && values.slice(layout.fields.length).some((text) => text.trim() !== ''))
      yield {
        record,
        fields: unreadable('bad_row', `${values.length} fields where the header has ${layout.fields.length}`),
      };
    else yield { record, fields: fieldsOf(values, layout, options) };
  }
}

/** A row with plain prices and ISO days; what cannot be read so stays as it is, and is rejected by name. */
function fieldsOf(
  values: readonly string[],
  { fields, joined, decimal, days }: Layout<string>,
  { set, dollar }: SpreadsheetOptions,
): Fields | UnreadableField {
  const row: Fields = Object.fromEntries(set);
  for (const [at, text] of values.entries()) {
    const field = fields[at];
    if (field == null || text.trim() === '') continue;
    if (isDay(field) && isNoDay(text)) return unreadable('bad_date', `${field} ${show(text.trim())} ${NO_DAY}`);
    row[field] = isDay(field) ? isoDay(text, days) : text.trim();
  }
  for (const [field, places] of joined) {
    const texts = places.map((at) => values[at]?.trim() ?? '');
    // The others only add to the first: an SKU alone is the id of no sale.
    if (texts[0] !== '') row[field] = texts.filter((text) => text !== '').join(' ');
  }
  if (row.price === undefined) return unreadable('bad_price', 'the price is empty');
  const price = plainPrice(row.price, decimal);
  if (price === null) {
    const example = decimal === 'point' ? '2,450.00' : '2.450,00';
    return unreadable('bad_price', `price ${JSON.stringify(row.price)} is not a price such as ${example} or $24`);
  }
  const { currency } = row;
  const shown = price.currency ?? (row.price.includes('$') ? dollar : null);
  if (currency !== undefined && shown !== null && shown !== currency.toUpperCase())
    return unreadable('bad_currency', `the price is in ${shown}, the currency is ${currency}`);
  row.price = price.price;
  row.currency = (currency ?? shown ?? '').toUpperCase();
  if (row.currency === '')
    return unreadable('bad_currency', 'no currency: state it for every row with --set currency=USD');
  splitGrade(row);
  // BGS 9,5: no grade has a comma of another meaning.
  row.grade &&= row.grade.replace(/(\d),(\d)(?!\d)/, '$1.$2');
  if (row.source !== undefined) row.source = row.source.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return row;
}

/** One column often has both: `PSA 10`, `Raw`. */
function splitGrade(row: Fields): void {
  if (row.company !== undefined || row.grade === undefined) return;
  const [, company, grade] = /^([A-Za-z]{3,7})\s+(.+)$/.exec(row.grade) ?? [];
  if (/^(raw|ungraded)$/i.test(row.grade)) {
    row.company = 'RAW';
    delete row.grade;
  } else if (company !== undefined && /^(PSA|BGS|CGC|SGC|BECKETT|RAW)$/i.test(company)) {
    row.company = company;
    row.grade = grade!;
  }
}
