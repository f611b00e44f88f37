import type { Db } from '../../../src/db/client.ts';

/** How many rows a query has, and a hash of them in any order. */
export async function digestOf(db: Db, rows: string): Promise<{ rows: number; hash: string | null }> {
  const [digest] = await db.query<{ rows: number; hash: string | null }>(
    `select count(*)::int as rows, md5(string_agg(r::text, chr(10) order by r::text)) as hash from (${rows}) r`,
  );
  return digest!;
}
