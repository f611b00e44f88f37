import { snapshotOn } from '../model/daily-line.ts';
import { marketFactor, type SharedError, sharedErrorOf } from '../model/total.ts';
import { onDay } from '../store/past-versions.ts';
import { type ItemPriceLists, listPricesOf } from './kept-prices.ts';
import { pricedOn, priceRows, type Series, seriesIn } from './price-series.ts';
import type { PricedDb, PricedSeries } from './quotes.ts';
import { pricedByItem } from './series-quote.ts';

/** The prices of the items of a list, read once. */
export type ListPrices = {
  /** The day they are of: the last closed one, null before it; or the one they are read as of. */
  day: number | null;
  /** When the close of the day ran, where it has a record. */
  recordedAtMs: number | null;
  /** Tracked series with their prices, by item: with the sales that wait for their close, unless as of a day. */
  byItem: Map<string, PricedSeries[]>;
  /** The error of a series that has a price. */
  errorOf(series: Series): SharedError;
};

/** Reads the prices of items: one statement of the last close; as of a day, a few. */
export async function readListPrices(
  db: PricedDb,
  itemIds: readonly string[],
  asOf: number | null,
): Promise<ListPrices> {
  if (asOf === null) return pricesOf(await listPricesOf(db, itemIds), asOf);
  return await onDay(db, asOf, async (sql) => {
    const rows = await priceRows(sql, itemIds, { asOf });
    return pricesOf({ ...rows, byItem: pricedByItem(seriesIn(rows, { provisional: false })) }, asOf);
  });
}

function pricesOf({ last, published, byItem }: ItemPriceLists, asOf: number | null): ListPrices {
  const factors = new Map<string, number>();
  return {
    day: asOf ?? last?.day ?? null,
    recordedAtMs: last?.recordedAtMs ?? null,
    byItem,
    errorOf({ item, gradeKey, snapshots, day, world }) {
      const market = published.model.games.get(item.game)?.market;
      const factor = factors.get(item.game) ?? marketFactor(market ?? null, day!, world!.params);
      factors.set(item.game, factor);
      const snapshot = snapshotOn(snapshots, day!)!;
      const terms = world!.termsOn(day!, snapshot.cardLevel);
      const quote = pricedOn({ snapshots, world }, day!)!;
      const parts = { snapshot, quote, on: world!.contextOn(day!), terms, params: world!.params, factor };
      return sharedErrorOf({ game: item.game, item: item.itemId, gradeKey }, parts);
    },
  };
}
