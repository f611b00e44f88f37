import type { Db, Sql } from '../db/client.ts';
import { LEAST_UUID } from '../lib/uuid.ts';
import { readAliases } from './deciding/teach-alias.ts';
import { buildMatchIndex, type MatchIndex, type MatchItem } from './match/match-index.ts';

/** What titles are matched with: the index of the whole catalog. */
export type TitleBook = () => Promise<MatchIndex>;

/** The titles of the catalog as it is, for a process that identifies cards again and again. */
export function openTitleBook(db: Db): Promise<TitleBook> {
  return openBook(db, loadTitles, ['catalog', 'title_aliases']);
}

/**
 * A value made of the whole catalog: loaded when first needed (some seconds for 500,000 items), kept until any process
 * notifies one of the `channels`: by default, that it has changed the catalog.
 */
export async function openBook<Book>(
  db: Db,
  load: (sql: Sql) => Promise<Book>,
  channels: readonly string[] = ['catalog'],
): Promise<() => Promise<Book>> {
  let book: Promise<Book> | null = null;
  for (const channel of channels)
    await db.listen(channel, () => {
      book = null;
    });
  return () => {
    if (book === null) {
      const loading = db.session(load);
      book = loading;
      loading.catch(() => {
        if (book === loading) book = null;
      });
    }
    return book;
  };
}

/** Reads the whole catalog, and the aliases that people have taught, and builds the index. */
export async function loadTitles(sql: Sql): Promise<MatchIndex> {
  const items: MatchItem[] = [];
  for await (const page of catalogPages(sql)) items.push(...page);
  return buildMatchIndex(items, await readAliases(sql));
}

const PAGE_ITEMS = 20_000;

/** The items of the catalog, page by page; `column` is one more column of the item `i`. */
export async function* catalogPages(sql: Sql, column = ''): AsyncGenerator<MatchItem[]> {
  let after = LEAST_UUID;
  while (true) {
    const page = await sql.query<MatchItem>(
      `select i.id, i.game, s.name as "setName", s.code as "setCode", i.number, i.name, i.printed_name as "printedName",
         i.language, i.variation, i.rarity, i.year ${column && `, ${column}`}
       from items i join sets s on s.id = i.set_id
       where i.id > $1 and i.removed_at is null order by i.id limit ${PAGE_ITEMS}`,
      [after],
    );
    yield page;
    if (page.length < PAGE_ITEMS) return;
    after = page.at(-1)!.id;
  }
}
