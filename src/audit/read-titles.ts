import { isGame } from '../catalog/games.ts';
import type { Sql } from '../db/client.ts';
import { ACCEPTED } from '../pricing/store/ledger-sales.ts';
import { matchTitle } from '../sales/match/match-title.ts';
import { readTitle } from '../sales/match/read-title.ts';
import type { TitleBook } from '../sales/titles.ts';
import type { TitleCell } from './game-book.ts';

/** Of each item and source so many titles are read, the newest of each grade: sellers copy them, and more say little more. */
const TITLES_READ = 12;
/** How many items are read at once; the process does nothing else while their titles are identified. */
const PAGE_ITEMS = 50;

/**
 * Identifies the titles of accepted sales of items after a day, as an import of them alone would, and counts what they mean by item,
 * source and grade; those that mean no item for certain are left out. Titles are compared with the catalog only where there are any.
 */
export async function readTitles(
  sql: Sql,
  game: string,
  itemIds: readonly string[],
  sinceDay: number,
  book: TitleBook,
): Promise<TitleCell[]> {
  const cells = new Map<string, TitleCell>();
  for (let at = 0; at < itemIds.length; at += PAGE_ITEMS) {
    const rows = await sql.query<Pick<TitleCell, 'itemId' | 'gradeKey' | 'source'> & { title: string }>(
      `select "itemId", source, "gradeKey", title from (
         select n.*, row_number() over (partition by "itemId", source order by newer, last desc, title) as place
         from (
           select s.item_id as "itemId", s.source, s.grade_key as "gradeKey", s.title, max(s.sold_day) as last,
             row_number() over (partition by s.item_id, s.source, s.grade_key order by max(s.sold_day) desc, s.title) as newer
           from sales s where s.item_id = any($1) and s.sold_day > $2 and s.title is not null and ${ACCEPTED}
             and not exists (select from sale_voids v where v.sale_id = s.id)
           group by s.item_id, s.source, s.grade_key, s.title
         ) n
       ) t where place <= ${TITLES_READ} order by "itemId", source, place`,
      [itemIds.slice(at, at + PAGE_ITEMS), sinceDay],
    );
    if (rows.length === 0) continue;
    const index = await book();
    for (const { itemId, gradeKey, source, title } of rows) {
      const reading = readTitle(title, isGame(game) ? game : null);
      // The sale has its grade, whatever the title says of it.
      reading.grading.problem = null;
      const match = matchTitle(reading, index);
      if (!match.matched) continue;
      const key = `${itemId} ${match.itemId} ${gradeKey} ${source}`;
      const cell = cells.get(key);
      if (cell === undefined) cells.set(key, { itemId, gradeKey, source, means: match.itemId, titles: 1 });
      else cell.titles++;
    }
  }
  return [...cells.values()];
}
