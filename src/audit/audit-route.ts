import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { upTo } from '../http/parameters.ts';
import { invalidCursor } from '../http/problem.ts';
import { gameSlug, nullable } from '../items/shapes.ts';
import { publicOf, publicSuspect, readSuspects } from './audit-page.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

/** `GET /v1/audit`: which prices may be on the wrong card, and what was decided. */
export const audit = endpoint({
  id: 'audit',
  summary: 'Prices and ids that may be on the wrong card, with the evidence and what was decided, newest first',
  query: Type.Object({
    game: Type.Optional(Type.Enum(gameSlug.enum, { description: 'One of the games; all of them unless given.' })),
    state: Type.Optional(Type.Enum(['open', 'decided'], { description: '`open` or `decided`; both unless given.' })),
    limit: Type.Optional(upTo(MAX_LIMIT, DEFAULT_LIMIT, 'Suspects at most')),
    after: Type.Optional(
      Type.String({
        maxLength: 20,
        description: '`nextCursor` of the previous page, with the same game and state; empty for the first page.',
      }),
    ),
  }),
  response: Type.Object({
    suspects: Type.Array(publicSuspect),
    nextCursor: nullable(Type.String({ description: '`after` of the next page; null on the last one.' })),
    hasMore: Type.Boolean(),
  }),
  maxAgeSeconds: 60,
  async handle({ db }, { query: { game, state, limit = DEFAULT_LIMIT, after = '' } }) {
    const page = await readSuspects(db, { game, state, before: suspectCursor(after), limit });
    const { suspects, items, nextCursor, hasMore } = page;
    return { body: { suspects: suspects.map((one) => publicOf(one, items)), nextCursor, hasMore } };
  },
});

/** The id that a cursor goes on from; null for the first page. Throws `invalid_cursor`. */
export function suspectCursor(after: string): number | null {
  if (after === '') return null;
  if (/^[1-9]\d{0,14}$/.test(after)) return Number(after);
  throw invalidCursor();
}
