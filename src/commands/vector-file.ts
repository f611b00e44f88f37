import { readTable } from '../catalog/formats/table.ts';
import { isUnitVector, VECTOR_LENGTH } from '../catalog/tags/zero-shot.ts';
import { EMBEDDING_MODEL } from '../vision/encoder/models.ts';
import type { VectorEntry } from '../vision/import-vectors.ts';

const COLUMNS = ['itemId', 'href', 'model', 'vector'] as const;
type Fields = { [column in (typeof COLUMNS)[number]]?: unknown };

/**
 * The rows of a file of vectors: NDJSON (`.ndjson`, `.jsonl`; `vector` a list of numbers) or CSV (`.csv`; the numbers
 * with blanks between them), each with `itemId` or `href`, `model` and `vector`. Throws UnreadableFile, before the first
 * row, for a file of another form.
 */
export async function* readVectorFile(path: string): AsyncGenerator<VectorEntry> {
  for await (const { line, fields, problem } of readTable(path, COLUMNS, ['model', 'vector'])) {
    if (fields === null) yield { line, item: null, problem };
    else yield entryOf(line, /\.csv$/i.test(path) ? { ...fields, vector: numbersOf(fields.vector) } : fields);
  }
}

function numbersOf(cell: unknown): number[] {
  return String(cell).trim().split(/\s+/).map(Number);
}

function entryOf(line: number, { itemId, href, model, vector }: Fields): VectorEntry {
  const reject = (problem: string): VectorEntry => ({ line, item: null, problem });
  if (model !== EMBEDDING_MODEL) return reject(`model must be ${EMBEDDING_MODEL}`);
  if ((itemId === undefined) === (href === undefined)) return reject('a row has itemId or href');
  const item = itemId ?? href;
  if (typeof item !== 'string') return reject('itemId and href are texts');
  if (!isUnitVector(vector))
    return reject(`vector takes ${VECTOR_LENGTH} finite numbers whose length is 1 within a thousandth`);
  return { line, item, vector, problem: null };
}
