import { basename } from 'node:path';
import { listFiles, readJson, UnreadableFile } from './files.ts';

export type JsonFile = { path: string; name: string; value: unknown };

/** A file that could not be read, as the entry a format reader yields for it. */
export type BrokenFile = { kind: 'broken'; message: string; where: string };

/** True for what `readJsonFiles` yields in place of a file. */
export function isBrokenFile(read: JsonFile | BrokenFile): read is BrokenFile {
  return 'kind' in read;
}

/**
 * The JSON files behind `paths`, one at a time, each whole; a file that cannot be read is told of and passed over.
 * Throws UnreadableFile for a path that does not exist, where there is no JSON file, and when none could be read.
 */
export async function* readJsonFiles(paths: readonly string[]): AsyncGenerator<JsonFile | BrokenFile> {
  const files = await listFiles(paths, ['.json']);
  if (files.length === 0) throw new UnreadableFile(`${paths.join(', ')}: no .json file there`);
  let readable = 0;
  for (const path of files) {
    let file: JsonFile | BrokenFile;
    try {
      file = { path, name: basename(path), value: await readJson(path) };
      readable++;
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      file = { kind: 'broken', message: error.message, where: basename(path) };
    }
    yield file;
  }
  if (readable === 0) throw new UnreadableFile(`${paths.join(', ')}: no file could be read`);
}
