import type { Static } from 'typebox';
import { CARD_TYPES } from '../catalog/games.ts';
import { gradeByKey } from '../catalog/grades.ts';
import { tagsOfItems } from '../catalog/tags/read-tags.ts';
import type { PublicTag } from '../catalog/tags/tag.ts';
import type { Sql } from '../db/client.ts';
import { formatDay } from '../lib/day.ts';
import {
  type PricedDb,
  type PricedSeries,
  quotesOf,
  type SeriesPrice,
  type SeriesQuote,
  seriesPricesOn,
} from '../pricing/read/quotes.ts';
import { shownQuote } from '../pricing/read/series-quote.ts';
import { type ItemRow, itemHref, numbersOf } from './item-row.ts';
import type { Located } from './locate/locate-slug.ts';
import type { cardSummary } from './shapes.ts';

export type CardSummary = Static<typeof cardSummary>;

/** The part of a summary that identifies the card. */
export function identityOf(item: ItemRow) {
  return {
    id: item.id,
    upstreamItemId: item.upstream_item_id,
    game: item.game,
    type: CARD_TYPES[item.game],
    name: item.name,
    setName: item.set_name,
    setCode: item.set_code,
    ...numbersOf(item),
    variation: item.variation,
    rarity: item.rarity,
    language: item.language,
    year: item.year,
    imageUrl: item.image_url,
    imageUrlThumb: item.image_url_thumb,
  };
}

/** The part with the price of a series; all null for a grade without a price, with a reason where it is withheld. */
export function priceOf(gradeKey: string | null, quote: SeriesQuote | undefined) {
  const grade = gradeKey === null ? undefined : gradeByKey(gradeKey);
  return {
    company: grade?.company ?? null,
    grade: grade?.grade ?? null,
    gradeLabel: grade?.label ?? null,
    priceUsdCents: quote?.priceUsdCents ?? null,
    priceRangeUsdCents: lowAndHigh(quote),
    nextSaleRangeUsdCents: lowAndHigh(quote?.nextSaleRange),
    unconfirmedMove: (quote?.unconfirmedMove ?? null) !== null,
    deltaPct: quote?.delta7Pct ?? null,
    confidence: quote?.confidence ?? null,
    confidenceScore: quote?.confidenceScore ?? null,
    estimated: quote?.estimated ?? false,
    asOf: quote?.day == null ? null : formatDay(quote.day),
    updatedAt: iso(quote?.updatedAtMs),
    lastSaleAt: iso(quote?.lastSaleAtMs),
    spark: quote?.spark ?? [],
    ...(quote?.isWithheld && WITHHELD),
  };
}

const WITHHELD = { reason: 'identity_suspect' } as const;

/** A range as bodies have it: null where either end is unknown. */
export function lowAndHigh(
  range: { lowUsdCents: number | null; highUsdCents: number | null } | null | undefined,
): { low: number; high: number } | null {
  const { lowUsdCents: low = null, highUsdCents: high = null } = range ?? {};
  return low === null || high === null ? null : { low, high };
}

/** A card at one grade, or at none. Without `tags` (they were not read, or could not be) the summary has no such key. */
export function summaryOf(
  item: ItemRow,
  gradeKey: string | null,
  quote: SeriesQuote | undefined,
  tags: PublicTag[] | undefined,
): CardSummary {
  const tagged = tags === undefined ? {} : { tags };
  return Object.assign(identityOf(item), priceOf(gradeKey, quote), tagged, { href: itemHref(item, gradeKey) });
}

/** Summaries of items at their representative grades, in the order given. Two statements at once. */
export async function summariesOf(
  db: PricedDb,
  items: readonly ItemRow[],
  { withTags = true, asOf = null }: { withTags?: boolean; asOf?: number | null } = {},
): Promise<CardSummary[]> {
  const ids = items.map((item) => item.id);
  const [prices, tagsOf] = await Promise.all([
    seriesPricesOn(db, ids, asOf),
    withTags ? readTags(db, ids) : () => undefined,
  ]);
  return items.map((item) => summaryAt(item, representative(prices.get(item.id) ?? []), tagsOf(item)));
}

/** A card at one of its series. */
export function summaryAt(item: ItemRow, shown: PricedSeries | undefined, tags: PublicTag[] | undefined): CardSummary {
  return summaryOf(item, shown?.gradeKey ?? null, shown && shownQuote(shown), tags);
}

/** A function to an item's tags: `[]` when it has none, undefined when they cannot be read, which fails no summary. */
export async function readTags(
  db: Sql,
  itemIds: readonly string[],
): Promise<(item: Pick<ItemRow, 'id'>) => PublicTag[] | undefined> {
  try {
    const tags = await tagsOfItems(db, itemIds);
    return ({ id }) => tags.get(id) ?? [];
  } catch {
    return () => undefined;
  }
}

/**
 * The series that represents a card: PSA 10 if priced with a sale of its own; else the priced series with most sales in
 * 365 days (ties by price); else the last sold; else none.
 */
export function representative<Priced extends SeriesPrice>(quotes: readonly Priced[]): Priced | undefined {
  const psa10 = quotes.find((one) => one.gradeKey === 'psa-10');
  if (psa10 && psa10.priceUsdCents !== null && psa10.totalObservationCount > 0) return psa10;
  const priced = quotes.filter((one) => one.priceUsdCents !== null);
  if (priced.length > 0) return priced.reduce((best, one) => (salesThenPrice(one, best) > 0 ? one : best));
  const sold = quotes.filter((one) => one.lastSaleAtMs !== null);
  return sold.length > 0
    ? sold.reduce((best, one) => (one.lastSaleAtMs! > best.lastSaleAtMs! ? one : best))
    : undefined;
}

function salesThenPrice(a: SeriesPrice, b: SeriesPrice): number {
  return a.observationCount - b.observationCount || a.priceUsdCents! - b.priceUsdCents!;
}

/** ISO 8601 with milliseconds and Z, or null. */
export function iso(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}

/** The grade a view shows: the one that the address names, else the representative one; null when nothing ever sold. */
export function shownGrade({ gradeKey }: Located, quotes: readonly SeriesQuote[]): string | null {
  return gradeKey ?? representative(quotes)?.gradeKey ?? null;
}

/** The same where nothing else needs the quotes. */
export async function readShownGrade(db: PricedDb, located: Located): Promise<string | null> {
  const { item, gradeKey } = located;
  return gradeKey ?? shownGrade(located, (await quotesOf(db, [item.id])).get(item.id) ?? []);
}
