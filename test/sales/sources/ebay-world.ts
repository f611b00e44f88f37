import type { Db } from '../../../src/db/client.ts';
import type { SaleSource } from '../../../src/sales/sources/source.ts';
import { EBAY_ENV, type EbayServer } from '../../support/servers/ebay-server.ts';
import { aQuery, NOW_MS, openMarket, patience } from './world.ts';

/** A market of eBay at a server of ours. */
export function ebayMarket(
  db: Db,
  ebay: EbayServer,
  kind: 'ebay-browse' | 'ebay-insights',
  more: object = {},
  env = EBAY_ENV,
): SaleSource {
  const credentials = { clientId: { env: 'EBAY_ID' }, clientSecret: { env: 'EBAY_SECRET' } };
  return openMarket(db, { kind, apiUrl: ebay.origin, ...credentials, ...more }, env);
}

export const search = (one: SaleSource, query = aQuery(), time = patience()) => one.search(query, time, NOW_MS);
