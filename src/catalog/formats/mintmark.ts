import type { CatalogEntry, CatalogFormat } from '../record.ts';
import { listFiles, readLines, UnreadableFile } from './files.ts';
import { InvalidLine, recordOfLine } from './mintmark-line.ts';
import { broken } from './source-files.ts';
import { type Json, parseObject } from './text.ts';

/** Our own format, described in docs/guide/mintmark-catalog-format.md: one printing a line, as JSON. */
export const mintmark: CatalogFormat = {
  name: 'mintmark',
  game: 'any',
  about: "Mintmark's own NDJSON: one printing a line (docs/guide/mintmark-catalog-format.md)",
  read,
};

async function* read(paths: readonly string[]): AsyncGenerator<CatalogEntry> {
  let readable = 0;
  let refusal = `${paths.join(', ')}: no .ndjson file`;
  for (const path of await listFiles(paths, ['.ndjson', '.jsonl'])) {
    let begun = false;
    let problem = 'no line in it';
    for await (const line of readLines(path)) {
      if (line.text?.trim() === '') continue;
      const where = `${path} line ${line.number}`;
      const value = line.text === null ? null : parseObject(line.text);
      // A first line that is not JSON object means a file of another kind: one message, not one for every line.
      if (!begun && value === null) {
        problem = `line ${line.number} is not JSON object`;
        break;
      }
      begun = true;
      if (value === null) {
        yield broken(line.text === null ? line.problem : 'not a JSON object', where);
        continue;
      }
      yield entryOf(value, where);
    }
    if (begun) readable++;
    else {
      refusal = `${path}: ${problem}`;
      yield broken(problem, path);
    }
  }
  if (readable === 0) throw new UnreadableFile(refusal);
}

function entryOf(value: Json, where: string): CatalogEntry {
  try {
    return { kind: 'record', record: recordOfLine(value) };
  } catch (error) {
    if (error instanceof InvalidLine) return broken(error.message, where);
    throw error;
  }
}
