import { UnreadableFile } from '../catalog/formats/files.ts';
import { readObjects } from '../catalog/formats/ndjson.ts';
import { readTable } from '../catalog/formats/table.ts';
import type { TagEntry } from '../catalog/tags/import-tags.ts';
import { parseTagRow, TAG_FIELDS, type TagRow } from '../catalog/tags/row.ts';
import { isUnitVector, VECTOR_LENGTH, zeroShotTags } from '../catalog/tags/zero-shot.ts';

const VECTOR_RULE = `vector takes ${VECTOR_LENGTH} finite numbers whose length is 1`;
const KIND = 'mood';

type TextVector = { slug: string; row: TagRow; vector: number[] };

/** The rows of a tag file, CSV or NDJSON. Throws UnreadableFile, before the first row, for a file of another form. */
export async function* readTagFile(path: string): AsyncGenerator<TagEntry> {
  for await (const { line, fields, problem } of readTable(path, TAG_FIELDS, ['kind', 'name'])) {
    const row = fields === null ? problem : parseTagRow(fields);
    yield typeof row === 'string' ? { line, row: null, problem: row } : { line, row };
  }
}

/**
 * Moods of items by zero-shot classification, one row for each mood an item has. `textsPath`: NDJSON of kind (`mood`),
 * slug, name, vector; `itemsPath`: NDJSON of itemId, vector. Throws UnreadableFile when a text cannot be used: the
 * shares of all the others would be wrong.
 */
export async function* zeroShotRows(textsPath: string, itemsPath: string): AsyncGenerator<TagEntry> {
  const texts = await readTexts(textsPath);
  for await (const { line, value, problem } of readObjects(itemsPath)) {
    if (value === null) yield { line, row: null, problem };
    else if (typeof value.itemId !== 'string') yield { line, row: null, problem: 'itemId is missing' };
    else if (!isUnitVector(value.vector)) yield { line, row: null, problem: VECTOR_RULE };
    else {
      const slugs = zeroShotTags(value.vector, texts);
      for (const { slug, row } of texts)
        if (slugs.includes(slug)) yield { line, row: { ...row, item: { by: 'itemId', value: value.itemId } } };
    }
  }
}

async function readTexts(path: string): Promise<TextVector[]> {
  const texts: TextVector[] = [];
  for await (const { line, value, problem } of readObjects(path)) {
    const reject = (why: string) => new UnreadableFile(`${path}: line ${line}: ${why}`);
    if (value === null) throw reject(problem);
    const { vector, kind, slug, name } = value;
    const row = parseTagRow({ kind, slug, name });
    if (typeof row === 'string') throw reject(row);
    if (row.kind !== KIND) throw reject(`kind must be ${KIND}`);
    if (!isUnitVector(vector)) throw reject(VECTOR_RULE);
    if (texts.some((one) => one.slug === row.slug)) throw reject(`the slug ${row.slug} occurs twice`);
    texts.push({ slug: row.slug, row, vector });
  }
  if (texts.length < 2) throw new UnreadableFile(`${path}: two texts at least: each is weighed against the others`);
  return texts;
}
