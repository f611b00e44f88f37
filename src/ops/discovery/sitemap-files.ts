import { GAMES, type Game, isGame } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';

/** Few enough to be written in one piece (sitemaps.org allows 50,000). Ids are spread evenly, so a file has about as many. */
const CARDS_PER_FILE = 10_000;
/** A card that sold has a page for each of its grades, a dozen at most on average. */
const SOLD_CARDS_PER_FILE = 1000;

/** The cards of a game, the grades of those that sold, its sets; or the pages that every installation has. */
export type SitemapFile = { kind: 'pages' } | { kind: 'sets'; game: Game } | ItemFile;

/** Part `part` of `parts`, from 0, by the ids of the cards. */
export type ItemFile = { kind: 'cards' | 'grades'; game: Game; part: number; parts: number };

type CountRow = { game: Game; cards: number; sold: number };

/** Every file there is now. */
export async function sitemapFiles(sql: Sql): Promise<SitemapFile[]> {
  const rows = await sql.prepared<CountRow>(
    'sitemap_counts',
    `with sold as materialized (
       select i.game, count(*) as sold from card_states c join items i on i.id = c.item_id
       where i.removed_at is null group by i.game
     ), every as materialized (
       select game, count(*) as cards from items where removed_at is null group by game
     )
     select game, cards, coalesce(sold, 0) as sold from every left join sold using (game)`,
  );
  return [
    { kind: 'pages' },
    ...GAMES.flatMap((game) => {
      const { cards = 0, sold = 0 } = rows.find((row) => row.game === game) ?? {};
      if (cards === 0) return [];
      const sets: SitemapFile = { kind: 'sets', game };
      return [
        sets,
        ...partsOf('cards', game, cards / CARDS_PER_FILE),
        ...partsOf('grades', game, sold / SOLD_CARDS_PER_FILE),
      ];
    }),
  ];
}

function partsOf(kind: 'cards' | 'grades', game: Game, share: number): SitemapFile[] {
  // A power of two: when a catalog grows, one file becomes two.
  const parts = share === 0 ? 0 : 2 ** Math.ceil(Math.log2(Math.max(1, share)));
  return Array.from({ length: parts }, (_, part) => ({ kind, game, part, parts }));
}

/** Name of a file: `pages.xml`, `sets-mtg.xml`, `cards-mtg-2-of-4.xml`. */
export function nameOf(file: SitemapFile): string {
  if (file.kind === 'pages') return 'pages.xml';
  if (file.kind === 'sets') return `sets-${file.game}.xml`;
  return `${file.kind}-${file.game}-${file.part + 1}-of-${file.parts}.xml`;
}

/** The file of a name; null when it names none. Any number of parts is taken: an index read before an import stays good. */
export function fileOf(name: string): SitemapFile | null {
  if (name === 'pages.xml') return { kind: 'pages' };
  const match = /^(sets|cards|grades)-([a-z-]+?)(?:-([1-9]\d{0,3})-of-([1-9]\d{0,3}))?\.xml$/.exec(name);
  if (match === null || !isGame(match[2]!)) return null;
  const game = match[2];
  if (match[1] === 'sets') return match[3] === undefined ? { kind: 'sets', game } : null;
  const [part, parts] = [Number(match[3]) - 1, Number(match[4])];
  return Number.isNaN(part) || part >= parts ? null : { kind: match[1] as 'cards' | 'grades', game, part, parts };
}
