import { readCsv } from './csv.ts';
import { UnreadableFile } from './files.ts';
import { readObjects } from './ndjson.ts';

type KnownFieldsRow<Column extends string> = { line: number } & (
  | { fields: { [column in Column]?: unknown }; problem: null }
  | { fields: null; problem: string }
);

/**
 * Rows of a CSV (`.csv`) or NDJSON (`.ndjson`, `.jsonl`) file that has no columns but these; those of `required` are in
 * the header of a CSV. Throws UnreadableFile at once for another kind of file, and before the first row for one that is
 * not what its name says.
 */
export function readTable<Column extends string>(
  path: string,
  columns: readonly Column[],
  required: readonly Column[],
): AsyncIterable<KnownFieldsRow<Column>> {
  if (/\.csv$/i.test(path)) return readCsv(path, columns, required);
  if (/\.(ndjson|jsonl)$/i.test(path)) return readKnownFields(path, columns);
  throw new UnreadableFile(`${path}: a file of rows ends with .csv, .ndjson or .jsonl`);
}

async function* readKnownFields<Column extends string>(
  path: string,
  columns: readonly Column[],
): AsyncGenerator<KnownFieldsRow<Column>> {
  for await (const { line, value, problem } of readObjects(path)) {
    const unknown = Object.keys(value ?? {}).find((key) => !(columns as readonly string[]).includes(key));
    if (value === null) yield { line, fields: null, problem };
    else if (unknown === undefined) yield { line, fields: value as { [column in Column]?: unknown }, problem: null };
    else yield { line, fields: null, problem: `unknown field ${JSON.stringify(unknown.slice(0, 40))}` };
  }
}
