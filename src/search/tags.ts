import { Type } from 'typebox';
import { GAMES } from '../catalog/games.ts';
import { MAX_TAG_CHARS, TAG_KIND } from '../catalog/tags/tag.ts';
import { endpoint } from '../http/endpoint.ts';
import { indexFor } from './live.ts';
import { choicesOf } from './tag-choices.ts';

const DEFAULT_LIMIT = '50';

export const tags = endpoint({
  id: 'tags',
  summary: 'Tags of a kind that items have: choices for the search parameter `tag`',
  query: Type.Object({
    kind: Type.String({
      pattern: TAG_KIND.source,
      description: 'A facet, such as `mood`, `color` or `character`; one without tags has no choices.',
    }),
    q: Type.Optional(
      Type.String({
        maxLength: 120,
        pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
        description: 'What the name or the slug begins with, whatever its case; every sign stands for itself.',
      }),
    ),
    game: Type.Optional(
      Type.Enum([...GAMES], { description: 'Only tags that items of this game have: global ones and its own.' }),
    ),
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9][0-9]?|100)$', description: `1 to 100, default ${DEFAULT_LIMIT}.` }),
    ),
  }),
  response: Type.Object({
    tags: Type.Array(
      Type.Object({
        kind: Type.String({ pattern: TAG_KIND.source }),
        slug: Type.String({ maxLength: MAX_TAG_CHARS }),
        name: Type.String({ maxLength: MAX_TAG_CHARS, description: 'English.' }),
      }),
      { maxItems: 100, description: 'The slug that `q` is exactly first, then by how many items have it.' },
    ),
    hasMore: Type.Boolean({ description: 'There are more choices: ask for a longer prefix.' }),
  }),
  maxAgeSeconds: 60,
  statuses: [503],
  async handle(context, { query }) {
    const { kind, q = '', game = null } = query;
    const limit = Number(query.limit ?? DEFAULT_LIMIT);
    // Without an index it cannot be told which tags there are: 503, since an empty answer would say that there are none.
    const { tags: known } = await indexFor(context);
    const found = choicesOf(known.byKind, { kind, prefix: q.normalize('NFC'), game, limit: limit + 1 });
    const tags = found.slice(0, limit).map(({ slug, name }) => ({ kind, slug, name }));
    return { body: { tags, hasMore: found.length > limit } };
  },
});
