import { basename, dirname, join } from 'node:path';
import { groupBy } from '../../lib/group-by.ts';
import type { CatalogEntry, CatalogFormat, SourceSet } from '../record.ts';
import { listFiles, readLines, UnreadableFile } from './files.ts';
import { broken, dropped, recordEntry } from './source-files.ts';
import { cleanText } from './text.ts';

const SET: SourceSet = { key: 't206', name: '1909-11 T206', code: 'T206', year: 1909 };

/** The T206 tables: cards have no numbers; the pose distinguishes a player's cards. */
export const t206api: CatalogFormat = {
  name: 't206api',
  game: 'sports',
  about: 't206api tables (sports, 1909-11): the folder with card.csv, card_teams.csv and variation.csv',
  read,
};

/** What names a card in every table. */
const CARD_COLUMNS = ['first_name', 'last_name', 'pose'];

/** The set has 524 cards. */
const MAX_ROWS = 10_000;

type Row = { line: number; fields: Record<string, string> };

async function* read(paths: readonly string[]): AsyncGenerator<CatalogEntry> {
  const cardFiles = (await listFiles(paths, ['card.csv'])).filter((path) => basename(path) === 'card.csv');
  let readable = 0;
  for (const path of cardFiles) {
    const cards = await readTable(path, [...CARD_COLUMNS, 'team_name']);
    yield* cards.problems;
    if (!cards.readable) continue;
    readable++;
    const folder = dirname(path);
    const teams = await readTable(join(folder, 'card_teams.csv'), [...CARD_COLUMNS, 'city', 'league']);
    const variations = await readTable(join(folder, 'variation.csv'), [...CARD_COLUMNS, 'description']);
    yield* teams.problems;
    yield* variations.problems;
    const teamsOf = groupBy(teams.rows, cardKey);
    const variationsOf = groupBy(variations.rows, cardKey);
    const seen = new Set<string>();
    for (const row of cards.rows) {
      const key = cardKey(row);
      const where = `${path} line ${row.line}`;
      if (seen.has(key)) {
        yield dropped('repeat', where);
        continue;
      }
      seen.add(key);
      yield* printings(row, teamsOf.get(key) ?? [], variationsOf.get(key) ?? [], where);
    }
    for (const [key, rows] of variationsOf)
      if (!seen.has(key)) yield dropped('unknown_card', `${join(folder, 'variation.csv')} line ${rows[0]!.line}`);
  }
  if (readable === 0) throw new UnreadableFile(`${paths.join(', ')}: no card.csv of this format`);
}

/** The card, and the misprints and color differences that variation.csv names for it. */
function* printings(card: Row, teams: Row[], variations: Row[], where: string): Generator<CatalogEntry> {
  const name = cleanText(`${card.fields.first_name} ${card.fields.last_name}`);
  if (name === null) {
    yield broken('a card without a player', where);
    return;
  }
  const pose = cleanText(card.fields.pose);
  const clubs = teams.map(({ fields }) =>
    fields.league === 'Minor' ? fields.city! : `${fields.city} (${fields.league})`,
  );
  const team = clubs.join(' / ') || cleanText(card.fields.team_name);
  for (const difference of [null, ...variations.map(({ fields }) => cleanText(fields.description))]) {
    const words = [pose, difference].filter((part) => part !== null).join(': ');
    yield recordEntry({
      game: 'sports',
      ids: [['t206api', [name, pose ?? '', difference ?? ''].join('|')]],
      set: SET,
      number: null,
      name,
      variation: words === '' ? null : words,
      facts: { characters: [name], team: team || null },
    });
  }
}

function cardKey({ fields }: Row): string {
  return [fields.first_name, fields.last_name, fields.pose].join('|');
}

type Table = { readable: boolean; rows: Row[]; problems: CatalogEntry[] };

/** A whole CSV table with a header line (these are a few hundred lines); lines that do not fit are problems. */
async function readTable(path: string, columns: readonly string[]): Promise<Table> {
  const table: Table = { readable: false, rows: [], problems: [] };
  const report = (message: string, where: string) => table.problems.push(broken(message, where));
  let header: string[] | null = null;
  try {
    for await (const line of readLines(path)) {
      const cells = line.text === null ? null : cellsOf(line.text);
      if (header === null) {
        header = cells ?? [];
        const missing = columns.filter((column) => !header!.includes(column));
        if (missing.length > 0) {
          report(`no column ${missing.join(', ')}`, path);
          return table;
        }
        table.readable = true;
      } else if (cells === null || cells.length !== header.length) {
        if (line.text !== '') report(`not ${header.length} columns`, `${path} line ${line.number}`);
      } else if (table.rows.length === MAX_ROWS) {
        report(`more than ${MAX_ROWS} rows: this is not a T206 table`, path);
        break;
      } else {
        table.rows.push({ line: line.number, fields: Object.fromEntries(header.map((name, i) => [name, cells[i]!])) });
      }
    }
  } catch (error) {
    report(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, path);
  }
  if (header === null && table.problems.length === 0) report('empty', path);
  return table;
}

/** The source quotes cells with commas but not those with quotation marks of their own (`"A" on cap`). */
function cellsOf(line: string): string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"(?=,|$)|([^,]*))/g);
  return [...cells].map(([, quoted, bare]) => (quoted?.replaceAll('""', '"') ?? bare ?? '').trim());
}
