import { type MarketServer, marketServer, type ReceivedRequest, type Reply } from './market-server.ts';

export type EbayServer = MarketServer & {
  /** What searches find, in order. */
  summaries: object[];
  sales: object[];
  items: Record<string, object>;
  /** Makes every token so far worthless. */
  revoke(): void;
  tokens(): number;
};

export const EBAY_ENV = { EBAY_ID: 'the-client-id', EBAY_SECRET: 'the-client-secret' };
const BASIC = `Basic ${Buffer.from(`${EBAY_ENV.EBAY_ID}:${EBAY_ENV.EBAY_SECRET}`).toString('base64')}`;
const SCOPES: Record<string, string> = {
  browse: 'https://api.ebay.com/oauth/api_scope',
  marketplace_insights: 'https://api.ebay.com/oauth/api_scope/buy.marketplace.insights',
};

/**
 * A loopback server that speaks eBay's OAuth, Browse and Marketplace Insights as documented: tokens with a scope, the
 * marketplace header, `limit` up to 200, `offset` in steps of `limit` within 10,000, errors as `{errors: [...]}`.
 */
export async function ebayServer(): Promise<EbayServer> {
  const tokens = new Map<string, string>();
  let issued = 0;
  const server = await marketServer();
  const ebay: EbayServer = Object.assign(server, {
    summaries: [] as object[],
    sales: [] as object[],
    items: {} as Record<string, object>,
    revoke: () => tokens.clear(),
    tokens: () => issued,
  });

  function token({ method, headers, body }: ReceivedRequest): Reply {
    const form = new URLSearchParams(body);
    if (method !== 'POST' || headers['content-type'] !== 'application/x-www-form-urlencoded') return { status: 400 };
    if (headers.authorization !== BASIC)
      return {
        status: 401,
        body: { error: 'invalid_client', error_description: 'client authentication failed' },
      };
    if (form.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type' } };
    const text = `v^1.1#i^1#token-${++issued}`;
    tokens.set(text, form.get('scope') ?? '');
    return { body: { access_token: text, expires_in: 7200, token_type: 'Application Access Token' } };
  }

  function page(query: URLSearchParams, list: string, all: object[]): Reply {
    const limit = Number(query.get('limit') ?? 50);
    const offset = Number(query.get('offset') ?? 0);
    if (limit < 1 || limit > 200 || offset % limit !== 0 || offset + limit > 10_000)
      return error(400, 12515, 'Bad page.');
    if (!query.get('q') || query.get('q')!.length > 100) return error(400, 12001, 'The call must have a valid q.');
    const options = /buyingOptions:\{([A-Z_|]+)\}/.exec(query.get('filter') ?? '')?.[1]?.split('|') ?? ['FIXED_PRICE'];
    const fitting = all.filter((one) =>
      ((one as { buyingOptions?: string[] }).buyingOptions ?? ['FIXED_PRICE']).some((option) =>
        options.includes(option),
      ),
    );
    const rows = fitting.slice(offset, offset + limit);
    return { body: { href: '', total: fitting.length, limit, offset, ...(rows.length > 0 ? { [list]: rows } : {}) } };
  }

  server.usual((received) => {
    if (received.path === '/identity/v1/oauth2/token') return token(received);
    const api = received.path.split('/')[2]!;
    const scope = tokens.get(received.headers.authorization?.replace('Bearer ', '') ?? '');
    if (scope === undefined) return error(401, 1001, 'Invalid access token');
    if (scope !== SCOPES[api]) return error(403, 1100, 'Insufficient permissions to fulfill the request.');
    if (received.headers['x-ebay-c-marketplace-id'] === undefined) return error(400, 12029, 'No marketplace.');
    if (received.path === '/buy/browse/v1/item_summary/search')
      return page(received.query, 'itemSummaries', ebay.summaries);
    if (received.path === '/buy/marketplace_insights/v1_beta/item_sales/search')
      return page(received.query, 'itemSales', ebay.sales);
    const item = ebay.items[decodeURIComponent(received.path.split('/').at(-1)!)];
    return item === undefined ? error(404, 11001, 'The specified item Id was not found.') : { body: item };
  });
  return ebay;
}

function error(status: number, errorId: number, message: string): Reply {
  return { status, body: { errors: [{ errorId, domain: 'API_BROWSE', category: 'REQUEST', message }] } };
}

/** A sold item of Marketplace Insights. */
export function anEbaySale(more: object = {}): object {
  return {
    itemId: 'v1|110000000001|0',
    title: 'Pokemon 1999 Base Charizard 4/102 PSA 10',
    itemWebUrl: 'https://www.ebay.com/itm/110000000001?hash=x',
    categories: [{ categoryId: '183454' }],
    conditionId: '2750',
    buyingOptions: ['AUCTION'],
    bidCount: 12,
    lastSoldDate: '2026-06-20T18:30:00.000Z',
    lastSoldPrice: { value: '1250.00', currency: 'USD' },
    totalSoldQuantity: 1,
    ...more,
  };
}

/** A live ask of Browse. */
export function anEbayAsk(more: object = {}): object {
  return {
    itemId: 'v1|220000000001|0',
    title: 'Pokemon 1999 Base Charizard 4/102 PSA 10',
    itemWebUrl: 'https://www.ebay.com/itm/220000000001?hash=x',
    leafCategoryIds: ['183454'],
    categories: [{ categoryId: '183454' }],
    conditionId: '2750',
    buyingOptions: ['FIXED_PRICE', 'BEST_OFFER'],
    price: { value: '1400.00', currency: 'USD' },
    itemCreationDate: '2026-06-01T08:00:00.000Z',
    ...more,
  };
}
