import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../files.ts';
import type { FileTable } from './file-table.ts';

/** Formats by the end of a file's name. */
export const FORMATS = { ndjson: 'ndjson.gz', csv: 'csv.gz', parquet: 'parquet', sqlite: 'sqlite' } as const;
export type BulkFormat = keyof typeof FORMATS;

/** A file that is made, as the list of its day names it. */
export type BulkFile = {
  name: string;
  kind: FileTable['kind'] | 'pack';
  format: BulkFormat;
  /** `YYYY-MM` of a file with the days of one month. */
  month: string | null;
  rows: number;
  bytes: number;
  /** Hex. */
  sha256: string;
};

/** What is known of the files of a close. */
export type BulkList = {
  /** Of the columns: files of another version are made anew. */
  version: number;
  day: string;
  /** Of the record of the day, hex: a day that is closed again, after a restore, has another. Lists of version 1 have none. */
  root?: string;
  madeAt: string;
  /** By month: what its file of sales was made of. */
  saleStates: Record<string, string>;
  files: BulkFile[];
};

const LIST_NAME = /^list-\d{4}-\d\d-\d\d\.json$/;
const UNFINISHED = '.making';

/** Where an installation keeps its bulk files. */
export function bulkFolder({ dataDir }: { dataDir: string }): string {
  return join(dataDir, 'bulk');
}

/** The lists of a folder, the newest first; none where there is no folder. */
export async function readLists(folder: string): Promise<BulkList[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const lists: BulkList[] = [];
  for (const name of names.filter((one) => LIST_NAME.test(one)).sort())
    lists.push(JSON.parse(await readFile(join(folder, name), 'utf8')) as BulkList);
  return lists.reverse();
}

/** The folder that new files are written in, empty: what a killed run left there is removed. */
export async function emptyWorkFolder(folder: string): Promise<string> {
  const work = join(folder, UNFINISHED);
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  return work;
}

/**
 * Publishes the files of a list, of which `made` are new and complete: they are moved to their place, and the list after them,
 * so that whatever a list names is there.
 */
export async function publishList(
  folder: string,
  work: string,
  list: BulkList,
  made: readonly string[],
): Promise<void> {
  for (const name of made) await rename(join(work, name), join(folder, name));
  await syncFolder(folder);
  const name = `list-${list.day}.json`;
  await writeFile(join(work, name), JSON.stringify(list), { flag: 'wx', flush: true });
  await rename(join(work, name), join(folder, name));
  await syncFolder(folder);
}

/** Removes the lists of closes that are not in the record, by its roots: they were taken back, or other ones took their place. */
export async function dropUnrecorded(folder: string, roots: ReadonlySet<string>): Promise<void> {
  for (const { day, root } of await readLists(folder))
    if (root !== undefined && !roots.has(root)) await rm(join(folder, `list-${day}.json`));
}

/** Removes all but the newest `keep` lists, and the files that none of these names. Returns how many files were removed. */
export async function dropOldLists(folder: string, keep: number): Promise<number> {
  const kept = (await readLists(folder)).slice(0, keep);
  const names = new Set(kept.flatMap(({ day, files }) => [`list-${day}.json`, ...files.map(({ name }) => name)]));
  const old = (await readdir(folder)).filter((name) => !names.has(name));
  // Lists first: none may name a file that is gone.
  old.sort((a, b) => Number(LIST_NAME.test(b)) - Number(LIST_NAME.test(a)));
  for (const name of old) await rm(join(folder, name), { recursive: true, force: true });
  return old.length;
}
