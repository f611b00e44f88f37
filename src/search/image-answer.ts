import { type Static, Type } from 'typebox';
import { GAMES } from '../catalog/games.ts';
import type { Sql } from '../db/client.ts';
import { itemsByIds } from '../items/item-row.ts';
import { cardSummary } from '../items/shapes.ts';
import { summariesOf } from '../items/summary.ts';

const DEFAULT_LIMIT = '10';

/** What every search by picture or vector takes in its query, and nothing else. */
export const imageQuery = Type.Object(
  {
    hydrate: Type.Optional(Type.Enum(['0', '1'], { description: '`1`: with the cards themselves, as `items`.' })),
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9]|[1-4][0-9]|50)$',
        description: `Cards at most, 1 to 50, default ${DEFAULT_LIMIT}.`,
      }),
    ),
    game: Type.Optional(Type.Enum([...GAMES], { description: 'Cards of this game only.' })),
  },
  { additionalProperties: false },
);

export const CONFIDENCES = ['high', 'medium', 'low', 'none'] as const;

/** What a search by picture or vector answers. */
export const imageAnswer = Type.Object(
  {
    ids: Type.Array(Type.String({ format: 'uuid' }), { description: 'Catalog ids, the likeliest first.' }),
    confidence: Type.Enum([...CONFIDENCES], {
      description: 'That the first is the card in the photo. `none`, and no ids: nothing in it is like a known card.',
    }),
    scores: Type.Array(Type.Number(), { description: 'Likeness of each id, 0 to 1.' }),
    model: Type.String({ description: 'What the pictures were compared by.' }),
    items: Type.Optional(Type.Array(cardSummary, { description: 'With `hydrate=1`, in the order of `ids`.' })),
  },
  { title: 'ImageSearch' },
);

export type ImageAnswer = Static<typeof imageAnswer>;

/** What was found: best first, `scores` beside `ids`. */
export type Found = Pick<ImageAnswer, 'ids' | 'confidence' | 'scores' | 'model'>;

export type ImageQuery = Static<typeof imageQuery>;

export function limitOf({ limit }: ImageQuery): number {
  return Number(limit ?? DEFAULT_LIMIT);
}

/** The answer to a search; of a card that was withdrawn this moment there is no summary, and no id beside it. */
export async function answerOf(db: Sql, found: Found, hydrate: boolean): Promise<ImageAnswer> {
  if (!hydrate) return found;
  const rows = await itemsByIds(db, found.ids);
  const scoreOf = new Map(found.ids.map((id, i) => [id, found.scores[i]!]));
  const ids = rows.map(({ id }) => id);
  return { ...found, ids, scores: ids.map((id) => scoreOf.get(id)!), items: await summariesOf(db, rows) };
}
