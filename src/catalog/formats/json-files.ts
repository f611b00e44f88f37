import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listFiles, readJson, UnreadableFile } from './files.ts';
import { type Json, objects } from './text.ts';

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

/**
 * The objects of every list that stands at one of `relative` (`sets-en.json`, `../packs.json`) from the folder of a JSON
 * file behind `paths`. A list that cannot be read counts as empty: where it is asked for itself it is told of as broken.
 */
export async function readListsBeside(paths: readonly string[], relative: readonly string[]): Promise<Json[]> {
  const folders = [...new Set((await listFiles(paths, ['.json'])).map((path) => dirname(path)))];
  const lists = new Set(folders.flatMap((folder) => relative.map((name) => join(folder, name))));
  const found: Json[] = [];
  for (const path of lists) {
    if (!existsSync(path)) continue;
    const list = await readJson(path).catch((error: unknown) => {
      if (error instanceof UnreadableFile) return [];
      throw error;
    });
    found.push(...objects(list));
  }
  return found;
}
