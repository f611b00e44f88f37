import { groupBy } from '../../lib/group-by.ts';
import { quoteOn, snapshotOn } from '../model/daily-line.ts';
import {
  type CentsRange,
  type ConfidenceLabel,
  centsOf,
  confidenceOf,
  type LogQuote,
  labelOf,
  movePct,
  nextSaleRangeOf,
  PRIME_DAYS,
  rangeOf,
} from '../model/quote.ts';
import { countRecent, lastReports, OBSERVATION_DAYS } from '../model/recent.ts';
import { SPARK_WEEKS } from '../store/item-rows.ts';
import { pricedOn, type Series } from './price-series.ts';

/** The published values of a series, as of the last close. Nulls where it has no price (section 3). */
export type SeriesQuote = {
  itemId: string;
  gradeKey: string;
  priceUsdCents: number | null;
  /** 80% range of the value. */
  lowUsdCents: number | null;
  highUsdCents: number | null;
  /** 80% range of the next sale. */
  nextSaleRange: CentsRange | null;
  /** Not null while the last move rests on one source and day that surprised. */
  unconfirmedMove: UnconfirmedMove | null;
  /** Moves over 7, 30 and 365 days, plain percents; null when either end has no price. */
  delta7Pct: number | null;
  delta30Pct: number | null;
  delta365Pct: number | null;
  confidence: ConfidenceLabel | null;
  /** Probability that the true value is within 15% of the price, two decimals. */
  confidenceScore: number | null;
  /** Accepted sales of the last 365 days, and ever. */
  observationCount: number;
  totalObservationCount: number;
  /** Distinct sources of the last 365 days. */
  sourceCount: number;
  /** The closed day whose price it is; null without a price. */
  day: number | null;
  /** When the price was computed: at the last close, or when a sale was recorded since that counts already. Null without a price. */
  updatedAtMs: number | null;
  lastSaleAtMs: number | null;
  /** Priced without a sale of its own. */
  estimated: boolean;
  /** It has no price because its sales may be those of another card. */
  isWithheld: boolean;
  /** US cents at up to 17 weekly closes, oldest first. */
  spark: number[];
};

/**
 * A move that no second sale has confirmed: its sales, the UTC days they were sold on, rising, how many sources reported them,
 * and the price at that close, without them and with them. After a year the days are unknown.
 */
export type UnconfirmedMove = {
  saleCount: number;
  days: number[];
  sources: number;
  fromUsdCents: number;
  toUsdCents: number;
};

/** Its price and its sales: what a card's series are compared by. A quote costs twenty times as much. */
export type SeriesPrice = Pick<
  SeriesQuote,
  'gradeKey' | 'priceUsdCents' | 'observationCount' | 'totalObservationCount' | 'lastSaleAtMs'
>;

function seriesPriceOf(series: Series): SeriesPrice {
  const { gradeKey, own, day } = series;
  const now = day === null ? null : pricedOn(series, day);
  return {
    gradeKey,
    observationCount: countRecent(own?.recent ?? [], day ?? 0, OBSERVATION_DAYS).sales,
    totalObservationCount: own?.sales ?? 0,
    lastSaleAtMs: own?.lastSoldAtMs ?? null,
    priceUsdCents: now && centsOf(now.mean),
  };
}

/** A series with its price; `quote` is made of those that are shown, by `shownQuote`. */
export type PricedSeries = SeriesPrice & { series: Series; quote: SeriesQuote | null };

/** Series with their prices, by item. */
export function pricedByItem(all: readonly Series[]): Map<string, PricedSeries[]> {
  return groupBy(
    all.map((series) => Object.assign(seriesPriceOf(series), { series, quote: null })),
    ({ series }) => series.item.itemId,
  );
}

/** The whole quote of a priced series, made once. */
export function shownQuote(priced: PricedSeries): SeriesQuote {
  priced.quote ??= quoteOf(priced.series);
  return priced.quote;
}

/** Its move over so many days up to the one that it is quoted on, a plain percent; null where either end has no price. */
export function moveOver(series: Series, days: number): number | null {
  const { day } = series;
  return day === null ? null : movePct(pricedOn(series, day), pricedOn(series, day - days));
}

/** The quote of a series at the last close, or a provisional one. */
export function quoteOf(series: Series): SeriesQuote {
  const { item, gradeKey, own, day, world } = series;
  const { itemId } = item;
  const { sales: observationCount, sources: sourceCount } = countRecent(own?.recent ?? [], day ?? 0, OBSERVATION_DAYS);
  const totalObservationCount = own?.sales ?? 0;
  const lastSaleAtMs = own?.lastSoldAtMs ?? null;
  const now = day === null ? null : pricedOn(series, day);
  if (day === null || now === null) {
    const counts = { itemId, gradeKey, observationCount, totalObservationCount, sourceCount, lastSaleAtMs };
    return { ...counts, ...UNPRICED, isWithheld: series.isWithheld };
  }
  const { lowUsdCents, highUsdCents } = rangeOf(now);
  const confidenceScore = Math.round(confidenceOf(now, world!.params) * 100) / 100;
  // Without spreads, each of which would make a hidden class for each quote.
  return {
    itemId,
    gradeKey,
    observationCount,
    totalObservationCount,
    sourceCount,
    lastSaleAtMs,
    day,
    updatedAtMs: series.computedAtMs,
    priceUsdCents: centsOf(now.mean),
    lowUsdCents,
    highUsdCents,
    nextSaleRange: nextSaleRangeOf(now),
    unconfirmedMove: moveOf(series, day, now),
    delta7Pct: movePct(now, pricedOn(series, day - 7)),
    delta30Pct: movePct(now, pricedOn(series, day - 30)),
    delta365Pct: movePct(now, pricedOn(series, day - 365)),
    confidence: labelOf(confidenceScore, countRecent(own?.recent ?? [], day, PRIME_DAYS)),
    confidenceScore,
    estimated: own === null,
    isWithheld: false,
    spark: sparkOf(series, day),
  };
}

function moveOf({ own, snapshots, world }: Series, day: number, now: LogQuote): UnconfirmedMove | null {
  const { before, ownSales, lastDay } = snapshotOn(snapshots, day)!;
  if (before === null || now.before === null) return null;
  // A card with more sales than a snapshot counts has had at least one.
  const saleCount = Math.max(1, ownSales - before.ownSales);
  // The snapshot of an old move may not have been read: today's market then stands for that of its day.
  const isRead = snapshotOn(snapshots, lastDay)?.lastDay === lastDay;
  const then = isRead ? quoteOn(snapshots, lastDay, world!) : null;
  const [from, to] = then?.before ? [then.before, then] : [now.before, now];
  return {
    saleCount,
    ...lastReports(own!.recent, saleCount, day),
    fromUsdCents: centsOf(from.mean),
    toUsdCents: centsOf(to.mean),
  };
}

const UNPRICED = {
  day: null,
  updatedAtMs: null,
  priceUsdCents: null,
  lowUsdCents: null,
  highUsdCents: null,
  nextSaleRange: null,
  unconfirmedMove: null,
  delta7Pct: null,
  delta30Pct: null,
  delta365Pct: null,
  confidence: null,
  confidenceScore: null,
  estimated: false,
  spark: [],
};

function sparkOf(series: Series, day: number): number[] {
  const spark: number[] = [];
  for (let week = SPARK_WEEKS; week >= 0; week--) {
    const quote = pricedOn(series, day - 7 * week);
    if (quote !== null) spark.push(centsOf(quote.mean));
  }
  return spark;
}
