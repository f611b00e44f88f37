import { LRUCache } from 'lru-cache';
import type { LastClose } from '../store/item-rows.ts';
import { priceRows, seriesIn } from './price-series.ts';
import { type PricedSql, type Published, publishedAt } from './published.ts';
import { type PricedSeries, pricedByItem } from './series-quote.ts';

/** The priced series of items that a server has read lately, for the lists that it answers with: all of one close. */
export type PriceShelf = {
  current(): KeptPrices;
  /** Forgets everything: prices closed, or sales, certs or the catalog changed. A reading that had begun keeps nothing. */
  clear(): void;
};

/** `last`: the close that they are of; undefined while nothing is kept. */
type KeptPrices = { last?: LastClose | null; items: LRUCache<string, { series: PricedSeries[]; bytes: number }> };

/** The priced series of items by item, of the last close with the sales since; items without one are absent. */
export type ItemPriceLists = { last: LastClose | null; published: Published; byItem: Map<string, PricedSeries[]> };

/** Also how late a sale of an import that still runs may count: it says that sales changed when it ends. */
const MAX_AGE_MS = 60_000;
/** Bytes of memory for a byte of a state and its snapshots, as stored and as read; and for an item without any. */
const [GROWTH, ITEM_BYTES] = [12, 1000];

/** A shelf of about so many megabytes at most; 0 keeps nothing. */
export function openPriceShelf(megabytes: number): PriceShelf | undefined {
  if (megabytes === 0) return undefined;
  const empty = (): KeptPrices => ({
    items: new LRUCache({
      maxSize: Math.ceil(megabytes * 2 ** 20),
      sizeCalculation: ({ bytes }) => ITEM_BYTES + GROWTH * bytes,
      ttl: MAX_AGE_MS,
      ttlResolution: 1000,
    }),
  });
  let kept = empty();
  return {
    current: () => kept,
    clear() {
      kept = empty();
    },
  };
}

/** Those of items; what the server has read within a minute is not read again. */
export async function listPricesOf(sql: PricedSql, itemIds: readonly string[]): Promise<ItemPriceLists> {
  const shelf = sql.prices?.shelf;
  if (shelf === undefined) return (await readLists(sql, itemIds)).lists;
  const kept = shelf.current();
  const found = new Map([...new Set(itemIds)].map((id) => [id, kept.items.get(id)?.series]));
  const missing = [...found.keys()].filter((id) => found.get(id) === undefined);
  if (missing.length > 0) {
    const { lists, bytesOf } = await readLists(sql, missing);
    // Ids that no item has say nothing of a close.
    const isRead = bytesOf.size > 0;
    if (isRead && kept.last !== undefined && !isSame(kept.last, lists.last)) {
      // A close has ended in between: its notice is on the way.
      shelf.clear();
      return await listPricesOf(sql, itemIds);
    }
    if (isRead) kept.last = lists.last;
    for (const [id, bytes] of bytesOf) {
      const series = lists.byItem.get(id) ?? [];
      kept.items.set(id, { series, bytes });
      found.set(id, series);
    }
  }
  const last = kept.last ?? null;
  const byItem = new Map([...found].filter((one): one is [string, PricedSeries[]] => !!one[1]?.length));
  return { last, published: await publishedAt(sql, last?.day ?? null, last?.edition), byItem };
}

/** Reads those of items; `bytesOf`: of each that exists, the bytes that they were read from. */
async function readLists(sql: PricedSql, itemIds: readonly string[]) {
  const rows = await priceRows(sql, itemIds);
  const byItem = pricedByItem(seriesIn(rows, { provisional: true }));
  const bytesOf = new Map(
    rows.items.map(({ itemId, state, snapshotBytes }) => [itemId, (state?.length ?? 0) + snapshotBytes.length]),
  );
  const lists: ItemPriceLists = { last: rows.last, published: rows.published, byItem };
  return { lists, bytesOf };
}

function isSame(one: LastClose | null, other: LastClose | null): boolean {
  return one?.day === other?.day && one?.atMs === other?.atMs && one?.edition === other?.edition;
}
