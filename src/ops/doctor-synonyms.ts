import { readSynonyms } from '../search/query/synonym-files.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Files with more mistakes than this are reported by their first ones. */
const MAX_SHOWN = 20;

/** The lines of the operator's synonyms file that are not rules; empty if no file is configured. */
export async function synonymsFile(file: string | null): Promise<Finding[]> {
  if (file === null) return [];
  const { mistakes, unreadable } = await readSynonyms(file);
  if (unreadable !== null) {
    const what = `the synonyms file cannot be read, so only the bundled ones are used: ${unreadable}`;
    return [fail(what, 'put it where SYNONYMS_FILE says and let the server read it, or unset SYNONYMS_FILE')];
  }
  if (mistakes.length === 0) return [ok(`every line of the synonyms in ${file} is understood`)];
  const shown = mistakes.slice(0, MAX_SHOWN).map(({ line, message }) => `line ${line}: ${message}`);
  if (mistakes.length > MAX_SHOWN) shown.push(`and ${mistakes.length - MAX_SHOWN} more`);
  const what = `lines of the synonyms in ${file} that are left out: ${mistakes.length}\n     ${shown.join('\n     ')}`;
  return [warn(what, 'correct them; docs/guide/synonyms.md explains the format')];
}
