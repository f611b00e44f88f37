import { readCsv } from '../catalog/formats/csv.ts';
import { UnreadableFile } from '../catalog/formats/files.ts';
import { readObjects } from '../catalog/formats/ndjson.ts';
import type { Json } from '../catalog/formats/text.ts';
import type { TagEntry } from '../catalog/tags/import-tags.ts';
import { parseTagRow, TAG_FIELDS } from '../catalog/tags/row.ts';

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
