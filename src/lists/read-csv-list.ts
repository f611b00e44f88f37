import { CsvError, type Info, parse } from 'csv-parse/sync';
import { Errors } from 'typebox/value';
import { quoted } from '../http/allowed.ts';
import { faultIn } from '../http/body/form-errors.ts';
import { invalidParameter } from '../http/problem.ts';
import { exportWith } from './list-exports.ts';
import { type ListLine, listLine, MAX_LINES, NAMES } from './list-lines.ts';

/** A row: its cells, and the line of the file that it ends on. */
type ListRow = { record: string[]; info: Pick<Info, 'lines'> };
type Cells = Record<string, string>;

/** No export has half as many. */
const MAX_COLUMNS = 100;
const COLUMNS = Object.keys(listLine.properties);

/** Reads a table with a header, separated by commas, semicolons or tabs. Throws the 400 problem. */
function readTable(text: string): { columns: string[]; rows: ListRow[] } {
  const [header = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  const delimiter = ['\t', ';', ','].find((mark) => header.includes(mark)) ?? ',';
  // The parser takes seconds for a body of nothing but delimiters.
  const maxCells = MAX_LINES * MAX_COLUMNS;
  if (text.split(delimiter, maxCells + 1).length > maxCells) throw tooWide();
  let records: ListRow[];
  try {
    records = parse(text, {
      bom: true,
      delimiter,
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
      info: true,
      to: MAX_LINES + 2,
    }) as unknown as ListRow[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const what = 'a quote is in the wrong place, or not closed';
    throw invalidParameter('body', `The list is not CSV: line ${Number(error.lines)}: ${what}.`);
  }
  const [names, ...rows] = records;
  const columns = names?.record ?? [];
  if (rows.length > MAX_LINES) throw tooLong();
  if (columns.length > MAX_COLUMNS) throw tooWide();
  return { columns, rows };
}

function cellsOf(names: readonly string[], { record }: ListRow): Cells {
  return Object.fromEntries(names.map((name, n) => [name, record[n] ?? '']));
}

/** The column of ours that a header names, in capitals or not; else the name as it is. */
function columnOf(name: string): string {
  return COLUMNS.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
}

/**
 * A list as a person pastes it: CSV of ours, an export of another program, or a title a line, with a quantity before it (`3x`).
 * Throws the 400 problem.
 */
export function readPastedList(text: string): ListLine[] {
  const [header = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  const columns = header.split(/[,;\t]/).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const namesCards = columns.some((name) => NAMES.some((one) => one === columnOf(name)));
  if (namesCards || exportWith(columns) !== null) return readCsvList(text).lines;
  const titles = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (titles.length > MAX_LINES) throw tooLong();
  return titles.map((line) => {
    const [, quantity, title] = /^\s*(?:([1-9]\d{0,3})\s*x\s+)?(.*)$/i.exec(line)!;
    return { title: title!.trim().slice(0, 400), ...(quantity === undefined ? {} : { quantity: Number(quantity) }) };
  });
}

function tooLong() {
  return invalidParameter('body', `A list has at most ${MAX_LINES} lines; this one has more.`);
}

function tooWide() {
  return invalidParameter('body', `A list has at most ${MAX_COLUMNS} columns; this one has more.`);
}

/** The body of a list from CSV with the names of its members as columns, or an export. Throws the 400 problem. */
export function readCsvList(text: string): { lines: ListLine[] } {
  const { columns, rows } = readTable(text);
  const format = exportWith(columns);
  if (format !== null) {
    const lines = rows.flatMap((row) => {
      const cells = cellsOf(columns, row);
      const quantity = cells[format.quantity]!;
      // Exports also have cards that are only watched, or are sold.
      return /^0+$/.test(quantity) ? [] : [withQuantity(row, format.lineOf(cells), quantity)];
    });
    return { lines };
  }
  const names = columns.map(columnOf);
  const unknown = names.find((name) => !COLUMNS.includes(name));
  if (unknown !== undefined)
    throw invalidParameter('body', `Columns are some of ${COLUMNS.join(', ')}; got ${quoted(unknown)}.`);
  return {
    lines: rows.map((row) => {
      const { quantity, ...cells } = cellsOf(names, row);
      return withQuantity(row, namedBy(row, cells), quantity);
    }),
  };
}

/** A line with its quantity. Throws the 400 problem, with the line of the file, where it does not fit the schema. */
function withQuantity({ info }: ListRow, named: ListLine, quantity = ''): ListLine {
  const counted = /^\d{1,9}$/.test(quantity) ? Number(quantity) : quantity;
  const line = { ...named, ...(quantity === '' ? {} : { quantity: counted }) };
  const [fault] = Errors(listLine, line);
  if (fault !== undefined) throw invalidParameter('body', `Line ${info.lines}: ${faultIn(fault, listLine, line)}.`);
  return line as ListLine;
}

function namedBy({ info }: ListRow, { externalId, ...texts }: Cells): ListLine {
  const filled = Object.fromEntries(Object.entries(texts).filter(([, cell]) => cell !== ''));
  if (!externalId) return filled;
  const [, space, id] = /^([^:]+):(.+)$/.exec(externalId) ?? [];
  if (space === undefined)
    throw invalidParameter(
      'body',
      `Line ${info.lines}: externalId must be a catalog and its id, as in tcgdex:base1-4; got ${quoted(externalId)}.`,
    );
  return { ...filled, externalId: { space, id: id! } };
}
