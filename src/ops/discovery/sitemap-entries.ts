import { INDEXED_GAMES } from '../../catalog/games.ts';
import type { Core } from '../../http/context.ts';
import { type ItemRow, itemHref } from '../../items/item-row.ts';
import { articles } from '../../web/research/articles.ts';
import type { ItemFile, SitemapFile } from './sitemap-files.ts';

/** One address: site-relative, and when what it says last changed, where that is known. */
export type SitemapEntry = { href: string; changed: Date | null };

const BATCH_ITEMS = 1000;
const STANDING = [
  '/',
  '/card',
  '/indices',
  '/research',
  '/methodology',
  '/methodology/index',
  '/about',
  '/api',
  '/partners',
];

/** The addresses of one file, a batch at a time: whatever its size, a few thousand are in memory. */
export async function* entriesOf(context: Core, file: SitemapFile): AsyncGenerator<SitemapEntry[]> {
  if (file.kind === 'pages') yield standingPages();
  else if (file.kind === 'sets') yield await setPages(context, file.game);
  else yield* itemPages(context, file);
}

function standingPages(): SitemapEntry[] {
  return [
    ...STANDING.map((href) => ({ href, changed: null })),
    ...INDEXED_GAMES.map((game) => ({ href: `/indices/${game}`, changed: null })),
    ...articles().map(({ slug, modified }) => ({ href: `/research/${slug}`, changed: new Date(modified) })),
  ];
}

/** A set changed when a card of it did. */
async function setPages({ db }: Core, game: string): Promise<SitemapEntry[]> {
  // In a session, which has no time limit: crawlers ask for all of it, seldom.
  const rows = await db.session((session) =>
    session.query<{ segment: string; changed: Date }>(
      `select s.segment, max(i.updated_at) as changed from sets s join items i on i.set_id = s.id
       where s.game = $1 and i.removed_at is null group by s.segment order by s.segment`,
      [game],
    ),
  );
  return [
    { href: `/card/${game}`, changed: null },
    ...rows.map(({ segment, changed }) => ({ href: `/card/${game}/${segment}`, changed })),
  ];
}

/** What an address is made of, and no more: half a million rows pass through here. */
type Row = Pick<ItemRow, 'id' | 'id8' | 'game' | 'set_segment' | 'stem' | 'language'> & {
  grade_key: string | null;
  changed: Date;
};
const COLUMNS = 'i.id, i.id8, i.game, s.segment as set_segment, i.stem, i.language';

/**
 * Prices follow their market day by day; what makes a page new to a reader is a sale. So a page changed when its card did,
 * or with the newest sale that became known.
 */
async function* itemPages({ db }: Core, file: ItemFile): AsyncGenerator<SitemapEntry[]> {
  const bound = (part: number) => (2 ** 32 * part) / file.parts;
  let after = uuidFrom(bound(file.part));
  const end = file.part + 1 === file.parts ? null : uuidFrom(bound(file.part + 1));
  let isFirst = true;
  for (;;) {
    const items = `select id, id8, game, set_id, stem, language, updated_at from items where game = $1 and removed_at is null and id ${isFirst ? '>=' : '>'} $2
      and ($3::uuid is null or id < $3) ${file.kind === 'grades' ? 'and exists (select from card_states c where c.item_id = items.id)' : ''}
      order by id limit ${BATCH_ITEMS}`;
    const rows = await db.query<Row>(
      `select ${COLUMNS}, ${file.kind === 'cards' ? 'null as grade_key' : 'n.grade_key'},
         greatest(i.updated_at, n.known_at) as changed
       from (${items}) i join sets s on s.id = i.set_id
       ${file.kind === 'cards' ? 'left join lateral (select max(known_at) as known_at from sales where item_id = i.id and rejection is null) n on true' : GRADES}
       order by i.id`,
      [file.game, after, end],
    );
    if (rows.length === 0) return;
    yield rows.map((row) => ({ href: itemHref(row, row.grade_key), changed: row.changed }));
    after = rows.at(-1)!.id;
    isFirst = false;
  }
}

const GRADES = `cross join lateral (
  select grade_key, max(known_at) as known_at from sales
  where item_id = i.id and rejection is null and grade_key is not null group by grade_key) n`;

function uuidFrom(leading: number): string {
  return `${Math.floor(leading).toString(16).padStart(8, '0')}-0000-0000-0000-000000000000`;
}
