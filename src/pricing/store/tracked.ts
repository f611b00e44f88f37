import type { Sql } from '../../db/client.ts';

/** The items that are tracked at a grade: with a sale at it that was not rejected, or a registered cert. */
export async function trackedAt(sql: Sql, itemIds: readonly string[], gradeKey: string): Promise<Set<string>> {
  const rows = await sql.prepared<{ id: string }>(
    'tracked_at',
    `select item_id as id from sales where item_id = any($1) and grade_key = $2 and rejection is null
     union select item_id from certs where item_id = any($1) and grade_key = $2`,
    [itemIds, gradeKey],
  );
  return new Set(rows.map(({ id }) => id));
}
