import { INDEXED_GAMES } from '../../catalog/games.ts';
import type { Core } from '../../http/context.ts';
import { itemHref } from '../../items/item-row.ts';
import { articles } from '../../web/research/articles.ts';
import type { ItemFile, SitemapFile } from './sitemap-files.ts';

/** One address: site-relative, and when its content last changed, if known. */
export type SitemapEntry = { href: string; changed: Date | null };

/** The limit of sitemaps.org. Files of the current index have fewer; names with fewer parts are answered too. */
const MAX_ADDRESSES = 50_000;
const FIXED_PAGES = [
  '/',
  '/card',
  '/movers',
  '/sales',
  '/indices',
  '/research',
  '/methodology',
  '/methodology/model',
  '/methodology/index',
  '/methodology/record',
  '/accuracy',
  '/corrections',
  '/audit',
  '/status',
  '/watch',
  '/about',
  '/api',
  '/changelog',
  '/partners',
];

/** The addresses of one file. */
export async function entriesOf(context: Core, file: SitemapFile): Promise<SitemapEntry[]> {
  if (file.kind === 'pages') return fixedPages();
  return file.kind === 'sets' ? setPages(context, file.game) : itemPages(context, file);
}

function fixedPages(): SitemapEntry[] {
  return [
    ...FIXED_PAGES.map((href) => ({ href, changed: null })),
    ...INDEXED_GAMES.map((game) => ({ href: `/indices/${game}`, changed: null })),
    ...articles().map(({ slug, modified }) => ({ href: `/research/${slug}`, changed: new Date(modified) })),
  ];
}

/** A set changed when a card of it did. */
async function setPages({ db }: Core, game: string): Promise<SitemapEntry[]> {
  // In a session, which has no time limit: only crawlers request all of it, and seldom.
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

/** The fields of an address, and its newest change. */
type Row = Parameters<typeof itemHref>[0] & { grade_key: string | null; changed: Date };

/** The newest known sale of each card, and of each of its grades. */
const NEWEST_SALES = {
  cards: `select s.item_id, null as grade_key, max(s.known_at) as known_at from sales s join wanted on wanted.id = s.item_id
    where s.rejection is null group by s.item_id`,
  grades: `select s.item_id, s.grade_key, max(s.known_at) as known_at from sales s join wanted on wanted.id = s.item_id
      join card_states c on c.item_id = s.item_id
    where s.rejection is null and s.grade_key is not null group by s.item_id, s.grade_key`,
} as const;

/**
 * Prices follow their market day by day, but only a sale makes a page new to a reader. So a page changed when its card did,
 * or with the newest known sale.
 */
async function itemPages({ db }: Core, { kind, game, part, parts }: ItemFile): Promise<SitemapEntry[]> {
  const from = uuidFrom((2 ** 32 * part) / parts);
  const before = part + 1 === parts ? null : uuidFrom((2 ** 32 * (part + 1)) / parts);
  // Not in a session: there, rows of earlier files stay until a full collection of garbage, 70 MB.
  const rows = await db.query<Row>(
    `with wanted as materialized (
       select id from items where game = $1 and removed_at is null and id >= $2 and ($3::uuid is null or id < $3)
     ), newest as materialized (${NEWEST_SALES[kind]})
     select i.id8, i.game, s.segment as set_segment, i.stem, i.language, n.grade_key,
       greatest(i.updated_at, n.known_at) as changed
     from wanted join items i on i.id = wanted.id join sets s on s.id = i.set_id
       ${kind === 'cards' ? 'left join' : 'join'} newest n on n.item_id = i.id
     order by i.id limit $4`,
    [game, from, before, MAX_ADDRESSES],
  );
  return rows.map((row) => ({ href: itemHref(row, row.grade_key), changed: row.changed }));
}

function uuidFrom(leading: number): string {
  return `${Math.floor(leading).toString(16).padStart(8, '0')}-0000-0000-0000-000000000000`;
}
