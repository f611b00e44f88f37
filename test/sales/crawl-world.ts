import { pino } from 'pino';
import type { Db } from '../../src/db/client.ts';
import { type CrawlContext, type CrawlReport, crawlSeries } from '../../src/sales/crawl/crawl.ts';
import type { SaleSource } from '../../src/sales/sources/source.ts';
import { openTitleBook } from '../../src/sales/titles.ts';
import type { MarketServer } from '../support/servers/market-server.ts';
import { openMarket } from './sources/world.ts';

/** A market of sold cards, one row each. */
export function cardShopAt(db: Db, shop: MarketServer, more: object = {}): SaleSource {
  return openMarket(db, {
    id: 'card-shop',
    name: 'The Card Shop',
    kind: 'json-http',
    url: `${shop.origin}/sold?item={itemId}&grade={gradeKey}`,
    tells: 'sale',
    rows: '',
    fields: { sale_id: '/id', item_id: '/item', company: '/by', grade: '/grade', price: '/usd', sold_at: '/at' },
    constants: { currency: 'USD', sale_type: 'shop' },
    ...more,
  });
}

export async function crawlContext(db: Db, clock: () => number, markets: readonly SaleSource[]): Promise<CrawlContext> {
  return { db, log: pino({ level: 'silent' }), clock, markets: [...markets], titles: await openTitleBook(db) };
}

/** Of a caller that does not give up. */
export const never = new AbortController().signal;

export const crawlTen = (context: CrawlContext, itemId: string, withinMs = 20_000): Promise<CrawlReport | null> =>
  crawlSeries(context, { itemId, gradeKey: 'psa-10' }, never, withinMs);
