import { Type } from 'typebox';
import { GAMES, type Game } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';
import { endpoint } from '../../http/endpoint.ts';
import { gameSlug, nullable } from '../shapes.ts';

type Row = {
  segment: string;
  name: string;
  code: string | null;
  language: string | null;
  year: number | null;
  cards: number;
  imaged: number;
  sold: number;
};

export const setList = endpoint({
  id: 'setList',
  summary: 'Every set of a game, newest first',
  query: Type.Object({ game: Type.Enum([...GAMES], { description: `One of ${GAMES.join(', ')}.` }) }),
  response: Type.Object({
    game: gameSlug,
    sets: Type.Array(
      Type.Object({
        setSegment: Type.String({ description: 'Second path segment of its cards’ addresses.' }),
        setName: Type.String(),
        setCode: nullable(Type.String()),
        language: nullable(Type.String({ description: 'Null when its cards are in several.' })),
        year: nullable(Type.Integer()),
        cardCount: Type.Integer({ minimum: 1 }),
        imagedCount: Type.Integer({ description: 'Of these, with an image.' }),
        soldCount: Type.Integer({ description: 'Of these, with a sale that counts for a price.' }),
        href: Type.String(),
      }),
    ),
  }),
  maxAgeSeconds: 300,
  handle: async ({ db }, { query: { game } }) => ({ body: { game, sets: await setsOfGame(db, game) } }),
});

export type SetView = Awaited<ReturnType<typeof setsOfGame>>[number];

/** The sets of a game that have a card, newest first. */
export async function setsOfGame(db: Sql, game: Game) {
  const rows = await db.prepared<Row>(
    'sets_of_game',
    `with cards as materialized (
       select set_id, count(*) as cards, count(image_url) as imaged from items
       where game = $1 and removed_at is null group by set_id
     ), sold as materialized (
       select i.set_id, count(*) as sold from card_states c join items i on i.id = c.item_id
       where i.game = $1 and i.removed_at is null group by i.set_id
     )
     select s.segment, s.name, s.code, s.language, s.year, cards.cards, cards.imaged, coalesce(sold.sold, 0) as sold
     from sets s join cards on cards.set_id = s.id left join sold on sold.set_id = s.id
     order by s.year desc nulls last, s.name, s.segment`,
    [game],
  );
  return rows.map(({ segment, name, code, language, year, cards, imaged, sold }) => ({
    setSegment: segment,
    setName: name,
    setCode: code,
    language,
    year,
    cardCount: cards,
    imagedCount: imaged,
    soldCount: sold,
    href: `/card/${game}/${segment}`,
  }));
}
