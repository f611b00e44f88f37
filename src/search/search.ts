import { Type } from 'typebox';
import { GAMES, type Game } from '../catalog/games.ts';
import type { Context } from '../http/context.ts';
import { endpoint } from '../http/endpoint.ts';
import { invalidParameter, ProblemError } from '../http/problem.ts';
import { itemsByIds } from '../items/item-row.ts';
import { cardSummary, nullable } from '../items/shapes.ts';
import { newestOf, representativeSummaryOf } from '../items/summary.ts';
import { quotesOf } from '../pricing/read.ts';
import { makeCursor, readCursor, WINDOW } from './cursor.ts';
import { indexFor, liveIndex } from './live.ts';
import type { SearchIndex } from './search-index.ts';
import { tagsAsked } from './tag-parameter.ts';
import { characterCalled, itemsOfGame, itemsPassing, tagsOf } from './tagged.ts';
import { rankText } from './text.ts';

export const MAX_Q_CHARS = 80;
export const MIN_Q_CHARS = 2;
const MAX_LIMIT = 30;
const DEFAULT_LIMIT = '12';

export const search = endpoint({
  id: 'search',
  summary: 'Cards by words, tags and characters; the right printing first',
  query: Type.Object({
    q: Type.Optional(
      Type.String({
        description: `Words in any order: name, set, number, language, year, variation. Up to ${MAX_Q_CHARS} characters, at least ${MIN_Q_CHARS} without a tag or a character.`,
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
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9]|[12][0-9]|30)$',
        description: `1 to ${MAX_LIMIT}, default ${DEFAULT_LIMIT}; the size of a page where there are tags.`,
      }),
    ),
    after: Type.Optional(
      Type.String({ maxLength: 200, description: 'The `nextCursor` of the page before, with the same query.' }),
    ),
  }),
  response: Type.Object({
    query: Type.String({ description: 'The words as they were sent.' }),
    results: Type.Array(cardSummary),
    nextCursor: Type.Optional(nullable(Type.String({ description: 'With tags only; null on the last page.' }))),
    hasMore: Type.Optional(Type.Boolean({ description: 'With tags only.' })),
  }),
  maxAgeSeconds: 60,
  statuses: [503],
  handle: (context, { query }) => searchFor(context, { ...query, limit: Number(query.limit ?? DEFAULT_LIMIT) }),
});

export type SearchAsked = {
  q?: string;
  tag?: string | readonly string[];
  character?: string;
  game?: Game;
  /** The game narrows words alone too: on the pages, where it is a visitor's choice. */
  gameNarrowsWords?: true;
  limit: number;
  after?: string;
};

/** What a search finds. Throws `invalid_parameter`, `invalid_cursor` and `unavailable`. */
export async function searchFor(context: Context, asked: SearchAsked) {
  const { q = '', character = '', game = null, limit, after = '' } = asked;
  const tags = tagsAsked(asked.tag);
  const words = searchWords(q);
  if ([...q].length > MAX_Q_CHARS) throw invalidParameter('q', `q has at most ${MAX_Q_CHARS} characters.`);
  if (tags === null && character.trim() === '' && [...words].length < MIN_Q_CHARS) {
    throw invalidParameter('q', `q needs at least ${MIN_Q_CHARS} characters when there is no tag and no character.`);
  }
  const filter = { words, tags: tags ?? [], character: character.trim(), game };
  if (tags === null) {
    if (after !== '') throw invalidParameter('after', 'Only a search by tag has further pages.');
    const index = await indexFor(context);
    const among = asked.gameNarrowsWords && game !== null ? itemsOfGame(index, game) : null;
    return answer(context, index, q, ranked(index, filter, limit, among));
  }
  const key = JSON.stringify([words, [...tags].sort(), filter.character, game]);
  const offset = after === '' ? 0 : offsetOf(context, key, after);
  const index = await indexFor(context);
  const found = ranked(index, filter, WINDOW);
  const hasMore = found.length > offset + limit;
  const nextCursor = hasMore ? makeCursor(context.fingerprint, key, offset + limit, context.clock()) : null;
  return answer(context, index, q, found.slice(offset, offset + limit), { nextCursor, hasMore });
}

/** The words of a query as they are looked for. */
export function searchWords(q: string): string {
  return q
    .normalize('NFC')
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}

type Filtered = { words: string; tags: readonly string[]; character: string; game: Game | null };

/**
 * The best `count` items. An unknown character is dropped; where there are no words it is the words.
 * Text too short to be searched for alone only brings forward what it fits: the others that pass follow.
 */
function ranked(
  index: SearchIndex,
  { words, tags, character, game }: Filtered,
  count: number,
  among: Int32Array | null = null,
): number[] {
  const places = character === '' ? null : characterCalled(index, character);
  const text = words === '' && places === null ? character : words;
  const isFiltered = tags.length > 0 || places !== null;
  if (!isFiltered) return rankText(index, text, among).slice(0, count);
  const filter = { tags, character: places, game };
  if (text === '') return [...itemsPassing(index, filter, count)];
  const passing = itemsPassing(index, filter);
  const fitting = rankText(index, text, passing);
  const isBrowsing = [...text].length < MIN_Q_CHARS;
  const items = isBrowsing ? [...new Set([...fitting, ...passing.subarray(0, WINDOW)])] : fitting;
  return items.slice(0, count);
}

function offsetOf({ fingerprint, clock }: Context, key: string, cursor: string): number {
  const reading = readCursor(fingerprint, key, cursor, clock());
  if ('offset' in reading) return reading.offset;
  throw new ProblemError('invalid_cursor', CURSOR_PROBLEMS[reading.problem]);
}

const CURSOR_PROBLEMS = {
  malformed: 'after is no cursor: send the nextCursor of the page before as it is.',
  foreign: 'after belongs to another search: send it with the same q, tag, game and character.',
  expired: 'after is too old: begin again with the first page.',
  outside: 'after points past the last page: begin again with the first page.',
};

/**
 * The cards of some items. The index knows their tags, and which of them never sold: only what sold is asked for prices.
 */
async function answer(
  context: Context,
  index: SearchIndex,
  query: string,
  found: readonly number[],
  paging: { nextCursor?: string | null; hasMore?: boolean } = {},
) {
  const { db } = context;
  const soldSince = liveIndex(context).soldSince();
  const places = new Map(found.map((item) => [index.idOf(item), item]));
  const ids = [...places.keys()];
  const sold = ids.filter((id) => places.get(id)! < index.soldCount || soldSince.has(id));
  const [items, quotes] = await Promise.all([itemsByIds(db, ids), quotesOf(db, sold)]);
  const results = items.map((item) =>
    representativeSummaryOf(item, quotes.get(item.id) ?? [], tagsOf(index, places.get(item.id)!)),
  );
  return { body: { query, results, ...paging }, lastModifiedMs: newestOf(items, results) || null };
}
