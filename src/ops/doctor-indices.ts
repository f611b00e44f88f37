import { readFile } from 'node:fs/promises';
import type { Sql } from '../db/client.ts';
import { InvalidIndices } from '../indices/definitions.ts';
import { unknownSets } from '../indices/sub-indices.ts';
import { type Finding, fail, ok } from './finding.ts';

/** What is wrong in the operator's sub-indices, with its line; empty if no file is configured. */
export async function indicesFile(sql: Sql, file: string | null): Promise<Finding[]> {
  if (file === null) return [];
  const mistakes = await readFile(file, 'utf8')
    .then((text) => unknownSets(sql, text, file))
    .catch((error: Error) => {
      if (error instanceof InvalidIndices || 'syscall' in error) return [error.message];
      throw error;
    });
  if (mistakes.length === 0) return [ok(`the sub-indices in ${file} are understood`)];
  return mistakes.map((what) =>
    fail(what, 'correct it in INDICES_FILE, or import the set; the index is not shown before'),
  );
}
