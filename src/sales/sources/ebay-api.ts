import { type Static, Type } from 'typebox';
import { isObject } from '../../catalog/formats/text.ts';
import { type Connection, secretRef, serviceClientOptions } from '../../connections.ts';
import { jsonOf } from '../../connectors/json.ts';
import { openServiceClient, type ServiceClient, type ServiceClientWorld } from '../../http/outbound/service-client.ts';
import {
  askWith,
  badAnswer,
  keywordsOf,
  type MarketQuery,
  type Patience,
  problemOf,
  type SourceProblem,
} from './source.ts';

/**
 * What eBay's Buy APIs have in common, as developer.ebay.com documents them: OAuth client credentials
 * (identity/v1/oauth2/token), `limit` and `offset`, errors as `{errors: [{errorId, message, …}]}`.
 */
export const EBAY_SETTINGS = {
  clientId: secretRef,
  clientSecret: secretRef,
  /** Which eBay: `X-EBAY-C-MARKETPLACE-ID`. */
  marketplace: Type.Optional(Type.String({ pattern: '^EBAY_[A-Z]{2,10}$' })),
  apiUrl: Type.Optional(Type.String()),
  /** Rows that one search takes at most; a page has up to 200. */
  maxRows: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
};

const settingsShape = Type.Object(EBAY_SETTINGS);
type EbaySettings = Static<typeof settingsShape>;

/** Trading card singles: the only categories with condition descriptors. */
export const CARD_CATEGORIES = { nonSport: '183050', ccg: '183454', sports: '261328' } as const;

/** Condition ids of those categories. */
export const GRADED = '2750';
export const UNGRADED = '4000';

const PAGE_ROWS = 200;
/** No search goes beyond this row. */
const LAST_ROW = 10_000;
/** A token is renewed this long before it ends. */
const TOKEN_MARGIN_MS = 60_000;

type Got = { json: Record<string, unknown> } | { problem: SourceProblem };

type EbayApi = {
  client: ServiceClient;
  get(path: string, query: Record<string, string>, patience: Patience): Promise<Got>;
  /** Takes the rows of a search as its pages come; returns what ended it. */
  search(
    path: string,
    list: string,
    query: MarketQuery,
    patience: Patience,
    take: (row: Record<string, unknown>) => void | Promise<void>,
  ): Promise<Ended>;
};
type Ended = { complete: boolean; problem: SourceProblem | null };

/** Opens one of eBay's Buy APIs; its token is fetched when first needed, shared by all searches, and renewed once on 401. */
export function openEbay(
  world: ServiceClientWorld,
  connection: Connection,
  options: { settings: EbaySettings; scope: string; budgetPerDay?: number },
): EbayApi {
  const { settings, scope, budgetPerDay } = options;
  const { apiUrl = 'https://api.ebay.com', marketplace = 'EBAY_US', maxRows = PAGE_ROWS } = settings;
  const usual = budgetPerDay === undefined ? {} : { budgetPerDay };
  const client = openServiceClient(world, serviceClientOptions(connection, [apiUrl], usual));
  const address = apiUrl.replace(/\/+$/, '');
  let token: { text: string; endsMs: number } | null = null;
  let fetching: Promise<SourceProblem | null> | null = null;

  /** Fetches a token; null when there is one now. */
  async function fetchToken(patience: Patience): Promise<SourceProblem | null> {
    const credentials = `${connection.secret(settings.clientId)}:${connection.secret(settings.clientSecret)}`;
    const answer = await askWith(client, patience, {
      url: `${address}/identity/v1/oauth2/token`,
      method: 'POST',
      repeatable: true,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      },
      body: `grant_type=client_credentials&scope=${encodeURIComponent(scope)}`,
    });
    const problem = problemOf(answer);
    if (problem !== null) return { ...problem, message: `No token: ${problem.message}` };
    const json = answer.ok ? jsonOf(answer.body) : undefined;
    const { access_token: text, expires_in: seconds } = (isObject(json) ? json : {}) as Record<string, unknown>;
    if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text) || typeof seconds !== 'number')
      return badAnswer('No token: the answer has no access_token and expires_in.');
    token = { text, endsMs: world.clock() + seconds * 1000 - TOKEN_MARGIN_MS };
    return null;
  }

  async function ensureToken(patience: Patience): Promise<SourceProblem | null> {
    if (token !== null && world.clock() < token.endsMs) return null;
    // The first caller may give up; the others still want it.
    fetching ??= fetchToken({ ...patience, signal: new AbortController().signal }).finally(() => {
      fetching = null;
    });
    return fetching;
  }

  async function get(path: string, query: Record<string, string>, patience: Patience): Promise<Got> {
    for (let renewed = false; ; renewed = true) {
      const noToken = await ensureToken(patience);
      if (noToken !== null) return { problem: noToken };
      const used = token!.text;
      const answer = await askWith(client, patience, {
        url: `${address}${path}?${new URLSearchParams(query)}`,
        headers: {
          authorization: `Bearer ${used}`,
          accept: 'application/json',
          'x-ebay-c-marketplace-id': marketplace,
        },
      });
      if (!answer.ok && answer.status === 401 && !renewed) {
        if (token?.text === used) token = null;
        continue;
      }
      const json = answer.ok ? jsonOf(answer.body) : undefined;
      const problem = problemOf(answer);
      if (problem !== null) return { problem: { ...problem, message: problem.message + whyOf(json) } };
      return isObject(json) ? { json } : { problem: badAnswer('The answer is not JSON object.') };
    }
  }

  const search: EbayApi['search'] = async (path, list, query, patience, take) => {
    const most = Math.min(maxRows, LAST_ROW);
    const parameters = {
      q: keywordsOf(query),
      category_ids: query.game === 'sports' ? CARD_CATEGORIES.sports : CARD_CATEGORIES.ccg,
      // Without it only what has a fixed price is returned; and slabs or ungraded cards.
      filter: `buyingOptions:{FIXED_PRICE|AUCTION|BEST_OFFER},conditionIds:{${query.company === 'RAW' ? UNGRADED : GRADED}}`,
    };
    for (let offset = 0; ; offset += PAGE_ROWS) {
      const limit = Math.min(PAGE_ROWS, LAST_ROW - offset);
      const got = await get(path, { ...parameters, limit: String(limit), offset: String(offset) }, patience);
      if ('problem' in got) return { complete: false, problem: got.problem };
      const { [list]: rows = [], total } = got.json;
      if (!Array.isArray(rows) || typeof total !== 'number')
        return { complete: false, problem: badAnswer(`The answer has no ${list} and total.`) };
      for (const row of rows.filter(isObject)) await take(row);
      if (rows.length === 0 || offset + rows.length >= total) return { complete: true, problem: null };
      if (offset + PAGE_ROWS >= most) return { complete: false, problem: null };
    }
  };

  return { client, get, search };
}

/** The first error that eBay reports, shortened. */
function whyOf(json: unknown): string {
  const [first] = isObject(json) && Array.isArray(json.errors) ? json.errors : [];
  return isObject(first) ? ` ${first.errorId}: ${String(first.message).slice(0, 200)}` : '';
}
