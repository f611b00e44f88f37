import type { CatalogEntry, CatalogFormat } from '../record.ts';
import { listFiles, problemOf, UnreadableFile } from './files.ts';
import { InvalidLine, recordOfLine } from './mintmark-line.ts';
import { readObjects } from './ndjson.ts';
import { broken } from './source-files.ts';
import type { Json } from './text.ts';

/** Our own format, described in docs/guide/mintmark-catalog-format.md: one printing a line, as JSON. */
export const mintmark: CatalogFormat = {
  name: 'mintmark',
  game: 'any',
  about: "Mintmark's own NDJSON: one printing a line (docs/guide/mintmark-catalog-format.md)",
  read,
};

async function* read(paths: readonly string[]): AsyncGenerator<CatalogEntry> {
  let isRead = false;
  let problem = `${paths.join(', ')}: no .ndjson file`;
  for (const path of await listFiles(paths, ['.ndjson', '.jsonl'])) {
    try {
      for await (const { line, value, problem } of readObjects(path)) {
        isRead = true;
        const where = `${path} line ${line}`;
        yield value === null ? broken(problem, where) : entryOf(value, where);
      }
    } catch (error) {
      // A file of another kind: one message, not one for every line.
      if (!(error instanceof UnreadableFile)) throw error;
      problem = error.message;
      yield broken(problemOf(error, path), path);
    }
  }
  if (!isRead) throw new UnreadableFile(problem);
}

function entryOf(value: Json, where: string): CatalogEntry {
  try {
    return { kind: 'record', record: recordOfLine(value) };
  } catch (error) {
    if (error instanceof InvalidLine) return broken(error.message, where);
    throw error;
  }
}
