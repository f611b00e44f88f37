/**
 * `node --import tsx bench/peers/peers.ts [text] [reads] [pictures] [--keep]`: parts of Mintmark next to what one would take instead, in
 * one run: MiniSearch and SQLite FTS5 for text, plain SQL and bare `node:http` for reads, sharp-phash for pictures; all of them when
 * none is named. Text needs the imported catalogs (DATABASE_URL or MINTMARK_DATA), pictures MINTMARK_TEST_DATA. Prints the table;
 * `--keep` also pastes it into bench/README.md, and needs all parts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { withWorld } from '../../src/commands/world.ts';
import { readConfig } from '../../src/config.ts';
import { pasted } from '../pasted.ts';
import { comparePictures } from './pictures.ts';
import { compareReads } from './reads.ts';
import { markdownTable, type Row } from './table.ts';
import { compareText } from './text.ts';

/** The settings without the folder of test data, which is not one. */
const { MINTMARK_TEST_DATA: _testData, ...settings } = process.env;
const PARTS: Record<string, () => Promise<Row[]>> = {
  text: () => withWorld(({ db, connection }) => compareText(db, connection), readConfig(settings)),
  reads: compareReads,
  pictures: comparePictures,
};
const README = new URL('../README.md', import.meta.url);

const { positionals, values } = parseArgs({ options: { keep: { type: 'boolean' } }, allowPositionals: true });
if (positionals.some((part) => !(part in PARTS)) || (values.keep && positionals.length > 0)) {
  console.error(`usage: node --import tsx bench/peers/peers.ts [${Object.keys(PARTS).join('] [')}] | --keep`);
  process.exit(2);
}

const loadBefore = loadavg()[0]!;
const rows: Row[] = [];
for (const [part, compare] of Object.entries(PARTS))
  if (positionals.length === 0 || positionals.includes(part)) rows.push(...(await compare()));
const day = new Date().toISOString().slice(0, 10);
const loads = [loadBefore, loadavg()[0]!].map((load) => load.toFixed(1)).join(' at its beginning, ');
const table = `${markdownTable(rows)}\n\nNode ${process.versions.node}, ${day}, load ${loads} at its end.`;
console.log(table);
if (values.keep) writeFileSync(README, pasted(readFileSync(README, 'utf8'), 'peers', table));
