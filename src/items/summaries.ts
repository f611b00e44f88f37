import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { invalidParameter, invalidValue } from '../http/problem.ts';
import { UUID } from '../lib/uuid.ts';
import { itemsByIds } from './item-row.ts';
import { asOfDay, asOfParameter } from './parameters/as-of.ts';
import { cardSummary } from './shapes.ts';
import { summariesOf } from './summary.ts';

const MAX_IDS = 300;
export const summaries = endpoint({
  id: 'summaries',
  summary: 'Summaries of many cards in one request, in the order requested',
  query: Type.Object({
    ids: Type.Optional(
      Type.String({
        maxLength: MAX_IDS * 40,
        description: `Comma-separated catalog ids, at most ${MAX_IDS}; unknown and withdrawn ones are left out.`,
      }),
    ),
    asOf: asOfParameter,
  }),
  response: Type.Array(cardSummary),
  maxAgeSeconds: 60,
  statuses: [404],
  async handle({ db }, { query }) {
    const ids = (query.ids ?? '')
      .split(',')
      .map((id) => id.trim().toLowerCase())
      .filter((id) => id !== '');
    if (ids.length > MAX_IDS) throw invalidParameter('ids', `ids must be at most ${MAX_IDS} ids; got ${ids.length}.`);
    const bad = ids.find((id) => !UUID.test(id.toLowerCase()));
    if (bad !== undefined) throw invalidValue('ids', 'catalog ids (UUIDs) separated by commas', bad);
    const items = ids.length === 0 ? [] : (await itemsByIds(db, ids)).filter(({ removed_at }) => removed_at === null);
    const asOf = await asOfDay(db, query.asOf);
    const body = items.length === 0 ? [] : await summariesOf(db, items, { asOf });
    return { body, isForGood: asOf !== null };
  },
});
