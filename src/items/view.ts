import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Answer } from '../http/answer.ts';
import type { Core } from '../http/context.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { ProblemError } from '../http/problem.ts';
import type { ItemRow } from './item-row.ts';
import { itemHref } from './item-row.ts';
import type { Located, Locator } from './locate/locate.ts';

/** A view of one item, whichever way the address names it. Pages show the same body that the API sends. */
export type ItemView<Query extends TObject = TObject, Body = unknown> = {
  /** First part of its endpoint ids: `overview` + `BySlug`. */
  id: string;
  summary: string;
  query?: Query;
  response: TSchema;
  /** Days of trade history that it shows; what goes beyond HISTORY_PUBLIC_DAYS is for partners. */
  historyDays?(query: Static<Query>): number;
  view(context: Core, located: Located, query: Static<Query>): Promise<Answer<Body>>;
};

const PRICE_MAX_AGE_SECONDS = 60;

/** Declares a view; it exists to infer the types of `query` and of the body. */
export function itemView<Query extends TObject, Body>(view: ItemView<Query, Body>): ItemView<Query, Body> {
  return view;
}

/** The endpoint of a view for one locator. */
// biome-ignore lint/suspicious/noExplicitAny: views of different queries share this table
export function endpointOf(view: ItemView<any>, locator: Locator): Endpoint<TObject, TObject> {
  const isForPartners = ({ config }: Core, query: unknown) =>
    view.historyDays !== undefined && view.historyDays(query) > config.historyPublicDays;
  return endpoint({
    id: view.id + locator.id,
    summary: view.summary,
    params: locator.params,
    ...(view.query || locator.query
      ? { query: Type.Object({ ...locator.query?.properties, ...view.query?.properties }) }
      : {}),
    response: view.response,
    maxAgeSeconds: PRICE_MAX_AGE_SECONDS,
    statuses: [404, 410, ...(view.historyDays ? ([403] as const) : [])],
    admit(context, { query, caller }) {
      if (caller.tier === 'partner' || !isForPartners(context, query)) return;
      throw new ProblemError(
        'approved_access_required',
        `window must be at most ${context.config.historyPublicDays} without a partner key; got ${view.historyDays!(query)} days. POST /v1/partners/apply asks for a key.`,
      );
    },
    async handle(context, { params, query }) {
      const located = await locator.locate(context, params as Record<string, string>, query as Record<string, string>);
      const answer = await view.view(context, located, query);
      return isForPartners(context, query) ? { ...answer, noStore: true } : answer;
    },
  });
}

/** The attribution to show with a number of this item, and the address of its page. */
export function attributionOf(context: Core, item: ItemRow, gradeKey: string | null) {
  const url = context.config.baseUrl + itemHref(item, gradeKey);
  return { attribution: { text: `Reference price by ${context.config.serviceName}`, url }, pageUrl: url };
}
