import { problemOf, UnreadableFile } from '../../../catalog/formats/files.ts';
import { type ColumnMap, type Columns, columnsOf, listed } from './columns.ts';
import { type CsvRecord, DELIMITERS, type Delimiter, encodingOf, readRecords, type TextEncoding } from './records.ts';
import { type DayOrder, type DecimalMark, dayOrderOf, decimalMarkOf, namesCurrency, needsDayOrder } from './values.ts';

/** What an operator states about a file; null and absent is found in the file itself. */
export type SpreadsheetOptions = {
  /** The column of a field, where its name does not say. */
  map: ColumnMap;
  /** Values of fields that the file has no column for. */
  set: ReadonlyMap<string, string>;
  decimal: DecimalMark | null;
  days: DayOrder | null;
  /** The currency of a plain $; null if the file has to name it. */
  dollar: string | null;
};

/** How a file is to be read. */
export type Layout<Field extends string> = Columns<Field> & {
  encoding: TextEncoding;
  delimiter: Delimiter;
  /** The line of the header: some exports have other lines before it. */
  headerLine: number;
  decimal: DecimalMark;
  days: DayOrder | null;
};

/** Lines before the header that are skipped at most. */
const PREAMBLE = 10;

/** Reads a file once to find out how it is written. Throws UnreadableFile with all that is to be stated where it leaves that open. */
export async function layoutOf<Field extends string>(
  path: string,
  known: readonly Field[],
  required: readonly Field[],
  options: SpreadsheetOptions,
): Promise<Layout<Field>> {
  const encoding = await encodingOf(path);
  const { delimiter, headerLine, columns } = await findHeader(path, encoding, known, options);
  const isStated = (field: string) => columns.fields.includes(field as Field) || options.set.has(field);
  const missing: string[] = required.filter((field) => !isStated(field));
  const marks = evidence('price', '--decimal', options.decimal);
  const orders = evidence('day', '--days', options.days);
  const currency = { prices: 0, named: isStated('currency') || options.dollar !== null };
  for await (const { line, values } of readRecords(path, encoding, delimiter)) {
    if (line <= headerLine) continue;
    for (const [at, text] of values.entries()) {
      const field = columns.fields[at];
      if (text === '') continue;
      if (field === 'price') {
        currency.prices++;
        currency.named ||= namesCurrency(text);
      }
      if (field === 'price') marks.take(line, text, decimalMarkOf(text), /\d[.,]\d{3}\b/.test(text));
      else if (isDay(field ?? '')) orders.take(line, text, dayOrderOf(text), needsDayOrder(text));
    }
  }
  // A currency that some prices have and others lack is a matter of their rows.
  if (currency.prices > 0 && !currency.named) missing.push('currency');
  const problems = [marks.problem(), orders.problem()].filter((problem) => problem !== null);
  if (missing.length > 0) problems.unshift(`line ${headerLine}: ${withoutColumns(missing, columns.header)}`);
  if (problems.length > 0) throw new UnreadableFile(`${path}: ${problems.join('. Also ')}`);
  return {
    ...columns,
    encoding,
    delimiter,
    headerLine,
    decimal: marks.found() ?? 'point',
    days: orders.found(),
  };
}

/** Fields that differ from row to row. */
const OF_ONE_ROW = ['price', 'sold_at', 'listing_id'];

/** What to state about fields that are missing. */
function withoutColumns(missing: readonly string[], header: readonly string[]): string {
  const common = missing.filter((field) => !OF_ONE_ROW.includes(field));
  const set = `, or state ${common.join(', ')} for every row with --set ${common.map((field) => `${field}=…`).join(' ')}`;
  return `no column for ${missing.join(', ')}: name it with --map ${missing[0]}="…"${common.length === 0 ? '' : set}; the columns are ${listed(header)}`;
}

/** True for fields that are days. */
export function isDay(field: string): boolean {
  return ['sold_at', 'known_at', 'first_seen', 'last_seen', 'ended_at'].includes(field);
}

