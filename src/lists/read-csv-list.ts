import { CsvError, parse } from 'csv-parse/sync';
import { quoted } from '../http/allowed.ts';
import { invalidParameter } from '../http/problem.ts';
import { exportWith } from './list-exports.ts';
import { type ListLine, listLine, MAX_LINES } from './list-lines.ts';

/** A table as it was sent: the names of its columns, and a record each row. */
type ReadTable = { columns: string[]; rows: Record<string, string>[] };

/** No export has half as many. */
const MAX_COLUMNS = 100;
const COLUMNS = Object.keys(listLine.properties);

/** Reads a table with a header, separated by commas, semicolons or tabs. Throws the 400 problem. */
function readTable(text: string): ReadTable {
  const [header = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  const delimiter = ['\t', ';', ','].find((mark) => header.includes(mark)) ?? ',';
  // The parser takes seconds for a body of nothing but delimiters.
  const maxCells = MAX_LINES * MAX_COLUMNS;
  if (text.split(delimiter, maxCells + 1).length > maxCells) throw tooWide();
  let records: string[][];
  try {
    records = parse(text, {
      bom: true,
      delimiter,
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
      to: MAX_LINES + 2,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const what = 'a quote is in the wrong place, or not closed';
    throw invalidParameter('body', `The list is not CSV: line ${Number(error.lines)}: ${what}.`);
  }
  const [columns = [], ...rows] = records;
  if (rows.length > MAX_LINES) throw tooLong();
  if (columns.length > MAX_COLUMNS) throw tooWide();
  return { columns, rows: rows.map((cells) => Object.fromEntries(columns.map((name, n) => [name, cells[n] ?? '']))) };
}

/**
 * A list as a person pastes it: CSV of ours, an export of another program, or a title a line, with a quantity before it (`3x`).
 * Throws the 400 problem.
 */
export function readPastedList(text: string): ListLine[] {
  const [header = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  const columns = header.split(/[,;\t]/).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  if (columns.every((name) => COLUMNS.includes(name)) || exportWith(columns) !== null) return readCsvList(text).lines;
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
  if (format !== null) return { lines: rows.map(format.lineOf) };
  const unknown = columns.find((name) => !COLUMNS.includes(name));
  if (unknown !== undefined)
    throw invalidParameter('body', `Columns are some of ${COLUMNS.join(', ')}; got ${quoted(unknown)}.`);
  return { lines: rows.map(lineOf) };
}

function lineOf(row: Record<string, string>): ListLine {
  const filled = Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')) as Record<string, unknown>;
  const { quantity, externalId } = row;
  // What is not a number stays a text, which the schema rejects by its place.
  if (quantity && /^\d{1,9}$/.test(quantity)) filled.quantity = Number(quantity);
  const [, space, id] = /^([^:]+):(.+)$/.exec(externalId ?? '') ?? [];
  if (space !== undefined) filled.externalId = { space, id };
  return filled as ListLine;
}
