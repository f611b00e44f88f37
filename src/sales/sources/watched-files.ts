import type { Sql } from '../../db/client.ts';

/** What became of the files of a watched folder. */
export type WatchedFiles = {
  newestFileAtMs: number | null;
  /** Files that could not be imported and were not mended since, the newest first. */
  rejected: { file: string; problem: string; atMs: number }[];
};

/** The files of each folder, by its id; a folder without any is absent. */
export async function watchedFiles(sql: Sql, ids: readonly string[]): Promise<Map<string, WatchedFiles>> {
  const rows = await sql.query<{ source: string; name: string; problem: string | null; at: number }>(
    `select source, name, problem, at from (
       select distinct on (source, name) source, name, problem, (extract(epoch from imported_at) * 1000)::int8 as at
       from watched_files where source = any($1) order by source, name, imported_at desc, problem nulls first
     ) as newest order by at desc, name`,
    [ids],
  );
  const folders = new Map<string, WatchedFiles>();
  for (const { source, name, problem, at } of rows) {
    const folder = folders.get(source) ?? { newestFileAtMs: at, rejected: [] };
    folders.set(source, folder);
    if (problem !== null) folder.rejected.push({ file: name, problem, atMs: at });
  }
  return folders;
}
