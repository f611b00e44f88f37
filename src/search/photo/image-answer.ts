import { type Static, Type } from 'typebox';
import { GAMES } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';
import { upTo } from '../../http/parameters.ts';
import { itemsByIds } from '../../items/item-row.ts';
import { cardSummary, nullable } from '../../items/shapes.ts';
import { summariesOf } from '../../items/summary.ts';

const MAX_LIMIT = 50;
const DEFAULT_LIMIT = 10;

/** What every search by picture or vector takes in its query. */
export const imageQuery = Type.Object({
  hydrate: Type.Optional(
    Type.Enum(['1', 'true', '0', 'false'], { description: '`1` or `true`: with the cards themselves, as `items`.' }),
  ),
  limit: Type.Optional(upTo(MAX_LIMIT, DEFAULT_LIMIT, 'Cards at most')),
  game: Type.Optional(Type.Enum([...GAMES], { description: 'Cards of this game only.' })),
});

const CONFIDENCES = ['high', 'medium', 'low', 'none'] as const;

/** What a search by picture or vector answers. */
export const imageAnswer = Type.Object(
  {
    ids: Type.Array(Type.String({ format: 'uuid' }), { description: 'Catalog ids, the likeliest first.' }),
    confidence: nullable(
      Type.Enum([...CONFIDENCES], {
        description:
          'That the first is the card in the photo. `none`, and no ids: nothing in it is like a known card. null: not `measured`.',
      }),
    ),
    measured: Type.Optional(
      Type.Boolean({
        description:
          'Of searches by embedding: whether the scores of wrong cards are known for this model and catalog. Until they are, a score has no band.',
      }),
    ),
    scores: Type.Array(Type.Number(), { description: 'Likeness of each id, 0 to 1.' }),
    model: Type.String({ description: 'What the pictures were compared by.' }),
    items: Type.Optional(Type.Array(cardSummary, { description: 'With `hydrate=1`, in the order of `ids`.' })),
  },
  { title: 'ImageSearch' },
);

export type ImageAnswer = Static<typeof imageAnswer>;

/** What was found: best first, `scores` beside `ids`. */
export type FoundByPhoto = Pick<ImageAnswer, 'ids' | 'scores' | 'model'> & { confidence: (typeof CONFIDENCES)[number] };

/** As `Found`, by embedding alone: without a band where the model's scores were not measured. */
export type FoundByEmbedding = Omit<FoundByPhoto, 'confidence'> &
  Required<Pick<ImageAnswer, 'confidence' | 'measured'>>;

type ImageQuery = Static<typeof imageQuery>;

export function limitOf({ limit }: ImageQuery): number {
  return limit ?? DEFAULT_LIMIT;
}

/** True for the ways to ask for the cards themselves, in a query or a body. */
export function asksForCards(hydrate: unknown): boolean {
  return hydrate === true || ['1', 'true'].includes(String(hydrate));
}

/** The answer to a search; of a card that was withdrawn this moment there is no summary, and no id beside it. */
export async function answerOf(
  db: Sql,
  found: FoundByPhoto | FoundByEmbedding,
  hydrate: boolean,
): Promise<ImageAnswer> {
  if (!hydrate) return found;
  const rows = await itemsByIds(db, found.ids);
  const scoreOf = new Map(found.ids.map((id, i) => [id, found.scores[i]!]));
  const ids = rows.map(({ id }) => id);
  return { ...found, ids, scores: ids.map((id) => scoreOf.get(id)!), items: await summariesOf(db, rows) };
}
