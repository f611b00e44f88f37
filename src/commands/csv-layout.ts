import type { Command } from 'commander';
import { Option } from 'commander';
import type { Db } from '../db/client.ts';
import type { SpreadsheetOptions } from '../sales/formats/spreadsheet/column-layout.ts';
import type { LayoutFound } from '../sales/formats/spreadsheet/spreadsheet.ts';
import type { DayOrder, DecimalMark } from '../sales/formats/spreadsheet/values.ts';
import { CommandError, EXIT } from './world.ts';

/** Options of an import that say how a CSV file is written, as the command line has them. */
export type CsvOptions = {
  map?: string[];
  set?: string[];
  decimal?: DecimalMark;
  days?: DayOrder;
  layout?: string;
  saveAs?: string;
};

/** Adds the options of the format `csv` to a command. */
export function addCsvOptions(command: Command): Command {
  return command
    .option('--map <field=column...>', 'csv: which column a field is in, where its name does not say: price="Sold for"')
    .option('--set <field=value...>', 'csv: the value of a field for every row: currency=USD source=shop')
    .addOption(
      new Option('--decimal <mark>', 'csv: how prices are written, if the file leaves it open').choices([
        'point',
        'comma',
      ]),
    )
    .addOption(
      new Option('--days <order>', 'csv: how days are written, if the file leaves it open').choices(['dmy', 'mdy']),
    )
    .option('--save-as <name>', 'csv: keep these four options under a name')
    .option('--layout <name>', 'csv: use the options that were kept under this name');
}

/** What the operator states about the files, also by name; saves it where asked to. Throws CommandError for a mistake. */
export async function csvOptions(db: Db, given: CsvOptions, known: readonly string[]): Promise<SpreadsheetOptions> {
  const saved = given.layout === undefined ? {} : await savedLayout(db, given.layout);
  const options: CsvOptions = {
    map: [...(saved.map ?? []), ...(given.map ?? [])],
    set: [...(saved.set ?? []), ...(given.set ?? [])],
    decimal: given.decimal ?? saved.decimal,
    days: given.days ?? saved.days,
  };
  const stated = {
    map: pairs('--map', options.map!, known),
    set: pairs('--set', options.set!, known),
    decimal: options.decimal ?? null,
    days: options.days ?? null,
    dollar: null,
  };
  if (given.saveAs !== undefined)
    await db.query(
      `insert into csv_layouts (name, layout) values ($1, $2)
       on conflict (name) do update set layout = excluded.layout, saved_at = now()`,
      [given.saveAs, JSON.stringify(options)],
    );
  return stated;
}

/** Throws CommandError where an option of the format `csv` comes with another format. */
export function rejectCsvOptions(given: CsvOptions, format: string): void {
  const option = ['map', 'set', 'decimal', 'days', 'layout', 'saveAs'].find((name) => name in given);
  if (option !== undefined)
    throw new CommandError(
      `--${option === 'saveAs' ? 'save-as' : option} is for the format csv; ${format} files have one layout`,
      EXIT.usage,
    );
}

/** Prints how a file is read, so that a wrong guess shows. */
export const showLayout: LayoutFound = (path, { encoding, delimiter, fields, renamed, ignored, decimal, days }) => {
  const between = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }[delimiter];
  const parts = [`${encoding}, ${between}, decimal ${decimal}`];
  if (days !== null) parts.push(days === 'dmy' ? 'day before month' : 'month before day (with dots: day before month)');
  const named = renamed.map(([field, columns]) => `${field} ← ${columns.map((name) => `"${name}"`).join(' + ')}`);
  if (named.length > 0) parts.push(named.join(', '));
  if (ignored.length > 0) parts.push(`ignored: ${ignored.map((name) => `"${name}"`).join(', ')}`);
  // If the column were mapped only later, every sale would be added a second time.
  if (ignored.length > 0 && !fields.includes('sale_id'))
    parts.push('no column contains sale ids; if one of these does, use --map sale_id="…" now and for later files');
  console.error(`${path}: ${parts.join('; ')}`);
};

async function savedLayout(db: Db, name: string): Promise<CsvOptions> {
  const rows = await db.query<{ name: string; layout: CsvOptions }>(
    'select name, layout from csv_layouts order by name',
  );
  const found = rows.find((row) => row.name === name);
  if (found !== undefined) return found.layout;
  const names = rows.length === 0 ? 'none is saved' : `there is ${rows.map((row) => row.name).join(', ')}`;
  throw new CommandError(`there is no layout "${name}"; ${names}`, EXIT.usage);
}

function pairs(option: string, texts: readonly string[], known: readonly string[]): Map<string, string> {
  return new Map(
    texts.map((text) => {
      const [, field, value] = /^([a-z_]+)=(.+)$/s.exec(text) ?? [];
      if (field === undefined || !known.includes(field))
        throw new CommandError(
          `${option} takes field=…, with a field of ${known.join(', ')}; got "${text}"`,
          EXIT.usage,
        );
      return [field, value!];
    }),
  );
}