/** The first record with a column that is known, by the delimiter that finds most of them. */
async function findHeader<Field extends string>(
  path: string,
  encoding: TextEncoding,
  known: readonly Field[],
  { map }: SpreadsheetOptions,
): Promise<{ delimiter: Delimiter; headerLine: number; columns: Columns<Field> }> {
  let best: { delimiter: Delimiter; headerLine: number; columns: Columns<Field>; count: number } | null = null;
  let likely: UnknownHeader | null = null;
  let problem: string | null = null;
  let isEmpty = true;
  for (const delimiter of DELIMITERS) {
    const { records, problem: broken } = await firstRecords(path, encoding, delimiter);
    isEmpty &&= records.length === 0 && broken === null;
    problem ??= broken;
    for (const { line, values } of records) {
      const columns = columnsOf(values, known, map);
      const isWrong = typeof columns === 'string';
      const names = values.filter((name) => name.trim() !== '');
      // The file's own delimiter finds the most names; another cuts at decimal commas at most.
      if (names.length > (likely?.names.length ?? 1)) likely = { line, names, wrong: isWrong ? columns : null };
      if (isWrong) continue;
      const count = columns.fields.filter((field) => field !== null).length;
      if (count >= 2 && count > (best?.count ?? 0)) best = { delimiter, headerLine: line, columns, count };
    }
  }
  if (isEmpty) throw new UnreadableFile(`${path}: the file is empty`);
  if (best === null) throw new UnreadableFile(`${path}: ${withoutHeader(likely, problem, known)}`);
  return best;
}

/** A record that may be the header, though none of its names is known; `wrong` is what columnsOf says about it. */
type UnknownHeader = { line: number; names: readonly string[]; wrong: string | null };

/** What to state about a file in which no header was found. */
function withoutHeader(likely: UnknownHeader | null, problem: string | null, known: readonly string[]): string {
  if (likely === null && problem !== null) return problem;
  if (likely?.wrong) return `line ${likely.line}: ${likely.wrong}`;
  const shown = likely === null ? '' : `; line ${likely.line} has ${listed(likely.names)}`;
  return `no header: none of the first ${PREAMBLE} lines has two columns with a known name${shown}. Name them, as in --map title="…" price="…" sold_at="…", for the fields ${known.join(', ')}`;
}

/** The records in which the header may be; with another delimiter than the file's, quotes can be in the wrong place. */
async function firstRecords(
  path: string,
  encoding: TextEncoding,
  delimiter: Delimiter,
): Promise<{ records: CsvRecord[]; problem: string | null }> {
  const records: CsvRecord[] = [];
  try {
    for await (const record of readRecords(path, encoding, delimiter)) if (records.push(record) === PREAMBLE) break;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { records, problem: problemOf(error, path) };
  }
  return { records, problem: null };
}

/** Collects what values of a file show about how they are written, unless it is stated. A contradiction is a problem. */
function evidence<Shown extends string>(what: string, option: string, stated: Shown | null) {
  type Value = { line: number; text: string };
  let first: (Value & { shown: Shown }) | null = null;
  let open: Value | null = null;
  let problem: string | null = null;
  return {
    take(line: number, text: string, shown: Shown | null, isOpen: boolean): void {
      if (stated !== null) return;
      if (shown === null) {
        if (isOpen) open ??= { line, text };
      } else if (first === null) first = { line, text, shown };
      else if (first.shown !== shown)
        problem ??= `the ${what} "${text}" of line ${line} and "${first.text}" of line ${first.line} are written differently: correct one, or state ${option}`;
    },
    found: (): Shown | null => stated ?? first?.shown ?? null,
    problem(): string | null {
      if (first === null && open !== null)
        return `line ${open.line}: the ${what} "${open.text}" can be read in two ways, and no other line decides: state ${option}`;
      return problem;
    },
  };
}
