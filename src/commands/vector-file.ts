import { readCsv } from '../catalog/formats/csv.ts';
import { UnreadableFile } from '../catalog/formats/files.ts';
import { readObjects } from '../catalog/formats/ndjson.ts';
import { isUnitVector, VECTOR_LENGTH } from '../catalog/tags/zero-shot.ts';
import { EMBEDDING_MODEL } from '../vision/encoder/models.ts';
import type { VectorEntry } from '../vision/import-vectors.ts';

const COLUMNS = ['itemId', 'href', 'model', 'vector'] as const;

/**
 * The rows of a file of vectors: NDJSON (`.ndjson`, `.jsonl`; `vector` a list of numbers) or CSV (`.csv`; the numbers
 * with blanks between them), each with `itemId` or `href`, `model` and `vector`. Throws UnreadableFile, before the first
 * row, for a file of another form.
 */
export function readVectorFile(path: string): AsyncIterable<VectorEntry> {
  if (/\.csv$/i.test(path)) return readVectorCsv(path);
  if (/\.(ndjson|jsonl)$/i.test(path)) return readVectorNdjson(path);
  throw new UnreadableFile(`${path}: a file of vectors ends with .csv, .ndjson or .jsonl`);
}

async function* readVectorCsv(path: string): AsyncGenerator<VectorEntry> {
  for await (const { line, fields, problem } of readCsv(path, COLUMNS, ['model', 'vector'])) {
    if (problem !== null) yield { line, item: null, problem };
    else yield entryOf(line, { ...fields, vector: fields.vector?.trim().split(/\s+/).map(Number) });
  }
}

async function* readVectorNdjson(path: string): AsyncGenerator<VectorEntry> {
  for await (const { line, value, problem } of readObjects(path)) {
    if (value === null) yield { line, item: null, problem };
    else yield entryOf(line, value);
  }
}

function entryOf(line: number, { itemId, href, model, vector, ...others }: Record<string, unknown>): VectorEntry {
  const refuse = (problem: string): VectorEntry => ({ line, item: null, problem });
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) return refuse(`unknown field ${JSON.stringify(unknown.slice(0, 40))}`);
  if (model !== EMBEDDING_MODEL) return refuse(`model must be ${EMBEDDING_MODEL}`);
  if ((itemId === undefined) === (href === undefined)) return refuse('a row has itemId or href');
  const item = itemId ?? href;
  if (typeof item !== 'string') return refuse('itemId and href are texts');
  if (!isUnitVector(vector))
    return refuse(`vector takes ${VECTOR_LENGTH} finite numbers whose length is 1 within a thousandth`);
  return { line, item, vector, problem: null };
}
