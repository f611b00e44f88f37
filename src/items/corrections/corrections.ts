import { Type } from 'typebox';
import { endpoint } from '../../http/endpoint.ts';
import { upTo } from '../../http/parameters.ts';
import { notFound } from '../../http/problem.ts';
import { itemMap } from '../item-row.ts';
import { nullable } from '../shapes.ts';
import { correction } from './correction-shape.ts';
import { correctionsPage } from './corrections-page.ts';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;

/** `GET /v1/corrections`: what would change a published number, which itself stays. */
export const corrections = endpoint({
  id: 'corrections',
  summary: 'What became known after a price was published and would change it today, newest first',
  query: Type.Object({
    item: Type.Optional(
      Type.String({
        pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        description: 'A catalog id (UUID). Only corrections of this card are listed.',
      }),
    ),
    limit: Type.Optional(upTo(MAX_LIMIT, DEFAULT_LIMIT, 'Corrections at most')),
    after: Type.Optional(
      Type.String({
        maxLength: 200,
        description: '`nextCursor` of the previous page, with the same item; empty for the first page.',
      }),
    ),
  }),
  response: Type.Object({
    corrections: Type.Array(correction),
    hasMore: Type.Boolean(),
    nextCursor: nullable(Type.String({ description: '`after` of the next page; null on the last one.' })),
  }),
  maxAgeSeconds: 60,
  statuses: [404],
  async handle(context, { query: { item: itemId, limit = DEFAULT_LIMIT, after = '' } }) {
    const item = itemId === undefined ? null : (await itemMap(context.db, [itemId])).get(itemId.toLowerCase());
    if (item === undefined) throw notFound('No item has this id; ids are the `id` of a card in any response.');
    return { body: await correctionsPage(context, { item, limit, after }) };
  },
});
