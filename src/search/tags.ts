import { Type } from 'typebox';
import { GAMES } from '../catalog/games.ts';
import { FACETS, MAX_TAG_CHARS, TAG_KIND } from '../catalog/tags/tag.ts';
import { endpoint } from '../http/endpoint.ts';
import { upTo } from '../http/parameters.ts';
import { invalidValue } from '../http/problem.ts';
import type { SearchContext } from './context.ts';
import { callIndex } from './index/live.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;
/** An import may bring any number of kinds. */
const MAX_NAMED = 40;

export const tags = endpoint({
  id: 'tags',
  summary: 'Tags of a kind that items have: choices for the search parameter `tag`',
  query: Type.Object({
    kind: Type.String({
      pattern: TAG_KIND.source,
      description: 'A facet, such as `mood`, `color` or `character`: lower-case letters, digits and dashes.',
    }),
    q: Type.Optional(
      Type.String({
        maxLength: 120,
        pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
        description:
          'A prefix of the name or slug, in any case, at most 120 characters without control characters. `%`, `_` and `\\` are literal.',
      }),
    ),
    game: Type.Optional(
      Type.Enum([...GAMES], { description: 'Only tags that items of this game have: global ones and its own.' }),
    ),
    limit: Type.Optional(upTo(MAX_LIMIT, DEFAULT_LIMIT, 'Choices at most')),
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
  async handle(context: SearchContext, { query }) {
    const { kind, q = '', game = null, limit = DEFAULT_LIMIT } = query;
    // Without an index the tags are unknown: 503, since an empty answer would say that there are none.
    const facets = new Set<string>([...FACETS, ...(await callIndex(context, 'tagKinds'))]);
    if (!facets.has(kind)) {
      const named = [...facets].sort().slice(0, MAX_NAMED).join(', ');
      throw invalidValue('kind', `one of ${named}`, kind);
    }
    const wanted = { kind, prefix: q.normalize('NFC'), game, limit: limit + 1 };
    const found = await callIndex(context, 'tagChoices', wanted);
    const tags = found.slice(0, limit).map(({ slug, name }) => ({ kind, slug, name }));
    return { body: { tags, hasMore: found.length > limit } };
  },
});
