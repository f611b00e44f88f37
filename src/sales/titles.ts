import type { Game } from '../catalog/games.ts';
import type { Language } from '../catalog/languages.ts';
import type { Db, Sql } from '../db/client.ts';
import { buildMatchIndex, type MatchIndex, type MatchItem } from './match/match-index.ts';

/** What titles are matched with: the index of the whole catalog, and the game of each item. */
export type Titles = { index: MatchIndex; games: Map<string, Game> };

export type TitleBook = () => Promise<Titles>;

/**
 * The titles of the catalog as it is, for a process that identifies cards again and again: built when first asked for (some
 * seconds for 500,000 items), kept until the catalog changes in whichever process.
 */
export async function openTitleBook(db: Db): Promise<TitleBook> {
  let titles: Promise<Titles> | null = null;
  await db.listen('catalog', () => {
    titles = null;
  });
  return () => {
    if (titles === null) {
      const loading = db.session(loadTitles);
      titles = loading;
      loading.catch(() => {
        if (titles === loading) titles = null;
      });
    }
    return titles;
  };
}

const PAGE_ITEMS = 20_000;

/** Reads the whole catalog and builds the index. */
export async function loadTitles(sql: Sql): Promise<Titles> {
  const games = new Map<string, Game>();
  const items: MatchItem[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  while (true) {
    const page = await sql.query<MatchItem & { language: Language }>(
      `select i.id, i.game, s.name as "setName", s.code as "setCode", i.number, i.name, i.printed_name as "printedName",
         i.language, i.variation, i.rarity, i.year
       from items i join sets s on s.id = i.set_id
       where i.id > $1 and i.removed_at is null order by i.id limit ${PAGE_ITEMS}`,
      [after],
    );
    for (const item of page) games.set(item.id, item.game);
    items.push(...page);
    if (page.length < PAGE_ITEMS) return { index: buildMatchIndex(items), games };
    after = page.at(-1)!.id;
  }
}
