import { formatDay } from '../../lib/day.ts';
import type { RawSale } from '../../sales/sale.ts';
import { DEMO_DAYS } from './demo-market.ts';
import type { DemoItem } from './items.ts';
import type { Chance } from './random.ts';

/**
 * The reports of a simulated sale: mostly the sale itself; now and then one of the kinds that a ledger
 * rejects (a lot, a company without a model, an amount without a rate, a hidden price, a payment that never came), or
 * reported a second time by a source that repeats others.
 */
export function disturb(row: RawSale, chance: Chance, offset: number): RawSale[] {
  const kind = chance.uniform();
  if (kind < 0.004) return [{ ...row, quantity: '3', detail: 'simulated lot' }];
  if (kind < 0.007) return [{ ...row, title: 'Simulated lot of 5 cards, your choice' }];
  if (kind < 0.014 && row.company === 'PSA') return [{ ...row, company: chance.happens(0.6) ? 'SGC' : 'TAG' }];
  if (kind < 0.016) return [{ ...row, price: row.currency === 'JPY' ? '1' : '0.01' }];
  if (kind < 0.019) return [{ ...row, currency: 'THB', detail: 'simulated sale in a currency without rates' }];
  if (kind < 0.023 && row.sale_type === 'offer')
    return [{ ...row, price_hidden: 'true', detail: 'simulated best offer, accepted amount not known' }];
  if (kind < 0.026) return [row, { ...row, status: 'unpaid' }];
  const repeated = row.source === 'simulated-auctions' || row.source === 'simulated-marketplace';
  if (kind < 0.05 && repeated && offset < DEMO_DAYS - 1)
    return [
      row,
      { ...row, source: 'simulated-collector-feed', sale_id: `feed ${row.sale_id}`, detail: 'simulated repeat' },
    ];
  return [row];
}

/** A handful of rows that are not sales at all, and sales dated ahead of the last day. */
export function unreadableRows(items: readonly DemoItem[], endDay: number): RawSale[] {
  const item = items[0];
  if (item === undefined) return [];
  const row = (sale_id: string, changes: RawSale): RawSale => ({
    item_id: item.itemId,
    company: 'PSA',
    grade: '10',
    price: '100.00',
    currency: 'USD',
    sold_at: formatDay(endDay),
    source: 'simulated-auctions',
    sale_id,
    sale_type: 'auction',
    detail: 'simulated sale',
    ...changes,
  });
  return [
    row('unreadable 1', { price: '1,234.50' }),
    row('unreadable 2', { price: '-20.00' }),
    row('unreadable 3', { sold_at: '2026-02-30' }),
    row('unreadable 4', { currency: 'DOLLARS' }),
    row('ahead 1', { sold_at: formatDay(endDay + 30) }),
    row('ahead 2', { sold_at: formatDay(endDay + 400) }),
  ];
}
