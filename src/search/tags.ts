import { Type } from 'typebox';
import { GAMES } from '../catalog/games.ts';
import type { Context } from '../http/context.ts';
import { endpoint } from '../http/endpoint.ts';
import { ProblemError } from '../http/problem.ts';

const DEFAULT_LIMIT = '50';
/** A scan that takes longer, or waits longer for a lock, is unavailable. */
const SCAN_TIMEOUT_MS = 2000;

export const tags = endpoint({
  id: 'tags',
  summary: 'Tags of a kind that items have: choices for the search parameter `tag`',
  query: Type.Object({
    kind: Type.String({
      pattern: '^[a-z][a-z0-9_-]{0,39}$',
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
        kind: Type.String({ maxLength: 40 }),
        slug: Type.String({ maxLength: 120 }),
        name: Type.String({ maxLength: 120 }),
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
    const rows = await choices(context, { kind, prefix: q.normalize('NFC'), game, limit: limit + 1 });
    const tags = rows.slice(0, limit).map(({ slug, name }) => ({ kind, slug, name }));
    return { body: { tags, hasMore: rows.length > limit } };
  },
});

/**
 * Active tags with a live, imaged item (in `game`, where it is given), each slug once: the global tag wins, else that of
 * the game with most items. An unavailable scan is 503: an empty answer would say that there are no tags.
 */
async function choices(
  { db, log }: Context,
  { kind, prefix, game, limit }: { kind: string; prefix: string; game: string | null; limit: number },
): Promise<{ slug: string; name: string }[]> {
  try {
    return await db.transaction(async (session) => {
      await session.query(`set local statement_timeout = ${SCAN_TIMEOUT_MS}`);
      return session.prepared(
        'tag_choices',
        `with eligible as (
           select t.slug, t.name, t.game, sum(r.links) as links
           from tags t join tag_reach r on r.tag_id = t.id
           where t.kind = $1 and t.active and r.links > 0
             and r.game = coalesce($3, r.game) and r.game = coalesce(t.game, r.game)
             and (lower(t.name) collate "C" >= lower($2) and lower(t.name) collate "C" < lower($2) || chr(1114111)
               or lower(t.slug) collate "C" >= lower($2) and lower(t.slug) collate "C" < lower($2) || chr(1114111))
           group by t.id
         ), choices as (
           select distinct on (slug) slug, name, sum(links) over (partition by slug) as links
           from eligible order by slug, game is not null, eligible.links desc, game
         )
         select slug, name from choices order by slug = lower($2) desc, links desc, slug collate "C" limit $4`,
        [kind, prefix, game, limit],
      );
    });
  } catch (error) {
    log.error(error, 'tags cannot be read');
    throw new ProblemError('unavailable', 'The tags cannot be read just now; try again shortly.', {
      headers: { 'retry-after': '5' },
    });
  }
}
