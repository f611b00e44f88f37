import { UnreadableFile } from '../catalog/formats/files.ts';
import { isObject, type Json } from '../catalog/formats/text.ts';
import type { TagEntry } from '../catalog/tags/import.ts';
import { parseTagRow, TAG_FIELDS } from '../catalog/tags/row.ts';
import { readCsv, textLines } from '../sales/formats/csv.ts';

/**
 * The rows of a tag file, CSV (`.csv`) or NDJSON (`.ndjson`, `.jsonl`). Throws UnreadableFile, before the first row, for
 * a file of another form.
 */
export function readTagFile(path: string): AsyncIterable<TagEntry> {
  if (/\.csv$/i.test(path)) return readTagCsv(path);
  if (/\.(ndjson|jsonl)$/i.test(path)) return readTagNdjson(path);
  throw new UnreadableFile(`${path}: a tag file ends with .csv, .ndjson or .jsonl`);
}

async function* readTagCsv(path: string): AsyncGenerator<TagEntry> {
  for await (const { line, fields, problem } of readCsv(path, TAG_FIELDS, ['kind', 'name'])) {
    if (problem !== null) yield { line, row: null, problem };
    else yield entryOf(line, fields);
  }
}

async function* readTagNdjson(path: string): AsyncGenerator<TagEntry> {
  for await (const { line, value, problem } of readObjects(path)) {
    if (value === null) yield { line, row: null, problem };
    else yield entryOf(line, value);
  }
}

function entryOf(line: number, fields: Json): TagEntry {
  const unknown = Object.keys(fields).find((key) => !(TAG_FIELDS as readonly string[]).includes(key));
  const row = unknown === undefined ? parseTagRow(fields) : `unknown field ${JSON.stringify(unknown.slice(0, 40))}`;
  return typeof row === 'string' ? { line, row: null, problem: row } : { line, row };
}

type ObjectLine = { line: number } & ({ value: Json; problem: null } | { value: null; problem: string });

/** The objects of an NDJSON file, one a line; blank lines are passed over. */
export async function* readObjects(path: string): AsyncGenerator<ObjectLine> {
  let seen = false;
  for await (const textLine of textLines(path)) {
    const { number: line, text } = textLine;
    if (text?.trim() === '') continue;
    const value = text === null ? null : parseObject(text);
    const problem = text === null ? textLine.problem : 'not a JSON object; NDJSON has one on each line';
    if (value === null && !seen) throw new UnreadableFile(`${path}: line ${line}: ${problem}`);
    seen = true;
    yield value === null ? { line, value, problem } : { line, value, problem: null };
  }
  if (!seen) throw new UnreadableFile(`${path}: the file is empty`);
}

function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
