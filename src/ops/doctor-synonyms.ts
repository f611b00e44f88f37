import { readSynonyms } from '../search/synonym-files.ts';
import type { Finding } from './doctor.ts';

/** Files with more mistakes than this are told by their first ones. */
const MAX_TOLD = 20;

/** The lines of the operator's synonyms file that are no rules; nothing to say where there is no such file. */
export async function synonymsFile(file: string | null): Promise<Finding[]> {
  if (file === null) return [];
  const { mistakes, unreadable } = await readSynonyms(file);
  if (unreadable !== null) {
    return [
      {
        state: 'fail',
        what: `the synonyms file cannot be read, so the bundled ones stand alone: ${unreadable}`,
        advice: 'put it where SYNONYMS_FILE says and let the server read it, or unset SYNONYMS_FILE',
      },
    ];
  }
  if (mistakes.length === 0) return [{ state: 'ok', what: `every line of the synonyms in ${file} is understood` }];
  const told = mistakes.slice(0, MAX_TOLD).map(({ line, message }) => `line ${line}: ${message}`);
  if (mistakes.length > MAX_TOLD) told.push(`and ${mistakes.length - MAX_TOLD} more`);
  return [
    {
      state: 'warn',
      what: `lines of the synonyms in ${file} that are left out: ${mistakes.length}\n     ${told.join('\n     ')}`,
      advice: 'correct them; docs/guide/synonyms.md explains the format',
    },
  ];
}
