import { UnreadableFile } from '../../catalog/formats/files.ts';
import { type Json, parseObject } from '../../catalog/formats/text.ts';
import { textLines } from './csv.ts';

type ObjectLine = { line: number } & ({ value: Json; problem: null } | { value: null; problem: string });

/**
 * The objects of an NDJSON file, one a line; blank lines are passed over. Throws UnreadableFile when the file is empty or
 * its first line is not an object.
 */
export async function* readObjects(path: string): AsyncGenerator<ObjectLine> {
  let seen = false;
  for await (const textLine of textLines(path)) {
    const { number: line, text } = textLine;
    if (text?.trim() === '') continue;
    const value = text === null ? null : parseObject(text);
    const problem = text === null ? textLine.problem : 'not a JSON object; NDJSON has one on each line';
    if (value === null && !seen) throw new UnreadableFile(`${path}: line ${line}: ${problem}`);
    seen = true;
    yield value === null ? { line, value, problem } : { line, value, problem: null };
  }
  if (!seen) throw new UnreadableFile(`${path}: the file is empty`);
}
