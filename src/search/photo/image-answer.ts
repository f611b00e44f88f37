import { type Static, Type } from 'typebox';
import { GAMES } from '../../catalog/games.ts';
import { upTo } from '../../http/parameters.ts';
import { itemsByIds } from '../../items/item-row.ts';
import { cardSummary, nullable } from '../../items/shapes.ts';
import { summariesOf } from '../../items/summary.ts';
import type { PricedDb } from '../../pricing/read/quotes.ts';

export const MAX_LIMIT = 50;
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

/** What was found, best first: `ids` with their `scores`. */
export type FoundItems = Omit<ImageAnswer, 'items'>;
/** The same by a photo, where the scores of wrong cards are known. */
export type FoundByPhoto = FoundItems & { confidence: (typeof CONFIDENCES)[number] };

export function limitOf({ limit }: Static<typeof imageQuery>): number {
  return limit ?? DEFAULT_LIMIT;
}

/** The answer to a search, with the cards for `hydrate` of a query or a body; a card withdrawn meanwhile is left out. */
export async function answerOf(db: PricedDb, found: FoundItems, hydrate: unknown): Promise<ImageAnswer> {
  if (!['1', 'true'].includes(String(hydrate))) return found;
  const rows = await itemsByIds(db, found.ids);
  const scoreOf = new Map(found.ids.map((id, i) => [id, found.scores[i]!]));
  const ids = rows.map(({ id }) => id);
  return { ...found, ids, scores: ids.map((id) => scoreOf.get(id)!), items: await summariesOf(db, rows) };
}
