import type { Sql } from '../db/client.ts';
import { quotesOf } from '../pricing/read.ts';
import type { Located } from './locate.ts';
import { representative } from './summary.ts';

/** The grade a view shows: the one that the address names, else the representative one; null when nothing ever sold. */
export async function shownGrade(db: Sql, { item, gradeKey }: Located): Promise<string | null> {
  if (gradeKey !== null) return gradeKey;
  const quotes = (await quotesOf(db, [item.id])).get(item.id) ?? [];
  return representative(quotes)?.gradeKey ?? null;
}
