import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { CatalogEntry } from '../record.ts';
import { listFiles, readJson, UnreadableFile } from './files.ts';
import { isObject, type Json, objects } from './text.ts';

/** How a source keeps its records: files that each hold one array of them. */
export type RecordFiles = {
  /** True for a record of this source; tells its files from others that lie in the same folder. */
  isRecord: (value: Json) => boolean;
  /** Everything one record yields; `where` is `file.json[12]`. */
  entriesOf: (record: Json, where: string, path: string) => Iterable<CatalogEntry>;
  extensions?: readonly string[];
  /** How a file becomes a value; JSON unless the source has another notation. Throws UnreadableFile. */
  readValue?: (path: string) => Promise<unknown>;
};

/**
 * Reads record files one at a time. A file of something else inside a folder is passed over; one that was named, or
 * cannot be read, gives one `broken` entry. Throws UnreadableFile when no file holds a record at all.
 */
export async function* readRecordFiles(paths: readonly string[], files: RecordFiles): AsyncGenerator<CatalogEntry> {
  const readValue = files.readValue ?? readJson;
  let usable = 0;
  let lastProblem = `${paths.join(', ')}: no file of this format`;
  for (const path of await listFiles(paths, files.extensions ?? ['.json'])) {
    let value: unknown = null;
    let problem: string | null = null;
    try {
      value = await readValue(path);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      problem = error.message;
    }
    if (Array.isArray(value) && objects(value).some(files.isRecord)) {
      usable++;
      for (const [index, record] of value.entries()) {
        const where = `${basename(path)}[${index}]`;
        if (isObject(record)) yield* files.entriesOf(record, where, path);
        else yield broken('not an object', where);
      }
      continue;
    }
    if (problem === null && !paths.includes(path)) continue;
    lastProblem = problem ?? `${path}: not a file of this format`;
    yield broken(lastProblem, basename(path));
  }
  if (usable === 0) throw new UnreadableFile(lastProblem);
}

/**
 * The value of a file that a source keeps beside its records (set names, dates): looked for inside each path, in its
 * folder and in the two above; null when there is none. One that cannot be read is added to `problems`.
 */
export async function readCompanion(
  paths: readonly string[],
  name: string,
  problems: CatalogEntry[],
): Promise<unknown> {
  for (const path of paths) {
    const above = [path, dirname(path), dirname(dirname(path)), dirname(dirname(dirname(path)))];
    for (const candidate of [basename(path) === name ? path : null, ...above.map((folder) => join(folder, name))]) {
      if (candidate === null || !(await stat(candidate).catch(() => null))?.isFile()) continue;
      try {
        return await readJson(candidate);
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        problems.push(broken(error.message, basename(candidate)));
        return null;
      }
    }
  }
  return null;
}

export function broken(message: string, where: string): CatalogEntry {
  return { kind: 'broken', message, where };
}

/** Joins the words of a variation; null when there are none. */
export function variationOfWords(...words: (string | null)[]): string | null {
  return words.filter((word) => word !== null && word !== '').join(' ') || null;
}

/** An http(s) address, or null: pages put it into `src`. */
export function imageAddress(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\/[^\s"'<>]{1,500}$/.test(value) ? value : null;
}
