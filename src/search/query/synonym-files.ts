import { readFile } from 'node:fs/promises';
import { mergeSynonyms, parseSynonyms, type SynonymMistake, type SynonymRule } from './synonyms.ts';

const BUNDLED = new URL('./synonyms.txt', import.meta.url);

type SynonymReading = {
  rules: SynonymRule[];
  /** Of the operator's file. */
  mistakes: SynonymMistake[];
  /** Why the operator's file could not be read: then there are only the bundled rules. */
  unreadable: string | null;
};

/** The bundled rules with the operator's over them. */
export async function readSynonyms(operatorsFile: string | null): Promise<SynonymReading> {
  const { rules } = parseSynonyms(await readFile(BUNDLED, 'utf8'));
  if (operatorsFile === null) return { rules, mistakes: [], unreadable: null };
  try {
    const own = parseSynonyms(await readFile(operatorsFile, 'utf8'));
    return { rules: mergeSynonyms(rules, own.rules), mistakes: own.mistakes, unreadable: null };
  } catch (error) {
    return { rules, mistakes: [], unreadable: (error as Error).message };
  }
}
