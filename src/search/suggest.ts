import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { upTo } from '../http/parameters.ts';
import { type ItemRow, itemHref, itemsByIds, numbersOf } from '../items/item-row.ts';
import { cardNumbers, gameSlug, imageAddress, nullable } from '../items/shapes.ts';
import type { SearchContext } from './context.ts';
import { callIndex } from './index/live.ts';

const MAX_Q_CHARS = 80;
const MAX_LIMIT = 10;

export const suggest = endpoint({
  id: 'suggest',
  summary: 'What a search may mean while it is being typed: cards, each once however many printings it has',
  query: Type.Object({
    q: Type.String({
      minLength: 2,
      maxLength: MAX_Q_CHARS,
      description: `What has been typed so far, 2 to ${MAX_Q_CHARS} characters; the last word may be unfinished.`,
    }),
    limit: Type.Optional(upTo(MAX_LIMIT, MAX_LIMIT, 'Suggestions at most')),
  }),
  response: Type.Object({
    query: Type.String(),
    suggestions: Type.Array(
      Type.Object({
        text: Type.String({ description: 'A query that finds the card.' }),
        id: Type.String({ format: 'uuid' }),
        game: gameSlug,
        name: Type.String(),
        setName: Type.String(),
        ...cardNumbers,
        variation: nullable(Type.String()),
        language: Type.String(),
        imageUrlThumb: nullable(imageAddress),
        href: Type.String(),
      }),
      { maxItems: 10 },
    ),
  }),
  maxAgeSeconds: 300,
  statuses: [503],
  handle: async (context: SearchContext, { query: { q, limit } }) => ({
    body: await suggestionsFor(context, q, limit ?? MAX_LIMIT),
  }),
});

/** What has been typed, and up to `limit` cards that it may mean. */
async function suggestionsFor(context: SearchContext, q: string, limit: number) {
  const items = await itemsByIds(context.db, await callIndex(context, 'suggested', q, limit));
  return { query: q, suggestions: items.map(suggestionOf) };
}

function suggestionOf(item: ItemRow) {
  return {
    text: queryFor(item),
    id: item.id,
    game: item.game,
    name: item.name,
    setName: item.set_name,
    ...numbersOf(item),
    variation: item.variation,
    language: item.language,
    imageUrlThumb: item.image_url_thumb,
    href: itemHref(item, null),
  };
}

/** Name, set and number; of a long name, what a query has room for. */
function queryFor({ name, set_name, number }: ItemRow): string {
  const texts = [
    [name, set_name, number],
    [name, number],
  ].map((parts) => parts.filter((part) => part !== null).join(' '));
  return texts.find((text) => [...text].length <= MAX_Q_CHARS) ?? [...name].slice(0, MAX_Q_CHARS).join('');
}
