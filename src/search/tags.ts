import { Type } from 'typebox';
import { GAMES } from '../catalog/games.ts';
import { MAX_TAG_CHARS, TAG_KIND } from '../catalog/tags/tag.ts';
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
    const rows = await choices(context, { kind, prefix: q.normalize('NFC'), game, limit: limit + 1 });
    const tags = rows.slice(0, limit).map(({ slug, name }) => ({ kind, slug, name }));
    return { body: { tags, hasMore: rows.length > limit } };
  },
});

/** A slug may be a global tag and one of every game: the first so many tags hold the slugs of any page. */
const CANDIDATES = (GAMES.length + 1) * 101;

const BY_PREFIX = `and (lower(t.name) collate "C" >= lower($3) and lower(t.name) collate "C" < lower($3) || chr(1114111)
  or lower(t.slug) collate "C" >= lower($3) and lower(t.slug) collate "C" < lower($3) || chr(1114111))`;

// The global tag is looked for by a scalar: for an `exists` the planner would gather all global tags first.
const choicesSql = (prefixed: boolean) => `
  with candidates as materialized (
    select t.id, t.slug, t.name, t.game, r.links, t.slug = lower($3) as exact
    from tag_reach r join tags t on t.id = r.tag_id
    where r.kind = $1 and t.kind = $1 and r.game = $2 and r.links > 0 and t.active
      and (t.game is null or $2 = '' or t.game = $2) ${prefixed ? BY_PREFIX : ''}
    order by ${prefixed ? 'exact desc,' : ''} r.links desc, r.tag_id limit ${CANDIDATES}
  )
  select slug, name from (
    select distinct on (slug) * from candidates c
    where game is null or (
      select t.id from tags t join tag_reach r on r.tag_id = t.id and r.game = $2 and r.links > 0
      where t.kind = $1 and t.slug = c.slug and t.game is null and t.active limit 1) is null
    order by slug, links desc, id
  ) one_each
  order by exact desc, links desc, id limit $4`;

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
      // Planned anew each time: how much a prefix fits decides where to begin.
      return session.query(choicesSql(prefix !== ''), [kind, game ?? '', prefix, limit]);
    });
  } catch (error) {
    log.error(error, 'tags cannot be read');
    throw new ProblemError('unavailable', 'The tags cannot be read just now; try again shortly.', {
      headers: { 'retry-after': '5' },
    });
  }
}
