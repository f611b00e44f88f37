import { Type } from 'typebox';
import { endpoint } from '../../http/endpoint.ts';
import { upTo } from '../../http/parameters.ts';
import { notFound } from '../../http/problem.ts';
import { readChangesCursor } from './changes-cursor.ts';
import { changesPage } from './changes-page.ts';
import { priceChange } from './price-change.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

/** `GET /v1/changes`: which prices each close changed, and why. */
export const changes = endpoint({
  id: 'changes',
  summary:
    'Which prices each close changed and why, in the order of days and cards: a cursor that goes on with each close',
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: 60,
        description:
          '`nextCursor` of an earlier answer, or a day: what the closes after it changed. Without it: what the last close changed.',
      }),
    ),
    limit: Type.Optional(upTo(MAX_LIMIT, DEFAULT_LIMIT, 'Cards at most, each with every grade that changed')),
    market: Type.Optional(
      Type.Enum(['0', '1'], {
        description:
          '`1`: also prices that only followed their market. Every card that sold then counts towards `limit`.',
      }),
    ),
  }),
  response: Type.Object({
    changes: Type.Array(priceChange, {
      description: 'By day, card and grade. A page reads 31 closes at most, so it can be empty and have more.',
    }),
    hasMore: Type.Boolean({ description: 'More has been closed already: ask again at once.' }),
    nextCursor: Type.String({
      description: '`after` of the next page, with the same `market`; on the last one, of the next close.',
    }),
  }),
  maxAgeSeconds: 60,
  statuses: [404],
  async handle({ db }, { query: { after = '', limit = DEFAULT_LIMIT, market } }) {
    const place = after === '' ? null : readChangesCursor(after);
    const page = await changesPage(db, { after: place, limit, withMarket: market === '1' });
    if (page === null) throw notFound('No day has been closed yet.');
    return { body: page };
  },
});
