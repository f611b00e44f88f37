import { Type } from 'typebox';
import { CARD_TYPES, GAME_LABELS, GAMES, type Game, INDEXED_GAMES } from '../catalog/games.ts';
import type { Sql } from '../db/client.ts';
import { type KeptSql, keep } from '../db/kept.ts';
import { endpoint } from '../http/endpoint.ts';
import { nullable } from './shapes.ts';

type LanguageRow = { game: Game; language: string; items: number; imaged: number; sold: number };
type SetsRow = { game: Game; sets: number; newest_year: number | null };

export const games = endpoint({
  id: 'games',
  summary: 'The nine games, and what the catalog has of each',
  response: Type.Object({
    games: Type.Array(
      Type.Object({
        game: Type.Enum([...GAMES]),
        label: Type.String(),
        type: Type.String({ description: 'As `type` of its cards.' }),
        indexed: Type.Boolean({ description: 'Has a public market index.' }),
        setCount: Type.Integer({ description: 'Sets with a card.' }),
        itemCount: Type.Integer(),
        imagedCount: Type.Integer({ description: 'Of these, with an image.' }),
        soldCount: Type.Integer({ description: 'Of these, with a sale that counts for a price.' }),
        languages: Type.Array(Type.Object({ language: Type.String(), itemCount: Type.Integer() }), {
          description: 'Most cards first.',
        }),
        newestSetYear: nullable(Type.Integer()),
      }),
    ),
  }),
  maxAgeSeconds: 300,
  handle: async ({ db }) => ({ body: { games: await gamesOf(db) } }),
});

export type GameView = ReturnType<typeof viewOf>;

/** The nine games, in their order. They change with the catalog and at a close: counting every card takes long. */
export function gamesOf(db: KeptSql): Promise<GameView[]> {
  return keep(db, 'games', async () => {
    const [languages, sets] = await Promise.all([languagesOf(db), setsOf(db)]);
    return GAMES.map((game) => viewOf(game, languages, sets));
  });
}

function viewOf(game: Game, allLanguages: readonly LanguageRow[], allSets: readonly SetsRow[]) {
  const languages = allLanguages.filter((row) => row.game === game);
  const sets = allSets.find((row) => row.game === game);
  const sum = (count: (row: LanguageRow) => number) => languages.reduce((total, row) => total + count(row), 0);
  return {
    game,
    label: GAME_LABELS[game],
    type: CARD_TYPES[game],
    indexed: INDEXED_GAMES.includes(game),
    setCount: sets?.sets ?? 0,
    itemCount: sum((row) => row.items),
    imagedCount: sum((row) => row.imaged),
    soldCount: sum((row) => row.sold),
    languages: languages.map(({ language, items }) => ({ language, itemCount: items })),
    newestSetYear: sets?.newest_year ?? null,
  };
}

function languagesOf(db: Sql): Promise<LanguageRow[]> {
  return db.prepared(
    'games_languages',
    `select i.game, i.language, count(*) as items, count(i.image_url) as imaged, count(c.item_id) as sold
     from items i left join card_states c on c.item_id = i.id
     where i.removed_at is null group by i.game, i.language order by count(*) desc, i.language`,
  );
}

function setsOf(db: Sql): Promise<SetsRow[]> {
  return db.prepared(
    'games_sets',
    `select s.game, count(*) as sets, max(s.year) as newest_year from sets s
     where exists (select from items i where i.set_id = s.id and i.removed_at is null) group by s.game`,
  );
}
