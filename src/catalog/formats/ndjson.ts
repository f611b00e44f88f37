import { textLines } from './csv.ts';
import { UnreadableFile } from './files.ts';
import { type Json, parseObject } from './text.ts';

type ObjectLine = {
  line: number;
  raw: string;
} & ({ value: Json; problem: null } | { value: null; problem: string });

/**
 * The objects of an NDJSON file, one a line; blank lines are skipped. Throws UnreadableFile when the file is empty or
 * its first line is not an object.
 */
export async function* readObjects(path: string): AsyncGenerator<ObjectLine> {
  let seen = false;
  for await (const textLine of textLines(path)) {
    const { number: line, text } = textLine;
    const raw = text ?? '';
    if (text?.trim() === '') continue;
    const value = parseObject(raw);
    const problem = text === null ? textLine.problem : 'not a JSON object; NDJSON has one on each line';
    if (value === null && !seen) throw new UnreadableFile(`${path}: line ${line}: ${problem}`);
    seen = true;
    yield value === null ? { line, raw, value, problem } : { line, raw, value, problem: null };
  }
  if (!seen) throw new UnreadableFile(`${path}: the file is empty`);
}
