import { type Static, Type } from 'typebox';
import { readCert } from '../catalog/cert.ts';
import { GAMES, type Game } from '../catalog/games.ts';
import { quoted } from '../http/allowed.ts';
import { endpoint } from '../http/endpoint.ts';
import { upTo } from '../http/parameters.ts';
import { invalidParameter, invalidValue, ProblemError } from '../http/problem.ts';
import { nullable } from '../items/shapes.ts';
import type { SearchContext } from './context.ts';
import { makeCursor, readCursor } from './cursor.ts';
import { MIN_Q_CHARS } from './find.ts';
import { hitsOf, searchHit } from './hits.ts';
import { callIndex } from './index/live.ts';
import { queryText } from './query/read-query.ts';
import { requestedGradeOf } from './query/requested-grade.ts';
import { tagsRequested } from './tag-parameter.ts';

export const MAX_Q_CHARS = 80;
const MAX_LIMIT = 30;
const DEFAULT_LIMIT = 12;

const searchAnswer = Type.Object({
  query: Type.String({ description: 'The words as they were sent.' }),
  results: Type.Array(searchHit),
  cert: Type.Optional(
    Type.Object(
      {
        href: Type.String({ description: 'Site-relative address of the page of the slab.' }),
        api: Type.String({ description: 'Site-relative address of its lookup in the API.' }),
      },
      { description: 'The query reads as the cert of a slab.' },
    ),
  ),
  nextCursor: Type.Optional(nullable(Type.String({ description: 'With tags only; null on the last page.' }))),
  hasMore: Type.Optional(Type.Boolean({ description: 'With tags only.' })),
});
type SearchAnswer = Static<typeof searchAnswer>;

export const search = endpoint({
  id: 'search',
  summary: 'Cards by words, tags and characters; the right printing first',
  query: Type.Object({
    q: Type.Optional(
      Type.String({
        description: `Words in any order: name, set, number, language, year, variation; a grade, such as PSA 10, BGS 9.5 or raw, is what the cards are shown at. Up to ${MAX_Q_CHARS} characters, at least ${MIN_Q_CHARS} without a tag or a character.`,
      }),
    ),
    tag: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        description: '`kind:slug`; repeat it for cards that have all of them. At most 8.',
      }),
    ),
    character: Type.Optional(
      Type.String({ maxLength: 160, description: 'A character by slug or name; an unknown one is read as words.' }),
    ),
    game: Type.Optional(
      Type.Enum([...GAMES], { description: 'Narrows tags and the character; without either it does nothing.' }),
    ),
    limit: Type.Optional(upTo(MAX_LIMIT, DEFAULT_LIMIT, 'Cards at most; with tags, the size of a page')),
    after: Type.Optional(
      Type.String({ maxLength: 200, description: 'The `nextCursor` of the page before, with the same query.' }),
    ),
  }),
  response: searchAnswer,
  maxAgeSeconds: 60,
  statuses: [503],
  handle: (context: SearchContext, { query }) => searchFor(context, { ...query, limit: query.limit ?? DEFAULT_LIMIT }),
});

type SearchRequest = {
  q?: string;
  tag?: string | readonly string[];
  character?: string;
  game?: Game;
  limit: number;
  after?: string;
};

/** What a search finds. Throws `invalid_parameter`, `invalid_cursor` and `unavailable`. */
async function searchFor(context: SearchContext, request: SearchRequest): Promise<{ body: SearchAnswer }> {
  const { q = '', character = '', game = null, limit, after = '' } = request;
  const tags = tagsRequested(request.tag);
  const words = searchWords(q);
  if ([...q].length > MAX_Q_CHARS)
    throw invalidParameter('q', `q must have at most ${MAX_Q_CHARS} characters; got ${[...q].length}.`);
  if (tags === null && character.trim() === '' && [...words].length < MIN_Q_CHARS) {
    throw invalidParameter(
      'q',
      `q must have at least ${MIN_Q_CHARS} characters without a tag or a character; got ${quoted(q)}.`,
    );
  }
  if (tags === null && after !== '') throw invalidValue('after', 'sent with a tag, or be empty', after);
  const filter = {
    words,
    tags,
    character: character.trim(),
    game,
    gameNarrowsWords: false,
    isExact: false,
  };
  const key = JSON.stringify([words, [...(tags ?? [])].sort(), filter.character, game]);
  const from = after === '' ? 0 : offsetOf(context, key, after);
  const window = { from, to: from + limit };
  const grade = requestedGradeOf(queryText(words));
  // A grade brings forward cards from behind the page; one item more says that there is a next page.
  const found = await callIndex(context, 'find', filter, grade === null ? window.to + 1 : undefined);
  const results = await hitsOf(context, { found, grade, window });
  const answer: SearchAnswer = { query: q, ...certOf(words), results };
  if (tags === null) return { body: answer };
  const hasMore = found.length > window.to;
  const nextCursor = hasMore ? makeCursor(context.fingerprint, key, window.to, context.clock()) : null;
  return { body: { ...answer, nextCursor, hasMore } };
}

function certOf(words: string): { cert?: { href: string; api: string } } {
  const reading = readCert(words);
  return reading.kind === 'invalid'
    ? {}
    : { cert: { href: `/cert/${reading.cert}`, api: `/v1/graded/${reading.cert}` } };
}

/** The words of a query as they are searched for. */
export function searchWords(q: string): string {
  return q
    .normalize('NFC')
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}

function offsetOf({ fingerprint, clock }: SearchContext, key: string, cursor: string): number {
  const reading = readCursor(fingerprint, key, cursor, clock());
  if ('offset' in reading) return reading.offset;
  throw new ProblemError('invalid_cursor', CURSOR_PROBLEMS[reading.problem]);
}

const CURSOR_PROBLEMS = {
  malformed: 'after is not a cursor: send the nextCursor of the page before as it is.',
  foreign: 'after belongs to another search: send it with the same q, tag, game and character.',
  expired: 'after is too old: start again with the first page.',
  outside: 'after points past the last page: start again with the first page.',
};
