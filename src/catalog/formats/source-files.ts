import { statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { parse } from 'yaml';
import type { CardFacts, CatalogEntry, CatalogRecord } from '../record.ts';
import { listFiles, NoFileOfFormat, problemOf, readJson, readText, UnreadableFile } from './files.ts';
import { isObject, type Json, objects } from './text.ts';

/** A whole file of a source, its text parsed. */
export type SourceFile = { path: string; value: unknown };

type BrokenEntry = Extract<CatalogEntry, { kind: 'broken' }>;

type SourceFormat = {
  /** What the names of its files end with; `.json` by default. */
  extensions?: readonly string[];
  /**
   * Files with what the cards lack (set names, dates), by name, perhaps with the folders before it. They are looked
   * for among the files read, and when none is there, in the folder of each path and in the two above.
   */
  companions?: readonly string[];
  /** Names of the source's own files that a catalog does not need: they are not read. */
  aside?: readonly string[];
  /**
   * Called with what was found of each companion; returns what a file yields, or null for one of another format. What it finds
   * wrong with a companion it adds to `problems`.
   */
  open(companions: SourceFile[][], problems: CatalogEntry[]): (file: SourceFile) => Iterable<CatalogEntry> | null;
};

/**
 * Reads the files behind `paths` one at a time, each whole. One that is damaged gives one `broken` entry, one of another
 * format one `dropped` entry. Throws UnreadableFile for a path that does not exist, and when no file yields anything.
 */
export async function* readSource(paths: readonly string[], format: SourceFormat): AsyncGenerator<CatalogEntry> {
  const files = await listFiles(paths, format.extensions ?? ['.json']);
  const companions: SourceFile[][] = [];
  const done = new Set(files.filter((path) => format.aside?.some((name) => isNamed(path, name))));
  for (const name of format.companions ?? []) {
    const found: SourceFile[] = [];
    for (const path of companionPaths(paths, files, name)) {
      done.add(path);
      const file = await readWhole(path);
      if ('kind' in file) yield file;
      else found.push(file);
    }
    companions.push(found);
  }
  const problems: CatalogEntry[] = [];
  const entriesOf = format.open(companions, problems);
  yield* problems;
  let used = false;
  let problem: UnreadableFile = new NoFileOfFormat(paths);
  for (const path of files) {
    if (done.has(path)) continue;
    const file = await readWhole(path);
    if ('kind' in file) {
      problem = new UnreadableFile(`${path}: ${file.message}`);
      yield file;
      continue;
    }
    const entries = entriesOf(file);
    if (entries === null) yield otherFormat(path);
    for (const entry of entries ?? []) {
      used = true;
      yield entry;
    }
  }
  if (!used) throw problem;
}

function companionPaths(paths: readonly string[], files: readonly string[], name: string): string[] {
  const inside = files.filter((path) => isNamed(path, name));
  if (inside.length > 0) return inside;
  const above = paths.map((path) => {
    const folders = [dirname(path), dirname(dirname(path)), dirname(dirname(dirname(path)))];
    return folders
      .map((folder) => join(folder, name))
      .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  });
  return [...new Set(above.filter((path) => path !== undefined))];
}

function isNamed(path: string, name: string): boolean {
  return join(sep, path).endsWith(join(sep, name));
}

/** The objects of all lists in these files. */
export function objectsIn(files: readonly SourceFile[]): Json[] {
  return files.flatMap(({ value }) => objects(value));
}

/** A whole JSON file, or YAML by its ending; for one that cannot be used, the entry that reports it. */
export async function readWhole(path: string): Promise<SourceFile | BrokenEntry> {
  try {
    return { path, value: /\.ya?ml$/.test(path) ? await readYaml(path) : await readJson(path) };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return broken(problemOf(error, path), path);
  }
}

const MAX_YAML_BYTES = 16 * 2 ** 20;

async function readYaml(path: string): Promise<unknown> {
  const text = await readText(path, MAX_YAML_BYTES);
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw new UnreadableFile(`${path}: not YAML (${(error as Error).message.slice(0, 120)})`);
  }
}

/** A source of files that are each one list of records; `Known` is what its companion files add. */
type RecordFormat<Known> = Omit<SourceFormat, 'open'> & {
  know: (companions: SourceFile[][]) => Known;
  /** True for a record of this source: a file without any is another's. */
  isRecord: (value: Json) => boolean;
  /** What one record yields; `where` is `file.json[12]`. */
  entriesOf: (record: Json, where: string, known: Known, path: string) => CatalogEntry | Iterable<CatalogEntry>;
};

/** Reads lists of records as `readSource` does; a printing whose id was listed before is dropped as a repeat. */
export function readRecords<Known>(
  paths: readonly string[],
  { know, isRecord, entriesOf, ...format }: RecordFormat<Known>,
): AsyncGenerator<CatalogEntry> {
  const seen = new Set<string>();
  return readSource(paths, {
    ...format,
    open: (companions) => {
      const known = know(companions);
      return ({ path, value }) => (objects(value).some(isRecord) ? entriesIn(path, value as unknown[], known) : null);
    },
  });

  function* entriesIn(path: string, records: unknown[], known: Known): Generator<CatalogEntry> {
    for (const [index, record] of records.entries()) {
      const where = `${path}[${index}]`;
      const entries = isObject(record) ? entriesOf(record, where, known, path) : broken('not an object', where);
      for (const entry of 'kind' in entries ? [entries] : entries) {
        const id = entry.kind === 'record' ? entry.record.ids[0]!.join(' ') : null;
        yield id !== null && seen.has(id) ? dropped('repeat', where) : entry;
        if (id !== null) seen.add(id);
      }
    }
  }
}

/** Facts as a reader finds them: what its source does not state is null or undefined. */
export type FoundFacts = { [fact in keyof CardFacts]: CardFacts[fact] | null | undefined };

export type FoundRecord = Pick<CatalogRecord, 'game' | 'ids' | 'set' | 'number' | 'name'> &
  Partial<Omit<CatalogRecord, 'facts'>> & { facts?: FoundFacts };

/** The entry of a printing; what is not given is that of the plain English one, of its set's year, without a picture. */
export function recordEntry({ facts = {}, ...found }: FoundRecord): CatalogEntry {
  return {
    kind: 'record',
    record: {
      printedName: null,
      language: 'English',
      variation: null,
      rarity: null,
      year: found.set.year,
      imageUrl: null,
      imageUrlThumb: null,
      ...found,
      facts: Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== null && fact !== undefined)),
    },
  };
}

/** A list that a reader found; null where it is empty. */
export function someOf<One>(list: One[]): One[] | null {
  return list.length > 0 ? list : null;
}

export function broken(message: string, where: string): BrokenEntry {
  return { kind: 'broken', message, where };
}

export function dropped(reason: string, where: string): CatalogEntry {
  return { kind: 'dropped', reason, where };
}

/** The entry of a sound file of another format. */
export function otherFormat(path: string): CatalogEntry {
  return dropped('other_format', path);
}
