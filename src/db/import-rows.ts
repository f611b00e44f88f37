import { resolve } from 'node:path';
import type { Sql } from './client.ts';

/** Begins an import, of files where it has some; returns its id. */
export async function beginImport(
  sql: Sql,
  kind: string,
  format: string,
  files: readonly string[] = [],
): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    'insert into imports (kind, format, files) values ($1, $2, $3) returning id',
    [kind, format, files.map((file) => resolve(file))],
  );
  return row!.id;
}

/** Notes that an import has ended, and what it did. */
export async function finishImport(sql: Sql, id: number, counts: object): Promise<void> {
  await sql.query('update imports set finished_at = clock_timestamp(), counts = $2 where id = $1', [id, counts]);
}

/** Forgets an import of which nothing was written. */
export async function forgetImport(sql: Sql, id: number): Promise<void> {
  await sql.query('delete from imports where id = $1 and finished_at is null', [id]);
}
