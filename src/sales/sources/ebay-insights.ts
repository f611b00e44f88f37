import { isObject } from '../../catalog/formats/text.ts';
import { type Connection, settingsOf } from '../../connections.ts';
import type { ServiceClientWorld } from '../../http/outbound/service-client.ts';
import { entryOf, type SaleEntry } from '../formats/sales-format.ts';
import { isUnreadable, type UnreadableField } from '../row-fields.ts';
import type { RawSale } from '../sale.ts';
import { EBAY_SETTINGS, openEbay } from './ebay-api.ts';
import { ebayCard } from './ebay-row.ts';
import type { SaleSource } from './source.ts';

const PATH = '/buy/marketplace_insights/v1_beta/item_sales/search';
const SCOPE = 'https://api.ebay.com/oauth/api_scope/buy.marketplace.insights';

/**
 * Sold items of the last 90 days: eBay's Marketplace Insights API (v1_beta, limited release). An item that sold several
 * times is one row with its last sale.
 */
export function openEbayInsights(world: ServiceClientWorld, connection: Connection): SaleSource {
  const ebay = openEbay(world, connection, { settings: settingsOf(connection, EBAY_SETTINGS), scope: SCOPE });
  return {
    id: connection.id,
    name: connection.name,
    tells: ['sale'],
    client: ebay.client,
    async search(query, patience) {
      const sales: SaleEntry[] = [];
      const ended = await ebay.search(PATH, 'itemSales', query, patience, (row) => {
        sales.push(entryOf(saleOf(row), sales.length + 1, () => JSON.stringify(row)));
      });
      return { sales, listings: [], ...ended };
    },
  };
}

function saleOf(row: Record<string, unknown>): RawSale | UnreadableField {
  const card = ebayCard(row);
  if (isUnreadable(card)) return card;
  const { itemNumber, ...fields } = card;
  const price = isObject(row.lastSoldPrice) ? row.lastSoldPrice : {};
  const soldAt = String(row.lastSoldDate ?? '');
  const times = Number(row.totalSoldQuantity ?? 1);
  const options = [row.buyingOptions ?? []].flat();
  return {
    ...fields,
    price: String(price.value ?? ''),
    currency: String(price.currency ?? ''),
    sold_at: soldAt,
    source: 'ebay',
    // The last sale changes with the next one: each is identified by its time.
    sale_id: times > 1 ? `${itemNumber}/${soldAt}` : itemNumber,
    sale_type: options.includes('AUCTION') ? 'auction' : 'fixed',
    ...(times > 1 ? { detail: `the last of ${times} sold` } : {}),
  };
}
