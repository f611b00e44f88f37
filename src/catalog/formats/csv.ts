import { stat } from 'node:fs/promises';
import { type FileLine, readLines, UnreadableFile } from './files.ts';

type CsvRow<Column extends string> = {
  /** Line in the file, from 1. */
  line: number;
  raw: string;
} & ({ fields: { [column in Column]?: string }; problem: null } | { fields: null; problem: string });

/**
 * Rows of a comma-separated file with a header. Quotes are those of RFC 4180, but a row is one line: so every problem has
 * an exact line and a stray quote spoils one row only. Throws UnreadableFile, before any row, when the file is empty,
 * binary, not UTF-8, or when its header lacks a column of `required` or has one that is not in `columns`.
 */
export async function* readCsv<Column extends string>(
  path: string,
  columns: readonly Column[],
  required: readonly Column[],
): AsyncGenerator<CsvRow<Column>> {
  let header: Column[] | null = null;
  for await (const line of textLines(path)) {
    const { number, text } = line;
    if (header === null) {
      if (text === null) throw new UnreadableFile(`${path}: line ${number}: ${line.problem}`);
      header = readHeader(path, number, text, columns, required);
      continue;
    }
    if (text === null) {
      yield { line: number, raw: '', fields: null, problem: line.problem };
      continue;
    }
    if (text.trim() === '') continue;
    const values = splitCsvLine(text);
    if (values === null) {
      yield { line: number, raw: text, fields: null, problem: 'a quoted field does not end on its line' };
    } else if (values.length !== header.length) {
      const problem = `${values.length} fields where the header has ${header.length}`;
      yield { line: number, raw: text, fields: null, problem };
    } else {
      const fields: { [column in Column]?: string } = {};
      for (let i = 0; i < header.length; i++) if (values[i] !== '') fields[header[i]!] = values[i]!;
      yield { line: number, raw: text, fields, problem: null };
    }
  }
  if (header === null) throw new UnreadableFile(`${path}: the file is empty`);
}

/** The lines of a text file; throws UnreadableFile at a NUL character, which no text has: binary, or UTF-16. */
export async function* textLines(path: string): AsyncGenerator<FileLine> {
  const info = await stat(path).catch(() => null);
  if (info === null) throw new UnreadableFile(`${path}: no such file`);
  let first = true;
  for await (const line of readLines(path)) {
    if (first && line.text === null)
      throw new UnreadableFile(`${path}: line ${line.number}: ${line.problem}; the file must be UTF-8 text`);
    if (line.text?.includes('\0')) {
      if (first) throw new UnreadableFile(`${path}: line ${line.number}: not text (a zero byte); save it as UTF-8`);
      yield { number: line.number, text: null, problem: 'the line has a zero byte' };
    } else yield line;
    first = false;
  }
}

/** The fields of one line, or null when a quoted field is not closed. */
export function splitCsvLine(line: string): string[] | null {
  if (!line.includes('"')) return line.split(',');
  const fields: string[] = [];
  let at = 0;
  while (true) {
    if (line[at] === '"') {
      let value = '';
      let from = at + 1;
      let end = line.indexOf('"', from);
      while (end !== -1 && line[end + 1] === '"') {
        value += line.slice(from, end + 1);
        from = end + 2;
        end = line.indexOf('"', from);
      }
      if (end === -1 || (end + 1 < line.length && line[end + 1] !== ',')) return null;
      fields.push(value + line.slice(from, end));
      at = end + 1;
    } else {
      const comma = line.indexOf(',', at);
      const end = comma === -1 ? line.length : comma;
      fields.push(line.slice(at, end));
      at = end;
    }
    if (at >= line.length) return fields;
    at++;
  }
}

/** `; "Sold At" is to be sold_at`: missing columns that the file has in other letters or with spaces; else ''. */
function spelling(names: readonly string[], missing: readonly string[]): string {
  const pairs = missing.flatMap((column) => {
    const name = names.find((one) => one.toLowerCase().replaceAll(/[ -]+/g, '_') === column);
    return name === undefined ? [] : [`"${name}" is to be ${column}`];
  });
  return pairs.length === 0 ? '' : `; ${pairs.join(', ')}`;
}

function readHeader<Column extends string>(
  path: string,
  number: number,
  text: string,
  columns: readonly Column[],
  required: readonly Column[],
): Column[] {
  const names = (splitCsvLine(text) ?? [text]).map((name) => name.trim());
  const headerError = (what: string) =>
    new UnreadableFile(`${path}: line ${number}: ${what}; known columns: ${columns.join(',')}`);
  const missing = required.filter((column) => !names.includes(column));
  const between = text.includes('\t') ? 'tabs' : text.includes(';') ? 'semicolons' : null;
  const hint = names.length === 1 && between !== null ? `; it has ${between} between its columns, not commas` : '';
  if (missing.length > 0) throw headerError(`the header lacks ${missing.join(', ')}${hint}${spelling(names, missing)}`);
  const unknown = names.filter((name) => !(columns as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw headerError(`unknown column ${unknown.map((name) => JSON.stringify(name.slice(0, 40))).join(', ')}`);
  if (new Set(names).size !== names.length) throw headerError('a column is there twice');
  return names as Column[];
}
