import { readFile } from 'node:fs/promises';
import { mergeSynonyms, parseSynonyms, type SynonymMistake, type SynonymRule } from './synonyms.ts';

const BUNDLED = new URL('./synonyms.txt', import.meta.url);

/** The bundled rules with the operator's over them; the mistakes are those of the operator's file. */
export async function readSynonyms(
  operatorsFile: string | null,
): Promise<{ rules: SynonymRule[]; mistakes: SynonymMistake[] }> {
  const { rules } = parseSynonyms(await readFile(BUNDLED, 'utf8'));
  if (operatorsFile === null) return { rules, mistakes: [] };
  const own = parseSynonyms(await readFile(operatorsFile, 'utf8'));
  return { rules: mergeSynonyms(rules, own.rules), mistakes: own.mistakes };
}
